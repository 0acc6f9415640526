/** What is redone when policies change: everything. Parsed modules are kept by whoever holds the records. */

import { compileOrThrow } from '../../compiler/pipeline.js';
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

/** All policies compiled, with these documents beside them. Throws CompileErrors. */
export function recompile(
  records: ReadonlyMap<string, PolicyRecord>,
  occupied: Occupied,
  options: CompileOptions,
  metrics?: Metrics,
): Compiled {
  const modules = new Map([...records].map(([id, { module }]) => [id, module]));
  const compile = () =>
    compileOrThrow({
      modules,
      options: {
        ...options,
        dataExists: occupied,
        ...(metrics !== undefined && { onTimer: (name: string, nanoseconds: number) => metrics.add(name, nanoseconds) }),
      },
    });
  return metrics === undefined ? compile() : metrics.time(timers.moduleCompile, compile);
}
