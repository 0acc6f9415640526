/** Recorded checks, and the server and the Envoy that run each scenario. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonValue } from '@bufbuild/protobuf';
import { parseArguments } from '../../../cli/args.js';
import { runCommand } from '../../../cli/commands/run.js';
import type { Io } from '../../../cli/io.js';
import { startServer } from '../../../cli/server/start-server.js';
import type { PlainObject, Value } from '../../../values/value.js';
import type { ApiVersion } from '../../harness/envoy/check-client.js';
import { type RunningEnvoy, startEnvoy, startUpstream, type Upstream } from '../../harness/envoy/envoy.js';
import { freePort } from '../../harness/server/free-port.js';

export interface HttpRequest {
  readonly listener?: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string | string[] };
  readonly body?: string;
  readonly bodyBase64?: string;
  readonly chunked?: number;
}

export interface EnvoyStep {
  readonly note?: string;
  readonly check?: JsonValue;
  readonly checkBase64?: string;
  readonly service?: ApiVersion;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  readonly call?: string;
  readonly rest?: { readonly method?: string; readonly path: string; readonly headers?: Record<string, string>; readonly body?: string };
  readonly status?: number;
  readonly metrics?: PlainObject;
  readonly reflection?: 'v1' | 'v1alpha';
  readonly services?: readonly string[];
  readonly http?: HttpRequest;
  readonly response?: Value;
  readonly error?: Value;
  readonly log?: PlainObject | null;
  readonly prints?: readonly Value[];
  readonly client?: Value;
  readonly upstream?: Value;
  readonly prefixes?: { readonly [pointer: string]: string };
  readonly masks?: readonly string[];
  readonly alternatives?: readonly { readonly [key: string]: unknown }[];
}

export interface EnvoyScenario {
  readonly name: string;
  readonly config: PlainObject;
  readonly policies?: { readonly [path: string]: string };
  readonly files?: { readonly [path: string]: string | { readonly base64: string } };
  readonly data?: Value;
  readonly args?: readonly string[];
  readonly listens?: boolean;
  readonly start?: { readonly fails: boolean; readonly contains: readonly string[]; readonly lacks: readonly string[] };
  readonly envoy?: string;
  readonly steps: readonly EnvoyStep[];
}

export interface RunningScenario {
  readonly restUrl: string;
  /** For a client of gRPC. */
  readonly address: string;
  /** Ports of the Envoy's listeners. */
  readonly listeners: Readonly<Record<string, number>>;
  readonly upstream: Upstream | undefined;
  /** Lines of the log since the last call. */
  takeLog(): PlainObject[];
  stop(): Promise<void>;
}

/**
 * Starts a server for a scenario in a new folder, in this process. Rejects where it does not start.
 */
export async function startScenario(scenario: EnvoyScenario, file: string): Promise<RunningScenario> {
  const { policies = {}, files = {}, data, config } = scenario;
  const folder = mkdtempSync(join(tmpdir(), 'writ-checks-'));
  const [port, restPort] = [await freePort(), await freePort()];
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the scenarios' own syntax
  const fill = (text: string) => text.replaceAll('${dir}', folder).replaceAll('${port}', String(port));
  for (const [path, content] of Object.entries({ ...policies, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  }
  if (data !== undefined) writeFileSync(join(folder, 'data.json'), JSON.stringify(data));
  const filled = fill(JSON.stringify(config));
  writeFileSync(join(folder, 'config.json'), filled);
  const args = scenario.args ?? [...Object.keys(policies), ...(data === undefined ? [] : ['data.json'])];
  const flags = ['--server', '--addr', `127.0.0.1:${restPort}`, '--log-level', 'info', '--config-file', 'config.json'];
  let lines: PlainObject[] = [];
  const stop = await startHere(folder, [...flags, ...args.map(fill)], (text) => {
    for (const line of text.split('\n')) if (line !== '') lines.push(JSON.parse(line) as PlainObject);
  }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const plugin = Object.values(JSON.parse(filled).plugins as Record<string, { addr: string }>)[0]!;
  const gateway = scenario.envoy === undefined ? undefined : await startGateway(join(dirname(file), scenario.envoy), port);
  return {
    restUrl: `http://127.0.0.1:${restPort}`,
    address: plugin.addr.startsWith('unix://') ? plugin.addr.replace('unix://', 'unix:') : `127.0.0.1:${port}`,
    listeners: gateway?.listeners ?? {},
    upstream: gateway?.upstream,
    takeLog() {
      const taken = lines;
      lines = [];
      return taken;
    },
    async stop() {
      await gateway?.stop();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startHere(folder: string, argv: readonly string[], write: (text: string) => void): Promise<() => Promise<void>> {
  const before = process.cwd();
  process.chdir(folder);
  const env = process.env;
  const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env, color: false };
  try {
    const running = await startServer(parseArguments('run', runCommand.flags, argv, env), io, { write });
    return async () => {
      await running.stop(0);
      process.chdir(before);
    };
  } catch (error) {
    process.chdir(before);
    throw error;
  }
}

const listenerNames = ['main', 'raw', 'lax', 'list'] as const;

async function startGateway(template: string, authz: number) {
  const upstream = await startUpstream();
  const ports = await Promise.all(listenerNames.map(() => freePort()));
  const admin = await freePort();
  const listeners = Object.fromEntries(listenerNames.map((name, i) => [name, ports[i]!]));
  const values: Record<string, number> = { upstream: upstream.port, authz, admin };
  for (const [name, port] of Object.entries(listeners)) values[`listen_${name}`] = port;
  const config = readFileSync(template, 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => String(values[name]));
  let envoy: RunningEnvoy;
  try {
    envoy = await startEnvoy(config, admin);
  } catch (error) {
    await upstream.close();
    throw error;
  }
  return {
    listeners,
    upstream,
    stop: async () => {
      await envoy.stop();
      await upstream.close();
    },
  };
}
