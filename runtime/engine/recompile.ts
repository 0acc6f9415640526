/** Policies into modules, and modules into what programs are made of. */

import type { Module } from '../../compiler/ast/nodes.js';
import { compileErrors } from '../../compiler/diagnostics/render.js';
import { compileModules } from '../../compiler/pipeline.js';
import { recompile as recompileModules } from '../../compiler/recompile.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import type { CompileOptions } from '../../compiler/resolve/options.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import type { Occupied } from './data-conflicts.js';
import type { Metrics } from './metrics.js';
import { timers } from './metrics.js';
import type { PolicyRecord } from './policy-engine.js';

/** The language of modules that do not say it themselves. */
export type Language = 'v0' | 'v1';

/** Parses a policy. Throws CompileErrors. */
export function parsePolicy(id: string, raw: string, language: Language, metrics?: Metrics): PolicyRecord {
  const parse = () => ({ id, raw, module: parseModule(id, raw, { regoVersion: language }), bundle: undefined });
  return metrics === undefined ? parse() : metrics.time(timers.moduleParse, parse);
}

/** All policies compiled, with these documents beside them; what did not change since `previous` is taken from there. Throws CompileErrors. */
export function recompile(
  records: ReadonlyMap<string, PolicyRecord>,
  occupied: Occupied,
  options: CompileOptions,
  metrics?: Metrics,
  previous?: Compiled,
): Compiled {
  const all = {
    ...options,
    dataExists: occupied,
    ...(metrics !== undefined && { onTimer: adderTo(metrics) }),
  };
  const compile = () =>
    previous === undefined ? compileModules({ modules: modulesOf(records), options: all }) : again(records, previous, all);
  const compiled = metrics === undefined ? compile() : metrics.time(timers.moduleCompile, compile);
  if (compiled.diagnostics.length > 0) throw compileErrors(compiled.diagnostics);
  return compiled;
}

/** A function of its own: one made where `previous` is in scope would keep that, and what is compiled keeps its options. */
function adderTo(metrics: Metrics): (name: string, nanoseconds: number) => void {
  return (name, nanoseconds) => metrics.add(name, nanoseconds);
}

function modulesOf(records: ReadonlyMap<string, PolicyRecord>): ReadonlyMap<string, Module> {
  return new Map([...records].map(([id, { module }]) => [id, module]));
}

function again(records: ReadonlyMap<string, PolicyRecord>, previous: Compiled, options: CompileOptions): Compiled {
  const changes = new Map<string, Module | undefined>();
  for (const [id, { module }] of records) if (previous.modules.get(id)?.parsed !== module) changes.set(id, module);
  for (const id of previous.modules.keys()) if (!records.has(id)) changes.set(id, undefined);
  return recompileModules(previous, changes, options);
}
