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

/** Policies that were compiled, and what is otherwise with them now. */
export interface CompiledBefore {
  readonly compiled: Compiled;
  /** By id; undefined for those that are gone. */
  readonly changes: ReadonlyMap<string, PolicyRecord | undefined>;
}

/** All policies compiled, with these documents beside them; what did not change is taken from before. Throws CompileErrors. */
export function recompile(
  records: ReadonlyMap<string, PolicyRecord>,
  occupied: Occupied,
  options: CompileOptions,
  metrics?: Metrics,
  before?: CompiledBefore,
): Compiled {
  const all = {
    ...options,
    dataExists: occupied,
    ...(metrics !== undefined && { onTimer: adderTo(metrics) }),
  };
  const compile = () => (before === undefined ? compileModules({ modules: modulesOf(records), options: all }) : again(before, all));
  const compiled = metrics === undefined ? compile() : metrics.time(timers.moduleCompile, compile);
  if (compiled.diagnostics.length > 0) throw compileErrors(compiled.diagnostics);
  return compiled;
}

/** A function of its own: one made where `before` is in scope would keep that, and what is compiled keeps its options. */
function adderTo(metrics: Metrics): (name: string, nanoseconds: number) => void {
  return (name, nanoseconds) => metrics.add(name, nanoseconds);
}

function modulesOf(records: ReadonlyMap<string, PolicyRecord>): ReadonlyMap<string, Module> {
  return new Map([...records].map(([id, { module }]) => [id, module]));
}

function again({ compiled, changes }: CompiledBefore, options: CompileOptions): Compiled {
  const modules = new Map<string, Module | undefined>();
  for (const [id, record] of changes) if (compiled.modules.get(id)?.parsed !== record?.module) modules.set(id, record?.module);
  return recompileModules(compiled, modules, options);
}
