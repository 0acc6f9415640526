/** The thread's side of chores. */

import { type Compiled, CompileErrors, compileModules, diagnosticToJson, parseModule } from '../../compiler/index.js';
import { assemble, packProgram } from '../../runtime/index.js';
import {
  allAtOnce,
  builtins,
  checkedSteps,
  checkHeap,
  checkHeapFor,
  decodeUtf8,
  parseYaml,
  plainText,
  SizeError,
} from '../../values/index.js';
import { Metrics } from '../evaluation/metrics.js';
import { compileQueryPlan } from '../policies/compile-query.js';
import type { Chore, ChoreReport, CompiledQueryReport, OutOfMemory, QueryChore } from './chores.js';

/**
 * The most bytes of heap that a byte of a text takes, as measured: while `{},` is read as YAML, and
 * while `1==1;` is compiled as a query. Both are parsed in one step, so the memory is looked at
 * before.
 */
const heapPerByte = { yaml: 60, query: 400 } as const;

export function doChore(chore: Chore): ChoreReport | OutOfMemory {
  try {
    if (chore.kind === 'query') {
      checkHeapFor(chore.text.length * heapPerByte.query);
      return { query: compiledQuery(chore) };
    }
    checkHeapFor(chore.bytes.length * heapPerByte.yaml);
    return { yaml: jsonOfYaml(decodeUtf8(chore.bytes)) };
  } catch (error) {
    if (error instanceof SizeError) return { outOfMemory: true };
    if (chore.kind === 'query') throw error;
    return { problem: (error as Error).message };
  }
}

function jsonOfYaml(text: string): Uint8Array | undefined {
  return /\S/.test(text) ? new TextEncoder().encode(plainText(parseYaml(text))) : undefined;
}

/** The policies that were compiled last: many queries come between two changes of policies. */
let last: { readonly policies: number; readonly compiled: Compiled } | undefined;

function compiledFor({ policies, modules, options }: QueryChore): Compiled {
  if (last?.policies === policies) return last.compiled;
  const parsed = new Map(
    modules.map(({ name, file, text, language }) => [name, parseModule(file, text, { regoVersion: language })]),
  );
  const compiled = compileModules({ modules: parsed, options: { ...options, builtins } });
  last = { policies, compiled };
  return compiled;
}

function compiledQuery(chore: QueryChore): CompiledQueryReport {
  const metrics = new Metrics();
  const timers = () => Object.entries(metrics.toJson()) as [string, number][];
  try {
    const plan = allAtOnce(
      checkedSteps(compileQueryPlan(compiledFor(chore), chore.text, { ...chore, metrics }), checkHeap),
    );
    return { timers: timers(), program: packProgram(assemble(plan)) };
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    return {
      timers: timers(),
      diagnostics: JSON.stringify(error.diagnostics.map((each) => ({ ...diagnosticToJson(each), name: each.name }))),
    };
  }
}
