/** The door of the plan format: its types, its validation, and facts that a plan alone shows. */
export {
  type AddressedOwner,
  type AddressedStatement,
  Addresses,
  addressedOwners,
  hasNumberedBlocks,
  splitAddress,
} from './address.js';
export { BaseLookups, indexOfText, isTextKey } from './base-lookups.js';
export {
  constantFunction,
  constantFunctions,
  knownConstant,
  withConstant,
  withoutKnownBodies,
} from './constant-functions.js';
export { constantsOf } from './constants.js';
export { DebugIndex, type IndexedExpression, type IndexedStatement } from './debug-index.js';
export {
  type DebugExpression,
  type DebugInfo,
  type DebugName,
  type DebugOwner,
  type DebugRange,
  type DebugReason,
  type DebugReplaced,
  type DebugRule,
  type DebugRun,
  type DebugSource,
  type DebugVariable,
  debugReasons,
} from './debug-info.js';
export { readDebugInfo } from './debug-info-reader.js';
export { alwaysGoesOn, effectsOf, isLocalOperand, localsOf, makesValue, mutatedBy } from './effects.js';
export { exposedReads, LocalUses } from './local-uses.js';
export { madeLocals, mutatedForeignLocals } from './made-locals.js';
export { maxBlockDepth } from './nesting.js';
export { ownConflictAt } from './own-conflicts.js';
export type {
  Block,
  BuiltinFunc,
  DotStmt,
  Func,
  Location,
  Operand,
  Plan,
  Policy,
  Statements,
  Static,
  Stmt,
  StmtType,
  StringConst,
  UnplannedRule,
} from './plan.js';
export { PlanError } from './plan-error.js';
export { fileNames, queryFile } from './query-file.js';
export { scalarConstant } from './scalar-constant.js';
export { type PlaceText, placeText, rangedPlace, StatementText } from './statement-text.js';
export { UnknownMembers } from './unknown-members.js';
export { loadPlan } from './validate.js';
export type { Signature } from './verify/body-verifier.js';
export { findFaults, verify } from './verify/verify.js';
export { VerifyError } from './verify/verify-error.js';
export { blocksOf, countBlockStatements, walkBlocks, walkStatements } from './walk.js';
