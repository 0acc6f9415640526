/** Options of a module's decisions. */

import type { Value } from '../../../values/index.js';
import type { EvaluationOptions } from '../../evaluation/evaluation-options.js';
import { checkOptionTypes, type OptionTypes } from '../../evaluation/option-types.js';
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

const types: OptionTypes<ModuleOptions> = {
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

/** Throws a ModuleError for an unknown option, or a value of a wrong type. */
export function checkModuleOptions(options: ModuleOptions): void {
  checkOptionTypes(options, types, refused);
}

function refused(message: string): ModuleError {
  return new ModuleError('invalid_option', message);
}
