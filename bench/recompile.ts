/**
 * Milliseconds from the text of a policy write among many modules to the next decision, and the
 * ratio to compiling all modules.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Engine } from '../engine/engine.js';
import { Metrics, timers } from '../engine/evaluation/metrics.js';
import { median } from './measure.js';
import { type Corpus, policyGroups } from './policy-groups.js';

/** A kind of policy write. */
interface Write {
  readonly name: string;
  /** The module written in a round, and its new text. */
  readonly module: (round: number) => number;
  readonly text: (i: number, round: number) => string;
  /** Whether the engine rejects the write; such writes are measured too. */
  readonly fails?: boolean;
}

interface Row {
  readonly modules: number;
  readonly write: string;
  readonly writeMs: number;
  readonly worstMs: number;
  readonly decisionMs: number;
  /** The ratio to compiling all modules from their syntax trees. */
  readonly ratio: number;
}

const idOf = (i: number): string => `m${String(i).padStart(6, '0')}.rego`;

function writesOf({ moduleText }: Corpus, count: number): readonly Write[] {
  const groups = Math.floor(count / 10);
  const inGroup = (place: number) => (round: number) => ((round * 37) % groups) * 10 + place;
  return [
    { name: 'leaf', module: inGroup(7), text: moduleText },
    { name: 'library', module: inGroup(0), text: moduleText },
    {
      name: 'library, other types',
      module: inGroup(0),
      text: (i, round) => `${moduleText(i, round)}\nadded_${round} := {"a": [${round}]}\n`,
    },
    {
      name: 'new rule in a leaf',
      module: inGroup(3),
      text: (i, round) => `${moduleText(i, round)}\nadded := ${round}\n`,
    },
    {
      name: 'type error',
      module: inGroup(5),
      text: (i, round) => `${moduleText(i, round)}\nwrong := "s" + ${round}\n`,
      fails: true,
    },
  ];
}

async function load(engine: Engine, corpus: Corpus, count: number, metrics: Metrics): Promise<void> {
  const policies = new Map(Array.from({ length: count }, (_, i) => [idOf(i), corpus.moduleText(i)]));
  await engine.commit({ policies }, { metrics });
}

async function measureWrite(engine: Engine, corpus: Corpus, write: Write, rounds: number) {
  const writes: number[] = [];
  const decisions: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const i = write.module(round);
    const text = write.text(i, round);
    const path = corpus.entrypointOf(i % 10 === 0 ? i + 1 : i).split('/');
    const started = performance.now();
    const taken = await engine.commit({ policies: new Map([[idOf(i), text]]) }).then(
      () => true,
      () => false,
    );
    const written = performance.now();
    if (taken === (write.fails === true))
      throw new Error(`${write.name}: a write was ${taken ? 'taken' : 'turned down'}`);
    const { value } = await engine.decide(path, { action: 'read', method: 'GET' });
    if (value === undefined) throw new Error(`${path.join('/')} is undefined`);
    decisions.push(performance.now() - written);
    writes.push(written - started);
  }
  return { writeMs: median(writes), worstMs: Math.max(...writes), decisionMs: median(decisions) };
}

/** Writes one module after the other into an empty engine. */
async function measureLoading(corpus: Corpus, count: number): Promise<number> {
  const engine = new Engine();
  const started = performance.now();
  for (let i = 0; i < count; i++) await engine.commit({ policies: new Map([[idOf(i), corpus.moduleText(i)]]) });
  return performance.now() - started;
}

/**
 * `[--json] [--rounds N] [--corpus FILE] [MODULES…]`: MODULES are numbers of modules, by default
 * 1,000 and 10,000; policy-groups.ts describes a corpus.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '31' },
      corpus: { type: 'string' },
    },
  });
  const corpus =
    values.corpus === undefined ? policyGroups : ((await import(pathToFileURL(resolve(values.corpus)).href)) as Corpus);
  const counts = positionals.length > 0 ? positionals.map(Number) : [1000, 10_000];
  const print = (line: string): void => {
    if (!values.json) process.stdout.write(`${line}\n`);
  };
  const rows: Row[] = [];
  const whole: Record<string, number> = {};
  print(
    `${'modules'.padStart(8)}  ${'write'.padEnd(22)}${['median ms', 'worst ms', 'decision', 'to all'].map((title) => title.padStart(11)).join('')}`,
  );
  for (const count of counts) {
    const engine = new Engine();
    const metrics = new Metrics();
    await load(engine, corpus, count, metrics);
    const allMs = Number(metrics.toJson()[timers.moduleCompile]) / 1e6;
    whole[count] = allMs;
    for (const write of writesOf(corpus, count)) {
      const found = await measureWrite(engine, corpus, write, Number(values.rounds));
      const row = { modules: count, write: write.name, ...found, ratio: found.writeMs / allMs };
      rows.push(row);
      const numbers = [row.writeMs.toFixed(2), row.worstMs.toFixed(2), row.decisionMs.toFixed(2), row.ratio.toFixed(5)];
      print(
        `${String(count).padStart(8)}  ${row.write.padEnd(22)}${numbers.map((text) => text.padStart(11)).join('')}`,
      );
    }
  }
  const loadingMs = await measureLoading(corpus, Math.min(...counts));
  if (values.json) process.stdout.write(`${JSON.stringify({ rows, compileAllMs: whole, loadingMs }, null, 2)}\n`);
  else {
    for (const [count, ms] of Object.entries(whole)) print(`compiling all of ${count}: ${ms.toFixed(0)} ms`);
    print(`loading ${Math.min(...counts)} one after the other: ${(loadingMs / 1000).toFixed(2)} s`);
  }
}
