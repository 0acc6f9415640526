/**
 * The door of the runtime: from a plan to a decision, on the register VM and as generated
 * JavaScript.
 */
export { assemble, assembleLazily, assembleListed, assembleSteps } from './bytecode/assemble.js';
export { instructionsOf } from './bytecode/code-walk.js';
export { listInstructions } from './bytecode/listing.js';
export { Op } from './bytecode/opcodes.js';
export { packProgram } from './bytecode/pack.js';
export { instructionPlace, type Program, type ProgramFunction } from './bytecode/program.js';
export { JavaScriptListing } from './codegen/javascript-listing.js';
export { link, linkCold, linkLoaded, loadLibraries } from './codegen/link.js';
export {
  type EntrypointTree,
  entrypointTree,
  exportTree,
  type ModuleExports,
  type ModuleFormat,
  namedExports,
} from './codegen/module/module-exports.js';
export { type ModuleRequest, moduleText } from './codegen/module/module-text.js';
export type { ModuleUnits, StoredUnits } from './codegen/module/module-units.js';
export { mappedText, type SourceMap } from './codegen/module/source-map.js';
export { packExecutable, unpackExecutable } from './codegen/packed-executable.js';
export { AnswerRecord, answerKey } from './evaluation/answer-record.js';
export { ArrayIndex, ArrayIndexes } from './evaluation/array-indexes.js';
export { call1, call2, callAny } from './evaluation/builtin-calls.js';
export type { CodegenMode, EngineContext } from './evaluation/engine-context.js';
export { Evaluation, EvaluationPool } from './evaluation/evaluation.js';
export {
  EvaluationError,
  outOfMemory,
  preemptedCode,
  type StackEntry,
  Suspension,
  withoutWaiting,
} from './evaluation/evaluation-errors.js';
export {
  type EvaluationOptions,
  type Limits,
  type MeasuredOptions,
  noOptions,
} from './evaluation/evaluation-options.js';
export { type Executable, type PlanIndex, resultOf, type StandingDecision } from './evaluation/executable.js';
export { KeptResults } from './evaluation/kept-results.js';
export { type LinkedBuiltin, linkedBuiltin } from './evaluation/linked-builtin.js';
export { locate, maxStackEntries } from './evaluation/locate.js';
export { mayGenerate } from './evaluation/may-generate.js';
export { Meter } from './evaluation/meter.js';
export { checkOptionTypes, type OptionTypes } from './evaluation/option-types.js';
export type { StatementPlace } from './evaluation/place.js';
export { StandIn } from './evaluation/stand-in.js';
export { wallClockNs } from './evaluation/wall-clock.js';
export { baseAt } from './operations/base-lookup.js';
export { checkUnique, insert } from './operations/insert.js';
export { lengthOf } from './operations/length.js';
export { merge } from './operations/merge.js';
export { withValueAt } from './operations/with-value.js';
export { MemoryStore } from './store/memory-store.js';
export { isDocumentObject, type Path, pointerSegments, readPath, storePathText } from './store/path.js';
export type { DataOperation, Documents, HeldVersion, Store, Transaction } from './store/store.js';
export { StoreError } from './store/store-errors.js';
export { MachineFrame, MachineLevel } from './vm/machine-stack.js';
export type { MachineState } from './vm/machine-state.js';
export { interpretPlan, interpretTables } from './vm/plan-interpreter.js';
export { PlanMachine } from './vm/plan-machine.js';
export { type InterpretOptions, PlanTables, type ReadLocals, type StatementObserver } from './vm/plan-tables.js';
export { PlanTrace, PlanTraceFull } from './vm/plan-trace.js';
