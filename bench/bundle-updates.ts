/**
 * `npm run -s bench -- bundle-updates [UPDATES [PAUSE_MS [RATE]]]`: decisions under load while a
 * bundle is replaced again and again by long polling, or with pauses. Counts decisions that see
 * parts of two revisions, and compares latencies and memory with the same load without updates, for
 * as long before and after them. All of this follows a warm-up with a tenth of the updates.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import { freePort } from '../test/harness/server/free-port.js';
import type { LoadReport } from './load/http-load.js';
import { loadDuring } from './load/load-during.js';
import { prioritized } from './load/priority.js';
import { processorMs } from './load/processor-time.js';

const root = join(import.meta.dirname, '..');
const connections = 8;
const modules = 20;
const holdMs = 30_000;
const longPollingSeconds = 60;

/**
 * @param args the rate is in requests a second over all connections: 0 for as many as are answered;
 * by default a load that the machine bears with ease
 */
export async function run([count = '1000', pauseMs = '0', perSecond = '400']: readonly string[]): Promise<void> {
  const updates = Number(count);
  const rate = perSecond === '0' ? {} : { rate: Number(perSecond) };
  const warmUpdates = Math.ceil(updates / 10);
  const directory = mkdtempSync(join(tmpdir(), 'writ-updates-'));
  // Made beforehand: it would take time of the process that measures.
  const bundles = await Promise.all(Array.from({ length: warmUpdates + updates + 1 }, (_, i) => bundleOf(i + 1)));
  const service = await BundleService.start(bundles);
  const port = await freePort();
  const server = await startServer(directory, port, service.port);
  const plan = {
    port,
    path: '/v1/data/a/x',
    bodies: ['{"input": {"n": 1}}'],
    connections,
    ...rate,
    comparesValues: true,
  };
  const memoryMb: number[] = [];
  const update = async (times: number) => {
    for (let i = 1; i <= times; i++) {
      await service.publishNext();
      await pause(Number(pauseMs));
      if (i % Math.ceil(updates / 10) === 0) memoryMb.push(memoryOf(server));
    }
  };
  const started = performance.now();
  await loadDuring(plan, () => update(warmUpdates));
  const phaseMs = ((performance.now() - started) * updates) / warmUpdates;
  const phase = async (work: () => Promise<void>) => {
    const from = processorMs(server.pid!);
    const report = await loadDuring(plan, work);
    return { ...report, processorMs: processorMs(server.pid!) - from };
  };
  const before = await phase(() => pause(phaseMs));
  const during = await phase(() => update(updates));
  const after = await phase(() => pause(phaseMs));
  server.kill('SIGTERM');
  await once(server, 'exit');
  service.close();
  rmSync(directory, { recursive: true });
  for (const [name, report] of Object.entries({ before, during, after }))
    console.log(`${name.padEnd(7)}${JSON.stringify(report)}`);
  const ratio = ({ p99Ms }: LoadReport) => Number((during.p99Ms / p99Ms).toFixed(2));
  // An update's own time: the process's, less the decisions'.
  const updateMs = (during.processorMs - (before.processorMs * during.count) / before.count) / updates;
  const processorMsPerUpdate = Number(updateMs.toFixed(1));
  console.log(
    JSON.stringify({ updates, p99ToBefore: ratio(before), p99ToAfter: ratio(after), processorMsPerUpdate, memoryMb }),
  );
}

/** Serves one bundle, and holds requests until there is another revision. */
class BundleService {
  port = 0;
  #revision = 0;
  #bundles: readonly Uint8Array[] = [];
  readonly #held = new Set<ServerResponse>();
  #fetched: (() => void) | undefined;
  readonly #server = createServer((incoming, response) => {
    const known = incoming.headers['if-none-match'] ?? '';
    if (known === this.#etag) {
      this.#hold(response);
      this.#fetched?.();
    } else this.#answer(response);
  });

  static async start(bundles: readonly Uint8Array[]): Promise<BundleService> {
    const service = new BundleService();
    service.#bundles = bundles;
    service.#revision = 1;
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    service.port = (service.#server.address() as AddressInfo).port;
    return service;
  }

  get #etag(): string {
    return `"${this.#revision}"`;
  }

  /** Resolves when the client asks for a later revision: it has this one. */
  async publishNext(): Promise<void> {
    this.#revision++;
    const fetched = new Promise<void>((resolve) => (this.#fetched = resolve));
    for (const response of this.#held) this.#answer(response);
    this.#held.clear();
    await fetched;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** A phase without updates may take longer than the client waits for an answer. */
  #hold(response: ServerResponse): void {
    this.#held.add(response);
    setTimeout(() => {
      if (this.#held.delete(response)) response.writeHead(304, { ETag: this.#etag }).end();
    }, holdMs).unref();
  }

  #answer(response: ServerResponse): void {
    response
      .writeHead(200, { ETag: this.#etag, 'Content-Type': 'application/vnd.openpolicyagent.bundles' })
      .end(this.#bundles[this.#revision - 1]);
  }
}

async function startServer(directory: string, port: number, servicePort: number): Promise<ChildProcess> {
  const config = {
    services: { s: { url: `http://127.0.0.1:${servicePort}` } },
    bundles: {
      b: { polling: { min_delay_seconds: 0, max_delay_seconds: 1, long_polling_timeout_seconds: longPollingSeconds } },
    },
  };
  writeFileSync(join(directory, 'config.json'), JSON.stringify(config));
  const args = [
    'run',
    '--server',
    '--addr',
    `127.0.0.1:${port}`,
    '--log-level',
    'error',
    '-c',
    join(directory, 'config.json'),
  ];
  const [command, ...words] = prioritized(join(root, 'bin/writ'), ...args);
  const server = spawn(command!, words, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server ended');
    const response = await fetch(`http://127.0.0.1:${port}/health?bundles`).catch(() => undefined);
    if (response?.ok) return server;
    await pause(50);
  }
}

/** The memory of a process, in megabytes. */
function memoryOf({ pid }: ChildProcess): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}

/** A bundle whose parts all tell its revision. */
async function bundleOf(revision: number): Promise<Uint8Array> {
  const files: [string, string][] = [
    ['/.manifest', JSON.stringify({ revision: String(revision), roots: ['a'] })],
    [
      '/a/d/data.json',
      JSON.stringify({ n: revision, rows: Array.from({ length: 2000 }, (_, i) => ({ id: i, revision })) }),
    ],
    [
      '/a/p.rego',
      `package a\n\nx := {"p": ${revision}, "d": data.a.d.n, "row": data.a.d.rows[1999].revision, "f": data.a.m${modules - 1}.v}\n`,
    ],
  ];
  for (let i = 0; i < modules; i++)
    files.push([`/a/m${i}.rego`, `package a.m${i}\n\nv := ${revision}\n\nallow if input.n > ${i}\n`]);
  const entries = files.map(([name, text]) => {
    const body = new TextEncoder().encode(text);
    return { header: { name, size: body.length, type: 'file' as const, mtime: new Date(0) }, body };
  });
  return gzipSync(await packTar(entries));
}
