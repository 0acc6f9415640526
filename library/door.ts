/** The exports of the library on every platform. */

export type { CompileCapabilities, JsonSchema, Schemas, StandardJsonSchema } from '../compiler/index.js';
export { CompileErrors, type Diagnostic } from '../compiler/index.js';
export type { Bundle, Explanation } from '../engine/index.js';
export {
  BundleError,
  type ExplanationStyle,
  explanationText,
  FilterError,
  type FilterProblem,
  PolicyError,
} from '../engine/index.js';
export type { Policy } from '../ir-schema/index.js';
export { PlanError, VerifyError } from '../ir-schema/index.js';
export type { EvaluationOptions, Limits } from '../runtime/index.js';
export { EvaluationError } from '../runtime/index.js';
export type { BuiltinContext, Json, Value } from '../values/index.js';
export {
  arg,
  asyncBuiltin,
  type Builtin,
  type BuiltinBody,
  BuiltinError,
  type BuiltinOptions,
  builtin,
  ExactNumber,
  HaltError,
  JsonError,
  type Operand,
  type OperandReader,
  parseJson,
  RegoObject,
  RegoSet,
  relation,
  toJson,
  types,
} from '../values/index.js';
export type { AsyncDecisionOptions, DecisionCaller, DecisionOptions } from './decision-options.js';
export type { EngineOptions } from './engine-options.js';
export { EngineError, type EngineErrorCode } from './errors/engine-error.js';
export type {
  FilterFor,
  FilterMappings,
  FilterOptions,
  FilterTarget,
  PrismaFilter,
  SqlFilter,
  UcastFilter,
} from './filters/filter-options.js';
export type { PartialDecision, PartialOptions } from './partial/partial-decision.js';
export type { PatchOperation } from './paths/document-patch.js';
export type { BatchedDecision, PreparedDecision } from './prepared-decision.js';
export type { PolicySources, Source } from './sources/sources.js';
export type { Decision } from './types/decision.js';
export type { Decisions } from './types/decision-map.js';
export type { WatchedDecision } from './watches/watched-decisions.js';
export type { ExplainedDecision, ExplainOptions } from './why.js';
