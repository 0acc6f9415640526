/** Options of a module's decisions. */
import type { EvaluationOptions } from '../../evaluation/options.js';
import type { Value } from '../../values/value.js';
import { ModuleError } from './module-error.js';

export interface ModuleOptions
  extends Pick<
    EvaluationOptions,
    | 'timeMs'
    | 'instructions'
    | 'callDepth'
    | 'strictBuiltinErrors'
    | 'timeNs'
    | 'random'
    | 'onPrint'
    | 'onTrace'
    | 'onNondeterministic'
    | 'onBuiltinError'
  > {
  /** The document that `opa.runtime` answers. */
  readonly runtime?: Value;
}

/** By name, the type that a value must have. A number is a limit, and none is negative. */
const types: Readonly<Record<keyof ModuleOptions, 'number' | 'boolean' | 'function' | 'object' | 'bigint'>> = {
  timeMs: 'number',
  instructions: 'number',
  callDepth: 'number',
  strictBuiltinErrors: 'boolean',
  timeNs: 'bigint',
  random: 'function',
  onPrint: 'function',
  onTrace: 'function',
  onNondeterministic: 'function',
  onBuiltinError: 'function',
  runtime: 'object',
};

/** Throws a ModuleError: a limit that is written wrong must not be none. */
export function checkModuleOptions(options: ModuleOptions): void {
  if (typeof options !== 'object' || options === null) throw new ModuleError('invalid_option', 'options are no object');
  for (const name in options) {
    const value: unknown = options[name as keyof ModuleOptions];
    const type = Object.hasOwn(types, name) ? types[name as keyof ModuleOptions] : undefined;
    if (type === undefined)
      throw new ModuleError('invalid_option', `there is no option ${name}; options are ${Object.keys(types).join(', ')}`);
    if (value === undefined) continue;
    const fits = typeof value === type && value !== null && (type !== 'number' || (value as number) >= 0);
    if (!fits) throw new ModuleError('invalid_option', `option ${name} must be a ${type}, not ${String(value)}`);
  }
}
