/**
 * The server under load from a second process: decisions, policy writes among many modules, data
 * writes, memory.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../test/harness/server/free-port.js';
import type { LoadPlan, LoadReport } from './load/http-load.js';
import { median } from './measure.js';
import { type Corpus, policyGroups } from './policy-groups.js';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
/** Workloads of the folder beside the project, if it exists. */
const shared = here('../../shared/bench');
const folder = mkdtempSync(join(tmpdir(), 'writ-bench-'));
const running = new Set<ChildProcess>();

interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The reference value, measured in the same run. */
  readonly reference?: number;
  readonly ratio?: number;
}

async function start(command: string, args: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  running.add(child);
  for (let i = 0; i < 600; i++) {
    const answers = await fetch(`http://127.0.0.1:${port}/health`).then(
      () => true,
      () => false,
    );
    if (answers) return child;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${command} ${args.join(' ')} does not answer`);
}

const startWrit = (port: number, ...args: readonly string[]) =>
  start(here('../bin/writ'), ['run', '--server', '--addr', `127.0.0.1:${port}`, '--log-level', 'error', ...args], port);

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child);
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

function load(plan: LoadPlan): Promise<LoadReport> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [...process.execArgv, here('load/http-load.ts'), JSON.stringify(plan)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on('exit', (code) =>
      code === 0 ? done(JSON.parse(text) as LoadReport) : fail(new Error(`the load ended with ${code}`)),
    );
  });
}

async function timed(port: number, method: string, path: string, body: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    body,
    headers: { 'content-type': 'application/json' },
  });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return performance.now() - started;
}

interface Workload {
  readonly entrypoint: string;
  readonly inputs: readonly unknown[];
  readonly files: readonly string[];
}

async function workloadOf(path: string): Promise<Workload> {
  const { meta, generate } = (await import(pathToFileURL(join(path, 'workload.mjs')).href)) as {
    meta: { entrypoint: string };
    generate(scale: number): { data: object; inputs: readonly unknown[]; policy?: string };
  };
  const { data, inputs, policy = readFileSync(join(path, 'policy.rego'), 'utf8') } = generate(1);
  const files = [join(folder, 'policy.rego'), join(folder, 'data.json')];
  writeFileSync(files[0]!, policy);
  writeFileSync(files[1]!, JSON.stringify(data));
  return { entrypoint: meta.entrypoint, inputs, files };
}

async function decisions({ entrypoint, inputs, files }: Workload, seconds: number, workers: string): Promise<Row> {
  const [ours, other] = [await freePort(), await freePort()];
  const writ = await startWrit(ours, '--workers', workers, ...files);
  const limit = await start(
    process.execPath,
    [...process.execArgv, here('load/http-limit.ts'), String(other), workers],
    other,
  );
  const bodies = inputs.map((input) => JSON.stringify({ input }));
  const plan = { path: `/v1/data/${entrypoint}`, bodies, connections: 32, seconds };
  const rates: { ours: number; other: number }[] = [];
  for (let i = 0; i < 4; i++) {
    const a = await load({ ...plan, port: ours });
    const b = await load({ ...plan, port: other });
    if (a.failed + b.failed > 0) throw new Error('some requests failed');
    // The first round warms up.
    if (i > 0) rates.push({ ours: a.perSecond, other: b.perSecond });
  }
  await stop(writ);
  await stop(limit);
  const value = median(rates.map((rate) => rate.ours));
  const reference = median(rates.map((rate) => rate.other));
  return {
    what: 'decisions, 32 connections',
    value,
    unit: '/s',
    reference,
    ratio: median(rates.map((rate) => rate.ours / rate.other)),
  };
}

async function policyWrites(corpus: Corpus, count: number, seconds: number, workers: string): Promise<Row[]> {
  const port = await freePort();
  const writ = await startWrit(port, '--workers', workers);
  const put = (i: number, edit: number) => timed(port, 'PUT', `/v1/policies/m${i}`, corpus.moduleText(i, edit));
  const started = performance.now();
  for (let i = 0; i < count; i++) await put(i, 0);
  const rows: Row[] = [{ what: `${count} modules, one PUT each`, value: performance.now() - started, unit: 'ms' }];
  const groups = Math.floor(count / 10);
  for (const [what, place] of [
    ['a leaf', 7],
    ['a library', 0],
  ] as const) {
    const writes: number[] = [];
    const next: number[] = [];
    for (let round = 1; round <= 61; round++) {
      const i = ((round * 37) % groups) * 10 + place;
      writes.push(await put(i, round));
      next.push(
        await timed(
          port,
          'POST',
          `/v1/data/${corpus.entrypointOf(i === 0 || place === 0 ? i + 1 : i)}`,
          '{"input":{}}',
        ),
      );
    }
    rows.push({ what: `PUT of ${what} among ${count}`, value: median(writes), unit: 'ms' });
    rows.push({ what: `next decision after ${what}`, value: median(next), unit: 'ms' });
  }
  rows.push(await decisionsBesideWrites(corpus, port, groups, seconds));
  await stop(writ);
  return rows;
}

/**
 * The 99th percentile of decision latency at half the server's maximum load, with and without one
 * write a second.
 */
async function decisionsBesideWrites(corpus: Corpus, port: number, groups: number, seconds: number): Promise<Row> {
  const plan = { port, path: `/v1/data/${corpus.entrypointOf(1)}`, bodies: ['{"input":{}}'], connections: 32 };
  const { perSecond } = await load({ ...plan, seconds });
  const half = { ...plan, seconds: seconds * 3, rate: perSecond / 2 };
  const { p99Ms: alone } = await load(half);
  let round = 100;
  const writer = setInterval(() => {
    const i = ((++round * 37) % groups) * 10 + 7;
    timed(port, 'PUT', `/v1/policies/m${i}`, corpus.moduleText(i, round)).catch(() => undefined);
  }, 1000);
  const { p99Ms: beside } = await load(half);
  clearInterval(writer);
  return {
    what: 'p99 at half load, a write a second',
    value: beside,
    unit: 'ms',
    reference: alone,
    ratio: beside / alone,
  };
}

async function dataWrites(entries: number): Promise<Row> {
  const port = await freePort();
  const file = join(folder, 'large.json');
  writeFileSync(
    file,
    JSON.stringify({ large: Object.fromEntries(Array.from({ length: entries }, (_, i) => [`key-${i}`, i])) }),
  );
  const writ = await startWrit(port, file);
  const writes: number[] = [];
  for (let i = 0; i < 51; i++)
    writes.push(await timed(port, 'PUT', `/v1/data/large/key-${(i * 7919) % entries}`, String(i)));
  await stop(writ);
  return { what: `PUT of a value into ${entries} entries`, value: median(writes), unit: 'ms' };
}

async function memory(entries: number, idleSeconds: number): Promise<Row> {
  const port = await freePort();
  const file = join(folder, 'entries.json');
  const policy = join(folder, 'entries.rego');
  const users = Object.fromEntries(
    Array.from({ length: entries }, (_, i) => [`user-${i}`, { name: `name ${i}`, roles: ['a', `r${i % 10}`], n: i }]),
  );
  writeFileSync(file, JSON.stringify({ users }));
  writeFileSync(policy, 'package entries\n\nname := data.users[input.user].name\n');
  const writ = await startWrit(port, file, policy);
  for (let i = 0; i < 1000; i++)
    await timed(port, 'POST', '/v1/data/entries/name', JSON.stringify({ input: { user: `user-${i}` } }));
  await new Promise((done) => setTimeout(done, idleSeconds * 1000));
  const value = residentOf(readFileSync(`/proc/${writ.pid}/status`, 'utf8'));
  await stop(writ);
  const script = `import fs from 'node:fs'; import 'hono'; import '@hono/node-server'; globalThis.kept = JSON.parse(fs.readFileSync(${JSON.stringify(file)}, 'utf8'));
setTimeout(() => process.stdout.write(fs.readFileSync('/proc/self/status', 'utf8')), ${idleSeconds * 1000});`;
  const parsed = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: here('..'),
  });
  const reference = residentOf(parsed.stdout);
  return { what: `memory with ${entries} entries`, value, unit: 'MB', reference, ratio: value / reference };
}

function residentOf(status: string): number {
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/**
 * `[--json] [--seconds N] [--corpus FILE] [--workload DIR] [--only decisions|writes|data|memory]
 * [--workers N] [MODULES…]`: seconds per round of load, by default 3; numbers of modules, by
 * default 1,000 and 10,000. The machine should be otherwise idle.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string' },
      seconds: { type: 'string', default: '3' },
      corpus: { type: 'string' },
      workload: { type: 'string' },
      workers: { type: 'string', default: '1' },
    },
  });
  const own = !existsSync(shared);
  const workload = values.workload ?? (own ? here('workloads/o1-tenancy') : join(shared, 'w01-rbac'));
  const modules = values.corpus ?? (own ? undefined : join(shared, 'modules.mjs'));
  const corpus =
    modules === undefined ? policyGroups : ((await import(pathToFileURL(resolve(modules)).href)) as Corpus);
  const seconds = Number(values.seconds);
  const counts = positionals.length > 0 ? positionals.map(Number) : [1000, 10_000];
  const rows: Row[] = [];
  const add = (row: Row) => {
    rows.push(row);
    const { what, value, unit, reference, ratio } = row;
    const beside =
      reference === undefined ? '' : ` ${reference.toFixed(1).padStart(10)}${ratio!.toFixed(2).padStart(8)}`;
    if (!values.json)
      process.stdout.write(`${what.padEnd(42)}${value.toFixed(1).padStart(10)} ${unit.padEnd(3)}${beside}\n`);
  };
  if (!values.json)
    process.stdout.write(
      `${'what'.padEnd(42)}${'writ'.padStart(10)}     ${'reference'.padStart(10)}${'ratio'.padStart(8)}\n`,
    );
  try {
    const wants = (part: string) => (values.only ?? part) === part;
    if (wants('decisions')) add(await decisions(await workloadOf(resolve(workload)), seconds, values.workers));
    if (wants('writes'))
      for (const count of counts)
        for (const row of await policyWrites(corpus, count, seconds, values.workers)) add(row);
    if (wants('data')) add(await dataWrites(1_000_000));
    if (wants('memory')) add(await memory(100_000, 10));
  } finally {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
  if (values.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
}
