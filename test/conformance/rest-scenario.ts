/** Recorded scenarios of the REST API, and the server that runs each. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseArguments } from '../../cli/args.js';
import { runCommand } from '../../cli/commands/run.js';
import type { Io } from '../../cli/io.js';
import { startServer } from '../../cli/server/start-server.js';
import { toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { freePort } from '../harness/server/free-port.js';
import type { Freedom } from './rest-compare.js';

export interface RestRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly chunked?: boolean;
}

export interface RestResponse extends Freedom {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: Value;
  readonly text?: string;
  readonly layout?: 'indented' | 'compact';
  readonly contains?: readonly string[];
  readonly alternatives?: readonly { readonly status?: number; readonly body?: Value; readonly masks?: readonly string[] }[];
}

export interface RestStep {
  readonly note?: string;
  readonly retry?: boolean;
  readonly request: RestRequest;
  readonly response: RestResponse;
}

export interface RestScenario {
  readonly name: string;
  readonly tags?: readonly string[] | null;
  readonly server?: {
    readonly files?: { readonly [path: string]: string | { readonly base64: string } };
    readonly config?: Value;
    readonly flags?: readonly string[];
    readonly args?: readonly string[];
    readonly env?: { readonly [name: string]: string };
  };
  readonly steps: readonly RestStep[];
}

/** A response with its decompressed body. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface RunningScenario {
  send(request: RestRequest): Promise<ReceivedResponse>;
  stop(): Promise<void>;
}

/** A new folder with a scenario's files. */
export interface ScenarioFolder {
  readonly folder: string;
  /** A text of the scenario with the folder's path, and with the port. */
  fill(text: string): string;
  remove(): void;
}

/**
 * Starts a server for a scenario in a new folder: in this process, one at a time, or as the command
 * named by `WRIT_COMMAND`.
 */
export async function startScenario({ server = {} }: RestScenario): Promise<RunningScenario> {
  const port = await freePort();
  const { folder, fill, remove } = scenarioFolder(server, port);
  const argv = ['--server', '--addr', `127.0.0.1:${port}`, '--log-level', 'error', ...(server.flags ?? []).map(fill)];
  if (server.config !== undefined && server.config !== null) {
    writeFileSync(join(folder, 'config.json'), fill(toJson(server.config)));
    argv.push('--config-file', 'config.json');
  }
  argv.push(...(server.args ?? []).map(fill));
  const env = { ...process.env, ...server.env };
  const stop =
    process.env.WRIT_COMMAND === undefined
      ? await startHere(folder, argv, env)
      : await startProcess(process.env.WRIT_COMMAND, folder, port, argv, env);
  return {
    send: async (request) => {
      const answer = await send(port, request);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenarios' own syntax
      return { ...answer, text: answer.text.replaceAll(folder, '${dir}') };
    },
    async stop() {
      await stop();
      remove();
    },
  };
}

/** Writes a scenario's files. */
export function scenarioFolder({ files = {} }: NonNullable<RestScenario['server']>, port: number): ScenarioFolder {
  const folder = mkdtempSync(join(tmpdir(), 'writ-rest-'));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenarios' own syntax
  const fill = (text: string) => text.replaceAll('${dir}', folder).replaceAll('${port}', String(port));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? fill(content) : Buffer.from(content.base64, 'base64'));
  }
  return { folder, fill, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts the server in this process, and changes its working folder. */
async function startHere(folder: string, argv: readonly string[], env: Io['env']): Promise<() => Promise<void>> {
  const before = process.cwd();
  process.chdir(folder);
  const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env, color: false };
  try {
    const running = await startServer(parseArguments('run', runCommand.flags, argv, env), io, { write: () => undefined });
    return async () => {
      await running.stop(0);
      process.chdir(before);
    };
  } catch (error) {
    process.chdir(before);
    throw error;
  }
}

/** Starts the server in its own process, as users do. */
async function startProcess(
  command: string,
  folder: string,
  port: number,
  argv: readonly string[],
  env: Io['env'],
): Promise<() => Promise<void>> {
  const child = spawn(command, ['run', ...argv], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  for (let i = 0; i < 200; i++) {
    if (child.exitCode !== null) throw new Error(`it ended: ${said}`);
    try {
      await send(port, { method: 'GET', path: '/health' });
      return async () => {
        child.kill('SIGTERM');
        await ended;
      };
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  child.kill('SIGKILL');
  throw new Error(`it took too long to start: ${said}`);
}

function send(port: number, { method, path, headers = {}, body, bodyBase64, chunked }: RestRequest): Promise<ReceivedResponse> {
  const bytes = bodyBase64 !== undefined ? Buffer.from(bodyBase64, 'base64') : body !== undefined ? Buffer.from(body) : undefined;
  const length = bytes === undefined ? {} : chunked === true ? { 'transfer-encoding': 'chunked' } : { 'content-length': bytes.length };
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const sent = Buffer.concat(chunks);
        const plain = response.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
        resolve({ status: response.statusCode!, headers: response.headers, text: plain.toString('utf8') });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}
