/** For tests: the command itself, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const command = join(import.meta.dirname, '../bin/writ');

export interface ServerProcess {
  readonly url: string;
  /** Lines of its log. */
  readonly log: readonly string[];
  /** The status and the body. */
  ask(method: string, path: string, body?: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** The document at a path, undefined where it is. */
  decide(path: string, input?: unknown): Promise<unknown>;
  /** Ends it, by the signal that is given, and resolves when it has ended. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts `writ run --server` and resolves when it takes requests; it is ended after the test. Rejects where it ends before that. */
export async function serverProcess(...args: readonly string[]): Promise<ServerProcess> {
  const child = spawn(command, ['run', '--server', '--addr', '127.0.0.1:0', '--log-level', 'debug', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => ended(child, 'SIGKILL'));
  const log: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server ended: ${log.join('\n')}`)));
    createInterface(child.stderr!).on('line', (line) => {
      log.push(line);
      const [, found] = /"Server initialized\.".*"urls":\["([^"]+)"/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const ask = async (method: string, path: string, body?: string) => {
    const response = await fetch(url + path, { method, ...(body !== undefined && { body }) });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };
  return {
    url,
    log,
    ask,
    async decide(path, input = {}) {
      const { body } = await ask('POST', `/v1/data/${path}`, JSON.stringify({ input }));
      return (body as { readonly result?: unknown }).result;
    },
    end: (signal = 'SIGTERM') => ended(child, signal),
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
