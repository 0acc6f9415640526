/**
 * `npm run -s bench -- log-delivery [DECISIONS [WORKERS]]`: decisions at full load, while the log
 * service is killed (`kill -9`) after a third of them, and started again after two thirds. With
 * several workers, one of them is killed in the middle. Counts the events of answered decisions
 * that the service stored, and those that the server counted as dropped.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../test/harness/server/free-port.js';

const root = join(import.meta.dirname, '..');
const connections = 32;

const policy = 'package authz\n\ndefault allow := false\n\nallow if input.user == data.admins[_]\n';

/** By the kind of buffer. */
const reportings = {
  'no limit': {},
  '200 kB': { buffer_size_limit_bytes: 200_000 },
  '10,000 events': { buffer_type: 'event' },
} as const;

export async function run([decisions = '100000', workers = '1']: readonly string[]): Promise<void> {
  for (const [name, reporting] of Object.entries(reportings)) {
    process.stdout.write(
      `${JSON.stringify({ buffer: name, ...(await deliver(Number(decisions), reporting, Number(workers))) })}\n`,
    );
  }
}

async function deliver(decisions: number, reporting: object, workers: number): Promise<object> {
  const directory = mkdtempSync(join(tmpdir(), 'writ-delivery-'));
  const stored = join(directory, 'numbers');
  writeFileSync(stored, '');
  const [logPort, port] = [await freePort(), await freePort()];
  const server = await startServer(directory, port, logPort, reporting, workers);
  let service = await startService(logPort, stored);
  const began = performance.now();
  const at = (part: number) => Math.floor(decisions * part);
  const unanswered = new Set<number>();
  const ask = (from: number, to: number) => askAll(port, at(from), at(to), unanswered);
  await ask(0, 1 / 3);
  await end(service, 'SIGKILL');
  await ask(1 / 3, 1 / 2);
  if (workers > 1) setTimeout(() => process.kill(aWorkerOf(server), 'SIGKILL'), 100);
  await ask(1 / 2, 2 / 3);
  service = await startService(logPort, stored);
  await ask(2 / 3, 1);
  const perSecond = Math.round((1000 * decisions) / (performance.now() - began));
  const dropped = await droppedBy(port);
  // The rest is sent at the end.
  await end(server, 'SIGTERM');
  await end(service, 'SIGKILL');
  const numbers = readFileSync(stored, 'utf8').trimEnd().split('\n').map(Number);
  rmSync(directory, { recursive: true });
  const all = new Set(numbers);
  const repeated = numbers.length - all.size;
  // Whether a decision was made is not known where the worker died before it answered.
  const arrived = [...all].filter((n) => !unanswered.has(n)).length;
  const answered = decisions - unanswered.size;
  return {
    decisions,
    perSecond,
    unanswered: unanswered.size,
    arrived,
    dropped,
    missing: answered - arrived - dropped,
    repeated,
  };
}

/** The pid of a worker. */
function aWorkerOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
}

async function startServer(
  directory: string,
  port: number,
  logPort: number,
  reporting: object,
  workers: number,
): Promise<ChildProcess> {
  const config = {
    services: { logs: { url: `http://127.0.0.1:${logPort}` } },
    decision_logs: { reporting: { trigger: 'immediate', min_delay_seconds: 1, max_delay_seconds: 1, ...reporting } },
  };
  const files = { 'config.json': config, 'data.json': { admins: ['alice', 'bob'] } };
  for (const [name, value] of Object.entries(files)) writeFileSync(join(directory, name), JSON.stringify(value));
  writeFileSync(join(directory, 'p.rego'), policy);
  const options = ['--workers', String(workers), '--log-level', 'error', '-c', join(directory, 'config.json')];
  const args = ['run', '--server', '--addr', `127.0.0.1:${port}`, ...options];
  const command = join(root, 'bin/writ');
  const server = spawn(command, [...args, join(directory, 'p.rego'), join(directory, 'data.json')], {
    stdio: 'ignore',
  });
  for (;;) {
    try {
      await ask(port, '/health', undefined);
      return server;
    } catch {
      if (server.exitCode !== null) throw new Error('the server ended');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function startService(port: number, file: string): Promise<ChildProcess> {
  const script = join(root, 'test/harness/server/log-service.ts');
  const service = spawn(process.execPath, [script, String(port), file], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(service.stdout!, 'data');
  return service;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  await once(child, 'exit');
}

const agent = new Agent({ keepAlive: true, maxSockets: connections });

async function askAll(port: number, from: number, to: number, unanswered: Set<number>): Promise<void> {
  let next = from;
  const client = async () => {
    while (next < to) {
      const n = next++;
      const body = JSON.stringify({ input: { n, user: 'bob' } });
      await ask(port, '/v1/data/authz/allow', body).catch(() => unanswered.add(n));
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
}

function ask(port: number, path: string, body: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, port, host: '127.0.0.1', path, method: body === undefined ? 'GET' : 'POST' },
      (response) => {
        let text = '';
        response.on('data', (part: Buffer) => (text += part));
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

async function droppedBy(port: number): Promise<number> {
  const lines = (await ask(port, '/metrics', undefined)).matchAll(
    /^decision_logs_(?:dropped\w+|encoding_failure) (\d+)$/gm,
  );
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}
