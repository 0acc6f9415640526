/** For tests: the command itself, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from '../set-up/concurrent-tests.js';
import { freePort } from './free-port.js';

const command = join(import.meta.dirname, '../../../bin/writ');

export interface ServerProcess {
  readonly url: string;
  /** Lines of its log. */
  readonly log: readonly string[];
  /** The status and the body. */
  ask(method: string, path: string, body?: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** The document at a path, if it is defined. */
  decide(path: string, input?: unknown): Promise<unknown>;
  readonly pid: number;
  isAlive(): boolean;
  /** Sends a signal, and resolves with the exit code or the signal that ended the process. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

type StartingProcess = Pick<ServerProcess, 'pid' | 'log' | 'end'>;

/** Starts `writ run --server`, and does not wait until it accepts requests. */
export function startingProcess(...args: readonly string[]): StartingProcess {
  const child = spawnServer(args, {});
  const log: string[] = [];
  createInterface(child.stderr!).on('line', (line) => void log.push(line));
  return { pid: child.pid!, log, end: (signal = 'SIGTERM') => ended(child, signal) };
}

/** Pids of the workers of a server, as Linux tells them. */
export function workersOf({ pid }: { readonly pid: number }): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/**
 * Starts `writ run --server` and resolves when it accepts requests. Rejects where it ends before.
 * It is ended after the test.
 */
export async function serverProcess(...args: readonly string[]): Promise<ServerProcess> {
  const child = spawnServer(['--addr', '127.0.0.1:0', '--log-level', 'debug', ...args], {});
  const log: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the server ended: ${log.join('\n')}`)));
    createInterface(child.stderr!).on('line', (line) => {
      log.push(line);
      const [, found] = /"Server initialized\.".*"urls":\["([^"]+)"/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  return clientOf(child, url, log);
}

/**
 * As `serverProcess`, with a log level and an environment.
 * @param program in the place of the built command
 */
export async function quietServerProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  program: readonly string[] = [command],
): Promise<ServerProcess> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawnServer(['--addr', url, ...args], env, program);
  const log: string[] = [];
  createInterface(child.stderr!).on('line', (line) => void log.push(line));
  const server = clientOf(child, url, log);
  while (!(await isUp(server))) {
    if (!server.isAlive()) throw new Error(`the server ended: ${log.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return server;
}

async function isUp(server: ServerProcess): Promise<boolean> {
  try {
    return (await server.ask('GET', '/health')).status === 200;
  } catch {
    return false;
  }
}

function spawnServer(args: readonly string[], env: NodeJS.ProcessEnv, [file, ...first]: readonly string[] = [command]): ChildProcess {
  const child = spawn(file!, [...first, 'run', '--server', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(async () => void (await ended(child, 'SIGKILL')));
  return child;
}

function clientOf(child: ChildProcess, url: string, log: readonly string[]): ServerProcess {
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
    pid: child.pid!,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    end: (signal = 'SIGTERM') => ended(child, signal),
  };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }
  return child.exitCode ?? child.signalCode!;
}
