/**
 * The door of views: what people look at. Listings, recordings, debug sessions, lint, tests of
 * configuration files, differences of versions, mutants, and the service behind editors.
 */
export { compareVersions } from './change/compare-versions.js';
export { type LoggedEvent, readEvent } from './change/events/logged-event.js';
export {
  type EventBatches,
  type EventPlace,
  eventsOf,
  givenEvents,
  type PlacedEvent,
  type ReadEvent,
} from './change/events/read-events.js';
export { inputSchemaAt } from './change/input-schema.js';
export { changeGithub, changeSarif } from './change/outputs/annotations.js';
export { changeMarkdown } from './change/outputs/markdown.js';
export { changePretty } from './change/outputs/pretty.js';
export { type PolicyVersion, type VersionPair, versionsAnswer } from './change/policy-version.js';
export type { ChangeReport, LogProblem, ProofReport } from './change/report.js';
export { type InputFilter, inputsOf, NoInputOfSchema } from './change/search/made-inputs.js';
export { PolicyInputs } from './change/search/policy-inputs.js';
export { shrunk } from './change/search/shrink.js';
export type { DebugProgram, SourceText } from './debug/debug-program.js';
export { openSession } from './debug/open-session.js';
export { type DebugSurroundings, planDebugProgram, queryProgram, type WrittenPolicies } from './debug/programs.js';
export { openServerSession } from './debug/server-session.js';
export {
  type Breakpoint,
  type BreakpointPlace,
  type BreakpointRequest,
  DebugError,
  type DebugFrame,
  type DebugOutput,
  type DebugScope,
  type DebugSession,
  type DebugStatement,
  type EvaluatedExpression,
  type ExceptionFilter,
  type Granularity,
  type Launch,
  type LaunchArguments,
  type ScopeName,
  type SessionFilter,
  type SessionOptions,
  type SessionOutcome,
  type SessionSource,
  type SessionVariable,
  type Stop,
  type TextRange,
  unboundText,
  undefinedText,
} from './debug/session.js';
export { newsLines } from './debug/step-news.js';
export { type BlockGraph, blockGraph, dotString, graphDot } from './inspect/block-graph.js';
export { CallGraph } from './inspect/call-graph.js';
export { callersText, callsText } from './inspect/calls-view.js';
export { type CodeLine, textOfLines } from './inspect/code-line.js';
export { columnWidths, widest } from './inspect/columns.js';
export { diffPlans, diffText } from './inspect/diff/plan-diff.js';
export { type ListedRow, sideBySide } from './inspect/diff/side-by-side.js';
export { explainPasses, PassRecorder } from './inspect/passes.js';
export {
  parsePlace,
  placedAt,
  placesOf,
  type StatementAtPlace,
  statementsAt,
  type WantedPlace,
} from './inspect/places.js';
export { listingLines, namesText } from './inspect/plan-listing.js';
export { PlanView } from './inspect/plan-view.js';
export { type OverlaidCounts, overlaid } from './inspect/profile-overlay.js';
export { codeLines, scriptLines } from './inspect/program-view.js';
export { selectOwners, UnknownName } from './inspect/selection.js';
export { fittingTest, isSameFile, type SourceLines, sourceLines } from './inspect/source-view.js';
export { stringsText } from './inspect/strings-view.js';
export { type KnownRule, unplannedText } from './inspect/unplanned.js';
export { engines, isNote, type PlanProblem } from './inspect/verify/problem.js';
export { problemsText, type VerifyOptions, verifyPlan } from './inspect/verify/verify-plan.js';
export { LanguageServer } from './language/connection/language-server.js';
export type { Message, Send } from './language/connection/messages.js';
export { RpcConnection } from './language/connection/rpc.js';
export { testHolds } from './language/evaluation/test-value.js';
export type { WorkspaceHost } from './language/workspace/host.js';
export { type LintConfig, LintConfigError, noConfig, readLintConfig } from './lint/config/lint-config.js';
export { compactTree } from './lint/custom/compact-tree.js';
export { libraryModules, settingsRoot } from './lint/custom/library.js';
export type { OwnRule, OwnRules, Violation } from './lint/custom/own-rules.js';
export { ruleSchemas } from './lint/custom/rule-schemas.js';
export type { FixedFile } from './lint/fix/fix.js';
export { documentationOf } from './lint/frame/documentation.js';
export type { Finding, LintReport, Notice } from './lint/frame/finding.js';
export type { LintRule } from './lint/frame/lint-rule.js';
export type { CachedFile, LintCache, LintOptions, LintSource } from './lint/frame/lint-source.js';
export { readModule } from './lint/frame/read-module.js';
export { type RuleFlags, settingOf } from './lint/frame/settings.js';
export { compilerRules } from './lint/rules/writ.js';
export { findMutants } from './mutation/find-mutants.js';
export { type Mutant, mutatedText, mutationOperators } from './mutation/mutant.js';
export { mutationReport } from './mutation/mutation-report.js';
export { type MutantResult, type MutantStatus, type MutationResult, type Score, scoreOf } from './mutation/result.js';
export { scalarPath } from './mutation/rule-path.js';
export { chromeTrace, cpuProfile, speedscope } from './recording/flame.js';
export { type LineState, lineStates } from './recording/line-states.js';
export { ObservedPolicy, observedRun } from './recording/observed-run.js';
export { eventNames, type PlanEvent } from './recording/plan-events.js';
export { type ProfileDocument, type ProfiledRun, profileFormat, profileVersion } from './recording/profile-document.js';
export { type ProfiledPlan, profilePlans } from './recording/profile-plans.js';
export type { PlanProfileReport } from './recording/profile-report.js';
export type { ReadProfile } from './recording/read-profile.js';
export { readRecording } from './recording/read-recording.js';
export { type PlanRun, recordPlan } from './recording/record.js';
export type { RecordedRun, Recording } from './recording/recording.js';
export { ValueTexts } from './recording/value-texts.js';
export { type CheckSettings, NamespaceCheck } from './verify/check.js';
export { TextLines } from './verify/formats/lines.js';
export { readText } from './verify/formats/read-text.js';
export { isMatch, MissingNamespaceError, type Namespaces } from './verify/gatekeeper/match.js';
export {
  listOf,
  memberAt,
  type Resource,
  resourceError,
  resourcesOf,
  resourceText,
  textAt,
} from './verify/gatekeeper/resources.js';
export { inventoryOf, reviewOf } from './verify/gatekeeper/review.js';
export { isConstraint, isTemplate, type Template, templateOf } from './verify/gatekeeper/templates.js';
export type { NumberMode } from './verify/numbers.js';
export { resultsAzure } from './verify/outputs/azuredevops.js';
export { resultsGator } from './verify/outputs/gator.js';
export { resultsGithub } from './verify/outputs/github.js';
export { resultsJson } from './verify/outputs/json.js';
export { resultsJunit } from './verify/outputs/junit.js';
export { resultsWithPlaces } from './verify/outputs/places.js';
export { resultsSarif } from './verify/outputs/sarif.js';
export { resultsStandard, tracesText } from './verify/outputs/standard.js';
export { resultRows, splitRows, tableTitles } from './verify/outputs/table.js';
export { resultsTap } from './verify/outputs/tap.js';
export { FailurePlaces, type SourceOf } from './verify/places/placing.js';
export { mayAskForFile, withoutRules } from './verify/policy-data.js';
export { type CheckResult, exitCodeOf, joined, type Result, resultsOf } from './verify/results.js';
export { checkedRules, namespaceOf, namespacesOf } from './verify/rule-names.js';
