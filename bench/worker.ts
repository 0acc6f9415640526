/**
 * One engine and one workload in a process of its own:
 * `worker.ts FOLDER (writ|text|module|limit|limit-text) SCALE [ROOT]`, where ROOT is a checkout
 * whose build is measured in the place of this one's.
 * First checks the results against the recorded ones, if there are any for the scale, then prints
 * one line of JSON.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type * as Compiler from '../compiler/compile.js';
import { loadPlan } from '../ir-schema/validate.js';
import type * as Library from '../library/index.js';
import { readModuleUnits } from '../library/modules/units-file.js';
import { assemble } from '../runtime/bytecode/assemble.js';
import { moduleText } from '../runtime/codegen/module/module-text.js';
import { builtins } from '../values/builtins/registry.js';
import type { Value } from '../values/value.js';
import { measure } from './measure.js';

interface Workload {
  readonly meta: { readonly entrypoint: string; readonly timed: readonly number[] };
  generate(scale: number): { readonly policy?: string; readonly data: object; readonly inputs: readonly unknown[] };
}

const [folder, engine, scaleText, root = join(import.meta.dirname, '..')] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
];
const built = (name: string) => pathToFileURL(join(root, 'dist', name)).href;
const scale = Number(scaleText);
const file = (name: string) => join(resolve(folder), name);
const load = async (name: string) => (await import(pathToFileURL(file(name)).href)) as unknown;
const { meta, generate } = (await load('workload.mjs')) as Workload;
const { data, inputs, policy: generated } = generate(scale);

async function limit(): Promise<(input: unknown) => unknown> {
  const policy = generated ?? readFileSync(file('policy.rego'), 'utf8');
  const { default: make } = (await load('limit.mjs')) as {
    default: (data: unknown, policy: string) => (input: unknown) => unknown;
  };
  const decide = make(data, policy);
  return (input) => ({ result: decide(input) });
}

async function open() {
  // The built library, as users run it.
  const { Engine } = (await import(built('index.js'))) as typeof Library;
  const plan = existsSync(file('plan.json'))
    ? (JSON.parse(readFileSync(file('plan.json'), 'utf8')) as unknown)
    : await compiled();
  const bundle = { ...empty, data, plans: [{ path: '/plan.json', url: '', bundlePath: '/plan.json', policy: plan }] };
  return await Engine.open([bundle as unknown as Library.Bundle]);
}

/** Our own plan, if the workload has none. */
async function compiled(): Promise<unknown> {
  const { compile } = (await import(built('compiler.js'))) as typeof Compiler;
  const policy = generated ?? readFileSync(file('policy.rego'), 'utf8');
  return compile({ policies: { 'policy.rego': policy }, entrypoints: [meta.entrypoint] });
}

const empty = {
  manifest: { revision: '', roots: [''], wasm: [] },
  modules: [],
  wasm: [],
  signatures: undefined,
  patch: undefined,
  files: new Map(),
};

/** A JavaScript module of the plan. */
async function openModule(): Promise<(input: unknown) => unknown> {
  const plan = loadPlan(
    existsSync(file('plan.json')) ? JSON.parse(readFileSync(file('plan.json'), 'utf8')) : await compiled(),
  );
  const entrypoints = [{ name: meta.entrypoint, path: meta.entrypoint.split('/') }];
  const made = {
    units: readModuleUnits(),
    builtins,
    entrypoints,
    data: data as Value,
    revision: undefined,
    runtime: {},
    title: 'bench',
  };
  const path = join(mkdtempSync(join(tmpdir(), 'writ-bench-')), 'policy.mjs');
  writeFileSync(path, moduleText({ ...made, program: assemble(plan), format: 'es' }));
  const module = (await import(path)) as { decide(entrypoint: string, input: unknown): unknown };
  rmSync(dirname(path), { recursive: true });
  return (input) => {
    const result = module.decide(meta.entrypoint, input);
    return result === undefined ? {} : { result };
  };
}

let decide: (input: unknown) => unknown;
const startedAt = performance.now();
if (engine === 'limit') decide = await limit();
else if (engine === 'module') decide = await openModule();
else if (engine === 'limit-text') {
  const byObject = await limit();
  decide = (input) => JSON.stringify(byObject(JSON.parse(input as string)));
} else {
  const opened = await open();
  const path = meta.entrypoint;
  decide =
    engine === 'text' ? (input) => opened.decideText(path, input as string) : (input) => opened.decide(path, input);
}
const openMs = performance.now() - startedAt;

const given = engine.endsWith('text') ? inputs.map((input) => JSON.stringify(input)) : inputs;
// The recorded results, or those of the decision written in JavaScript.
const recorded = scale === 1 && existsSync(file('expected.json'));
const byHand = recorded ? undefined : await limit();
const expected = recorded
  ? (JSON.parse(readFileSync(file('expected.json'), 'utf8')) as readonly unknown[])
  : inputs.map((input) => byHand!(input));
expected.forEach((wanted, i) => {
  const answer = decide(given[i]);
  const got: unknown = JSON.parse(typeof answer === 'string' ? answer : JSON.stringify(answer));
  const want: unknown = JSON.parse(JSON.stringify(wanted));
  if (!isDeepStrictEqual(got, want))
    throw new Error(`${folder} input ${i}: ${JSON.stringify(got)} instead of ${JSON.stringify(want)}`);
});
const timed = meta.timed.map((i) => given[i]);
const { ns } = measure((i) => decide(timed[i]), timed.length);
process.stdout.write(`${JSON.stringify({ ns, openMs })}\n`);
