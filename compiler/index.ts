/**
 * The door of the compiler: from texts to trees, checked modules and plans, with errors and
 * warnings. Users import `library/integrations/compiler`.
 */
export {
  type AstJson,
  annotationsToJson,
  bodyToJson,
  exprToJson,
  moduleToJson,
  moduleToJsonSteps,
  ruleToJson,
  termToJson,
} from './ast/ast-json.js';
export { compareBodies, compareTerms, setMembers, sortedTermEntries } from './ast/compare-terms.js';
export { equalTerms } from './ast/equal.js';
export { FromInside } from './ast/from-inside.js';
export {
  booleanTerm,
  callExpr,
  callTerm,
  equalityExpr,
  exprBase,
  nullTerm,
  numberTerm,
  operatorRef,
  refPrefix,
  refTerm,
  stringTerm,
  termExpr,
  trueBody,
  varTerm,
} from './ast/make.js';
export {
  documentText,
  functionName,
  isGround,
  isLiteral,
  isRootName,
  isScalar,
  isWildcard,
  pathKeyText,
  plainName,
} from './ast/names.js';
export type {
  AnnotationScope,
  Annotations,
  Body,
  BooleanTerm,
  CallExpr,
  CallTerm,
  Comment,
  CompileAnnotation,
  Comprehension,
  EveryExpr,
  Expr,
  Import,
  LogicalExpr,
  Module,
  Node,
  NumberTerm,
  ObjectEntry,
  ObjectTerm,
  Package,
  Ref,
  RefTerm,
  RegoVersion,
  Rule,
  RuleHead,
  ScalarTerm,
  SchemaAnnotation,
  SomeExpr,
  StringTerm,
  Term,
  TermExpr,
  VarTerm,
  With,
} from './ast/nodes.js';
export { type AuthorVariable, isVagueKey, type Origins, type ReplacedVariable, termKey } from './ast/origins.js';
export { badPath, dataPath, dataPathsIn, isRoot, leadingKeys, replacedPath, stringKeys } from './ast/paths.js';
export { printBody, printImport, printModule, printRef, printRule, printTerm, reserved } from './ast/print.js';
export { varsOf } from './ast/vars.js';
export { forEachChild, innerBodies, mapExprChildren, mapList, mapTermChildren, walk } from './ast/walk.js';
export { checkTypes } from './check/check-types.js';
export { Types } from './check/rule-types.js';
export { isSkippedTest, isTestHead, nameOfKey, testNames, testRef } from './check/test-heads.js';
export { BodyChecker } from './check/typing/body.js';
export { jsonOfTerm } from './check/typing/constant-terms.js';
export { typeOfBuiltin } from './check/typing/declared-types.js';
export { Globals, TypeScope } from './check/typing/env.js';
export { PossibleBodies } from './check/typing/possible.js';
export { signatureText, typeText } from './check/typing/print-type.js';
export { RuleSchemas, schemaName } from './check/typing/schemas.js';
export { TypeTree } from './check/typing/tree.js';
export type { FunctionType, ObjectType, Type } from './check/typing/type.js';
export { CompileOptionError, type CompileRequest, compile } from './compile.js';
export { CompileErrors, type Diagnostic, Diagnostics, diagnose, type Hint } from './diagnostics/diagnostics.js';
export {
  type Excerpt,
  type ExcerptStyle,
  excerptLines,
  excerptOf,
  excerptOfDiagnostic,
  markedSpan,
} from './diagnostics/excerpt.js';
export { compileErrors, diagnosticToJson, expectations, renderDiagnostic } from './diagnostics/render.js';
export { codesOfNames, pageOf, warningTable } from './diagnostics/warning-table.js';
export type { Warning } from './diagnostics/warnings.js';
export {
  annotatedEntrypoints,
  checkEntrypoints,
  dependents,
  distinctEntrypoints,
  type Entrypoint,
  packageSegments,
  parseEntrypoint,
  requestsFor,
  rulesAtPath,
  undefinedEntrypoint,
} from './entrypoints.js';
export { FormatError, formatModule, formatParsed, formatText } from './format/format.js';
export type { FormatOptions } from './format/format-options.js';
export { closest } from './hints/closest.js';
export type { Mend } from './hints/habits.js';
export { hintOf, hintsOf } from './hints/hints.js';
export { mendOf } from './hints/mends.js';
export { errorParagraphs, type ShownError, shownDiagnostic } from './hints/paragraphs.js';
export { withAuthorsPlaces } from './optimize/authors-places.js';
export { countStatements } from './optimize/map-bodies.js';
export { type OnPass, type OptimizationLevel, optimize } from './optimize/pipeline.js';
export { compileModules, compileOrThrow, compileQuery, compileQuerySteps, compileSteps } from './pipeline.js';
export { type DebugInfoOptions, debugInfo } from './plan/debug-info.js';
export { PlanInputs } from './plan/documents/plan-inputs.js';
export { VirtualDocuments } from './plan/documents/virtual-documents.js';
export { local } from './plan/emit/emit.js';
export { Environment } from './plan/environment.js';
export { type PlanOptions, type PlanRequest, plan, planSteps, type QueryReplacement } from './plan/planner.js';
export { type Probes, probeName, probeValuesName } from './plan/probes.js';
export { recordedOrigins } from './plan/recorded-origins.js';
export type { QueryContext } from './query-stages.js';
export { recompile, recompileConditions, recompileSteps } from './recompile.js';
export { type AnnotatedRule, type AnnotationSet, annotationChain } from './resolve/annotation-set.js';
export { type BuiltinDeclaration, BuiltinTable, builtinName } from './resolve/builtin-table.js';
export type { CompileCapabilities, CompileOptions } from './resolve/compile-options.js';
export type { Compiled, CompiledQuery } from './resolve/compiled.js';
export { type CompiledModule, type CompiledRule, ruleKind } from './resolve/compiled-rule.js';
export {
  isAssignment,
  isComprehension,
  isEquality,
  isOperator,
  wasAssignment,
} from './resolve/expression-kinds.js';
export { headKeys } from './resolve/head-keys.js';
export { exportsOf, importName, packageKey } from './resolve/imports.js';
export { elseChain, mapLinks } from './resolve/links.js';
export { captureMark, isGeneratedName, shownName } from './resolve/local-names.js';
export { narrowedDocument } from './resolve/narrowed.js';
export {
  childNames,
  childOf,
  constantKeys,
  groundPrefix,
  keyOfString,
  keyOfTerm,
  packageKeys,
  type RuleTree,
  rulesAt,
  rulesRead,
} from './resolve/tree.js';
export { VersionedMap } from './resolve/versioned-map.js';
export { documentAt, knownDocument, type RuleDocument, type VirtualDocument } from './resolve/virtual-document.js';
export { generatedCall } from './rewrite/bodies.js';
export { type Captured, captureValues } from './rewrite/capture.js';
export { emptyParts } from './rule-index/empty-parts.js';
export { indexBody } from './rule-index/guards.js';
export { inIndexOrder } from './rule-index/order.js';
export { guardBuiltins, type IndexContext } from './rule-index/questions.js';
export { commonKeys, matchesKeys } from './rule-index/rule-keys.js';
export { type JsonSchema, type Schemas, type StandardJsonSchema, schemaDocuments } from './schema-options.js';
export { type Location, locationOf, nowhere, Span } from './source/location.js';
export { withParentheses } from './source/parentheses.js';
export { type Position, Source } from './source/source.js';
export { lex } from './syntax/lexer.js';
export { parseModule, parseModuleSteps } from './syntax/parse.js';
export type { ParseOptions, SyntaxCapabilities } from './syntax/parse-options.js';
export { parseQuery, parseQuerySteps, parseRef, parseTerm, soleTerm } from './syntax/query.js';
export {
  LeftBrace,
  LeftBracket,
  LeftParen,
  RightBrace,
  RightBracket,
  RightParen,
  type TokenType,
  versionOneKeywords,
} from './syntax/tokens.js';
export { checkVersionOne } from './syntax/version-one.js';
export { type Directives, directivesOf, isIgnored } from './warnings/directives.js';
export { findQueryWarnings, findWarningSteps, findWarnings } from './warnings/find-warnings.js';
export { loadPatterns } from './warnings/rules/invalid-patterns.js';
export type { SilentCode, WarningScope } from './warnings/warning-scope.js';
