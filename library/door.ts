/** The exports of the library on every platform. */

export { CompileErrors, type Diagnostic } from '../compiler/diagnostics/diagnostics.js';
export type { CompileCapabilities } from '../compiler/resolve/compile-options.js';
export type { JsonSchema, Schemas, StandardJsonSchema } from '../compiler/schema-options.js';
export type { Bundle } from '../engine/bundle/bundle.js';
export { BundleError } from '../engine/bundle/bundle-error.js';
export { PolicyError } from '../engine/policy-error.js';
export { FilterError, type FilterProblem } from '../engine/query/filters/filter-error.js';
export type { Explanation } from '../engine/query/why/explanation.js';
export { type ExplanationStyle, explanationText } from '../engine/query/why/explanation-text.js';
export type { Policy } from '../ir-schema/plan.js';
export { PlanError } from '../ir-schema/plan-error.js';
export { VerifyError } from '../ir-schema/verify/verify-error.js';
export { EvaluationError } from '../runtime/evaluation/evaluation-errors.js';
export type { EvaluationOptions, Limits } from '../runtime/evaluation/evaluation-options.js';
export {
  arg,
  asyncBuiltin,
  type Builtin,
  type BuiltinBody,
  type BuiltinOptions,
  builtin,
  type Operand,
  type OperandReader,
  relation,
} from '../values/builtins/builtin.js';
export type { BuiltinContext } from '../values/builtins/builtin-context.js';
export { BuiltinError, HaltError } from '../values/builtins/builtin-errors.js';
export type { Json } from '../values/json/json.js';
export { JsonError, parseJson, toJson } from '../values/json/json.js';
export { ExactNumber } from '../values/numbers/number.js';
export { RegoObject } from '../values/object.js';
export { RegoSet } from '../values/set.js';
export * as types from '../values/type.js';
export type { Value } from '../values/value.js';
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
