/** Policies to modules, and modules to the state from which programs are planned. */
import type { Compiled, CompileOptions, Module } from '../../compiler/index.js';
import { compileErrors, compileSteps, hintsOf, parseModuleSteps, recompileSteps } from '../../compiler/index.js';
import { inSlices, type Steps } from '../../values/index.js';
import { type Metrics, timers } from '../evaluation/metrics.js';
import type { PolicyRecord } from '../version.js';
import type { Occupied } from './data-conflicts.js';
import { parseOptions, type Reading } from './language.js';

/** Parses a policy, in steps. Throws CompileErrors that name its file. */
export function* parsePolicySteps(
  { id, raw, file }: { readonly id: string; readonly raw: string; readonly file: string },
  reading: Reading,
  metrics?: Metrics,
): Steps<PolicyRecord> {
  const parsing = parseModuleSteps(file, raw, parseOptions(reading));
  const module = yield* metrics?.timeSteps(timers.moduleParse, parsing) ?? parsing;
  return { id, raw, module, bundle: undefined };
}

/** The last compiled policies, and the changes since. */
interface CompiledBefore {
  readonly compiled: Compiled;
  /** Policies by id; undefined for those that are gone. */
  readonly changes: ReadonlyMap<string, PolicyRecord | undefined>;
}

interface Recompiling {
  readonly metrics?: Metrics | undefined;
  readonly before?: CompiledBefore | undefined;
  /** May end the steps with an error, such as one for a deadline. */
  readonly during?: <Result>(steps: Steps<Result>) => Steps<Result>;
}

/**
 * Compiles all policies beside these documents. Unchanged modules are taken from before. Decisions
 * have a turn every few milliseconds. Rejects with CompileErrors.
 */
export async function recompilePolicies(
  records: ReadonlyMap<string, PolicyRecord>,
  occupied: Occupied,
  options: CompileOptions,
  { metrics, before, during = (steps) => steps }: Recompiling = {},
): Promise<Compiled> {
  const all = { ...options, dataExists: occupied, ...(metrics !== undefined && { onTimer: adderTo(metrics) }) };
  const modules = await inSlices(during(parsed(before?.changes ?? records)));
  const compiling =
    before === undefined ? compileSteps({ modules: present(modules), options: all }) : again(before, modules, all);
  const compiled = await inSlices(during(metrics?.timeSteps(timers.moduleCompile, compiling) ?? compiling));
  if (compiled.diagnostics.length > 0) throw compileErrors(compiled.diagnostics, hintsOf(compiled));
  return compiled;
}

/**
 * A separate function: a closure made where `before` is in scope would keep it alive, because
 * compiled policies keep their options.
 */
function adderTo(metrics: Metrics): (name: string, nanoseconds: number) => void {
  return (name, nanoseconds) => metrics.add(name, nanoseconds);
}

/** A policy of a bundle is parsed when its module is first read, which is here. */
function* parsed(records: ReadonlyMap<string, PolicyRecord | undefined>): Steps<Map<string, Module | undefined>> {
  const modules = new Map<string, Module | undefined>();
  for (const [id, record] of records) {
    modules.set(id, record?.moduleSteps === undefined ? record?.module : yield* record.moduleSteps());
    yield;
  }
  return modules;
}

function present(modules: ReadonlyMap<string, Module | undefined>): ReadonlyMap<string, Module> {
  return new Map([...modules].flatMap(([id, module]) => (module === undefined ? [] : [[id, module]])));
}

function again(
  { compiled }: CompiledBefore,
  modules: ReadonlyMap<string, Module | undefined>,
  options: CompileOptions,
): Steps<Compiled> {
  const changes = new Map([...modules].filter(([id, module]) => compiled.modules.get(id)?.parsed !== module));
  return recompileSteps(compiled, changes, options);
}
