/** One workload on the VM and on the evaluator, in turn; prints a line. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileOrThrow } from '../compiler/pipeline.js';
import { plan } from '../compiler/plan/planner.js';
import { parseModule } from '../compiler/syntax/parse.js';
import { evaluateAll } from '../engine/evaluation/evaluate.js';
import { loadProgram } from '../engine/load-program.js';
import { createContext } from '../engine/shared-context.js';
import type { Executable } from '../runtime/evaluation/executable.js';
import { prepareQueries } from '../test/harness/queries.js';
import { nodeHost } from '../values/builtins/host/node.js';
import { builtins } from '../values/builtins/registry.js';
import { toJson } from '../values/json/json.js';
import type { Value } from '../values/value.js';
import { median } from './measure.js';

interface Workload {
  readonly meta: { readonly entrypoint: string; readonly timed: readonly number[] };
  generate(scale: number): { readonly policy?: string; readonly data: Value; readonly inputs: readonly Value[] };
}

const roundMs = 300;
const warmUps = 4;
const rounds = 7;

/** The processor's time of this thread: other processes have no part in it. */
function now(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Microseconds per decision in one round. */
function round(decide: (input: Value) => unknown, inputs: readonly Value[]): number {
  let decisions = 0;
  const start = now();
  let end = start;
  for (; end - start < roundMs * 1000; end = now()) {
    for (const input of inputs) decide(input);
    decisions += inputs.length;
  }
  return (end - start) / decisions;
}

function decider(executable: Executable, data: Value): (input: Value) => readonly Value[] {
  const target = { executable, plan: [...executable.entrypoints.values()][0]! };
  const context = createContext({ host: nodeHost }, { codegen: 'never' });
  return (input) => evaluateAll([target], { input, data }, context, {})[0]!;
}

const folder = resolve(process.argv[2]!);
const { meta, generate } = (await import(pathToFileURL(join(folder, 'workload.mjs')).href)) as Workload;
const { data, inputs, policy: generated } = generate(1);
const file = join(folder, 'policy.rego');
const text = existsSync(file) ? readFileSync(file, 'utf8') : generated!;
const compiled = compileOrThrow({ modules: new Map([['policy.rego', parseModule('policy.rego', text)]]) });
const question = { name: meta.entrypoint, path: meta.entrypoint.split('/') };
const onVm = decider(await loadProgram(plan(compiled, [question]), builtins), data);
const evaluated = decider(await prepareQueries(compiled, [question]), data);
for (const [i, input] of inputs.entries()) {
  if (toJson(onVm(input)) !== toJson(evaluated(input)))
    throw new Error(`${folder} input ${i}: the evaluator answers differently`);
}
const timed = meta.timed.map((i) => inputs[i]!);
const times: { readonly vm: number; readonly evaluator: number }[] = [];
for (let i = 0; i < warmUps + rounds; i++) times.push({ vm: round(onVm, timed), evaluator: round(evaluated, timed) });
const counted = times.slice(warmUps);
const vm = median(counted.map((time) => time.vm));
const evaluator = median(counted.map((time) => time.evaluator));
const columns = [vm, evaluator, evaluator / vm].map((number) => number.toFixed(number < 100 ? 2 : 0).padStart(14));
process.stdout.write(`${basename(folder).padEnd(18)}${columns.join('')}\n`);
