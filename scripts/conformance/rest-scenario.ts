/** Recorded scenarios of the REST API, and the server that each is run against. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseArguments } from '../../cli/args.js';
import { runCommand, startServer } from '../../cli/commands/run.js';
import type { Io } from '../../cli/io.js';
import { toJson } from '../../runtime/values/json.js';
import type { Value } from '../../runtime/values/value.js';
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

/** An answer as it came, inflated. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface RunningScenario {
  send(request: RestRequest): Promise<Answered>;
  stop(): Promise<void>;
}

/** Starts a server in this process as the scenario says, in a new folder. One at a time: the folder becomes the working one. */
export async function startScenario({ server = {} }: RestScenario): Promise<RunningScenario> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-rest-'));
  const port = 20_000 + Math.floor(Math.random() * 30_000);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenarios' own syntax
  const fill = (text: string) => text.replaceAll('${dir}', folder).replaceAll('${port}', String(port));
  for (const [path, content] of Object.entries(server.files ?? {})) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? fill(content) : Buffer.from(content.base64, 'base64'));
  }
  const argv = ['--server', '--addr', `127.0.0.1:${port}`, '--log-level', 'error', ...(server.flags ?? []).map(fill)];
  if (server.config !== undefined && server.config !== null) {
    writeFileSync(join(folder, 'config.json'), fill(toJson(server.config)));
    argv.push('--config-file', 'config.json');
  }
  argv.push(...(server.args ?? []).map(fill));
  const before = process.cwd();
  process.chdir(folder);
  const env = { ...process.env, ...server.env };
  const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env, color: false };
  const running = await startServer(parseArguments('run', runCommand.flags, argv, env), io, () => undefined);
  return {
    send: async (request) => {
      const answer = await send(port, request);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenarios' own syntax
      return { ...answer, text: answer.text.replaceAll(folder, '${dir}') };
    },
    async stop() {
      await running.stop(0);
      process.chdir(before);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function send(port: number, { method, path, headers = {}, body, bodyBase64, chunked }: RestRequest): Promise<Answered> {
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
