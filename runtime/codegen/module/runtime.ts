/**
 * The runtime of modules. The build bundles this file and takes its tables apart
 * (`scripts/build/module-units.ts`), so that a module contains only the members that it needs.
 */
import { ExactNumber, families, mayCost, portableCrypto, RegoObject, RegoSet } from '../../../values/index.js';
import { callAny, failed } from '../../evaluation/builtin-calls.js';
import { EvaluationError } from '../../evaluation/evaluation-errors.js';
import { linkedBuiltin } from '../../evaluation/linked-builtin.js';
import { conflict, tooDeep } from '../../vm/located.js';
import { dynamicCalls, RuleTable } from '../generated.js';
import { support } from '../support.js';
import { LivePolicy } from './live-policy.js';
import { ModuleError } from './module-error.js';
import { ModulePolicy } from './module-policy.js';

/** The names that the text of a module may use. */
const library = {
  callAny,
  conflict,
  dynamicCalls,
  EvaluationError,
  ExactNumber,
  failed,
  linkedBuiltin,
  LivePolicy,
  mayCost,
  ModuleError,
  ModulePolicy,
  portableCrypto,
  RegoObject,
  RegoSet,
  RuleTable,
  tooDeep,
};

export type LibraryName = keyof typeof library;

export const moduleTables: Readonly<Record<'families' | 'library' | 'support', object>> = {
  families,
  library,
  support,
};
