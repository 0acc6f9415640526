/**
 * The door of the engine: policies and data in versions, bundles, queries, and the one question.
 * Nothing in it needs Node.
 */
export {
  type AnswerNotes,
  type Asker,
  type AskerFields,
  Asking,
  type AskWays,
  ask,
  type LoggedAnswer,
  type RuleLabels,
  recordedAnswers,
  withLabels,
} from './asking/asking.js';
export {
  type DecisionFacts,
  type DecisionLog,
  type Hold,
  type LabelSearch,
  nothingToHold,
} from './asking/decision-record.js';
export { errorJson, evaluationErrorJson, type LoggedQuestion } from './asking/logged-question.js';
export { buildInfo, systemDocument } from './build-info.js';
export { type BundleFile, type Inflate, isGzip, tooLarge } from './bundle/archive/archive.js';
export { type BundleLimits, defaultLimits } from './bundle/archive/limits.js';
export { readTar, TarError } from './bundle/archive/tar.js';
export {
  type Bundle,
  emptyBundle,
  type ModuleFile,
  type PlanFile,
  type SignaturesConfig,
  type WasmFile,
} from './bundle/bundle.js';
export { BundleError } from './bundle/bundle-error.js';
export { cleanPath, debugInfoPath, dirName, joinPath, policyName } from './bundle/bundle-paths.js';
export { type BundleSource, type FetchedBundle, fetchBundle, watchSources } from './bundle/bundle-source.js';
export type { TakeMemory } from './bundle/data-files.js';
export { mergeDocuments, readAt, treeDocumentAt } from './bundle/data-trees.js';
export { debugInfoBytes, debugInfoOf } from './bundle/debug-info-file.js';
export { pathGlob } from './bundle/glob.js';
export { emptyManifest, type Manifest, manifestValue, regoVersionOf } from './bundle/manifest.js';
export { mergeBundles, type NamedBundle } from './bundle/merge-bundles.js';
export { packagePathIn } from './bundle/package-path.js';
export { isPlanText, planAlone } from './bundle/plan-alone.js';
export { type ReadOptions, readArchive, readFiles } from './bundle/read.js';
export { rootsOwn } from './bundle/roots.js';
export { SignatureError } from './bundle/signature/signature-error.js';
export { type SigningConfig, signFiles } from './bundle/signature/signing.js';
export { algorithmOf, noPem, signingKey } from './bundle/signature/signing-key.js';
export type { KeyConfig, VerificationConfig } from './bundle/signature/token.js';
export { verifySignatures } from './bundle/signature/verification.js';
export { bundleFiles, planBytes, writeBundle } from './bundle/write.js';
export type { Change, CommitOptions } from './change.js';
export { defaultDecision } from './default-decision.js';
export { Engine } from './engine.js';
export type { EngineOptions } from './engine-options.js';
export { type KnownAnswers, Waiting } from './evaluation/awaited-answers.js';
export { decideEach } from './evaluation/batch-turns.js';
export type { Caller, Decided, DecideOptions, QueryOptions } from './evaluation/decide-options.js';
export { type EvaluationTarget, evaluateAsync, sized, targetOf } from './evaluation/evaluate.js';
export { Evaluator } from './evaluation/evaluator.js';
export { evaluateBeside } from './evaluation/in-threads.js';
export { Metrics, timers } from './evaluation/metrics.js';
export { NdBuiltinCache } from './evaluation/nd-builtin-cache.js';
export { NotedAnswers } from './evaluation/noted-answers.js';
export type { PartialQuery } from './evaluation/partial-query.js';
export {
  endsEvaluation,
  type PlanRunOptions,
  type RunSetting,
  runTables,
  type TracedPlan,
} from './evaluation/plan-trace.js';
export { captured, type QuerySolution, queryResults } from './evaluation/query-results.js';
export { evaluateInSlices } from './evaluation/sliced-evaluation.js';
export { isSolutionNumber, numbered, solutionNumber } from './evaluation/solutions.js';
export type { Trace, TraceOptions } from './evaluation/trace.js';
export type { TracedQuestion } from './evaluation/trace-question.js';
export { withPlainObjects } from './evaluation/walked-plan.js';
export { type Filtered, filter, withoutMaskRule } from './filters/filter.js';
export { filterAnswer, filterFields } from './filters/filter-answer.js';
export { loadEntrypoints, type PlanLoading } from './load-program.js';
export { Entrypoints } from './paths/entrypoints.js';
export { missingIn, missingName, missingText } from './paths/missing-path.js';
export { PathCache } from './paths/path-cache.js';
export { partOf } from './paths/path-parts.js';
export { planProgram, programOf, type Surroundings } from './plan-program.js';
export type { Platform, ReadBundleOptions, Threads } from './platform.js';
export { moduleVersion, parseBundleModule } from './policies/bundles/bundle-modules.js';
export { checkWasmRules } from './policies/bundles/wasm-check.js';
export { wasmWithoutRules } from './policies/bundles/wasm-entrypoints.js';
export { parseOptions, type Reading } from './policies/language.js';
export { policyId } from './policies/policy-draft.js';
export { type SourcesBeside, sourcesOf } from './policies/sources-of.js';
export { PolicyError } from './policy-error.js';
export { Prepared } from './prepared.js';
export { PreparedProgram } from './prepared-program.js';
export { FilterError, type FilterProblem } from './query/filters/filter-error.js';
export type { FilterHint } from './query/filters/hints.js';
export { MappingError, NamedTarget } from './query/filters/mappings.js';
export { type PrismaWhere, prismaWhere } from './query/filters/prisma.js';
export { parameterized } from './query/filters/sql/parameters.js';
export { sqlParts, sqlText } from './query/filters/sql/write.js';
export { type FilterLanguage, type SqlDialect, targets, type UcastVariant } from './query/filters/targets.js';
export { ucastOf } from './query/filters/ucast.js';
export { type PartialResult, partialDocument } from './query/partial/partial.js';
export { AuthorVariables } from './query/partial/residual/author-variables.js';
export { keywordImports, operatorSources, residualModule, writtenBody } from './query/partial/residual/source.js';
export { isRuleName } from './query/partial/residual/support-modules.js';
export type { OnPlug } from './query/plug-timer.js';
export { termOfValue } from './query/trace/value-term.js';
export { type ComplaintFinder, prepareComplaints, type WhyComplaint } from './query/why/complaints.js';
export type { GivenAnswer } from './query/why/explaining.js';
export type { DocumentWhy, Explanation, RuleWhy, SourceLocation } from './query/why/explanation.js';
export { type ExplanationStyle, explanationText, failureText } from './query/why/explanation-text.js';
export { inputPathText } from './query/why/input-path.js';
export { Secrets, shownValue } from './query/why/shown-values.js';
export type { ExplainedQuestion } from './query/why/why.js';
export { SerialQueue } from './serial-queue.js';
export { createContext, type SharedContext } from './shared-context.js';
export type { ChoreReport } from './threads/chores.js';
export { EvaluationWorker } from './threads/evaluation-worker.js';
export type { EvaluationJob, EvaluationReport, ThreadData } from './threads/messages.js';
export { ThreadPool } from './threads/pool.js';
export type { ThreadPlatform } from './threads/thread-platform.js';
export type { ActiveBundle, PolicyRecord, Version } from './version.js';
export { ReadTree } from './watches/read-tree.js';
export { recordedInput } from './watches/recorded-documents.js';
export { Watch } from './watches/watch.js';
export type { Notification } from './watches/watch-source.js';
export { Watches } from './watches/watches.js';
export { MaskError, type MaskRule, maskRules } from './why/mask-rules.js';
export { maskedPaths } from './why/masked-paths.js';
export { explainAnswer, notedAnswers } from './why/why-answer.js';
export {
  type Deciding,
  type ExplainedOptions,
  type ExplainedQuery,
  explainDecision,
  type WhyDecision,
} from './why/why-decision.js';
