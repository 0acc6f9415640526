/**
 * The stages of the compiler as an ordered table. A stage with an error that is not recoverable
 * stops the stages after it. Stages that work on one module, rule or link depend on other modules
 * only through the rule tree and the names that packages export; the other stages use all modules
 * and are in compilation.ts. Look-ups in the rule tree are recorded, so that a later change redoes
 * the modules that depend on it: see recompile.ts.
 */

import { allAtOnce, isStackOverflow, type Steps } from '../values/index.js';
import type { Body, Rule } from './ast/nodes.js';
import { checkDeprecatedBuiltins, checkUnsafeBuiltins } from './check/builtin-calls.js';
import { checkFunctions, checkVoidCalls } from './check/check-functions.js';
import { checkHeadSafety, orderLink } from './check/safety.js';
import { checkRuleOverrides } from './check/strict.js';
import { Compilation } from './compilation.js';
import { Diagnostics } from './diagnostics/diagnostics.js';
import { compileErrors } from './diagnostics/render.js';
import { hintsOf } from './hints/hints.js';
import { type QueryContext, type QueryState, queryStages } from './query-stages.js';
import { BuiltinTable } from './resolve/builtin-table.js';
import type { CompileInput } from './resolve/compile-options.js';
import type { Compiled, CompiledQuery } from './resolve/compiled.js';
import { readsOfRule } from './resolve/graph.js';
import { checkImports } from './resolve/imports.js';
import { mapLinks } from './resolve/links.js';
import { LocalNames } from './resolve/local-names.js';
import { resolveModule } from './resolve/resolve-module.js';
import { rewriteLocals } from './resolve/rule-locals.js';
import type { Context, WorkingModule } from './resolve/working-module.js';
import { rewriteCalls } from './rewrite/calls.js';
import { linkRewriter } from './rewrite/closures.js';
import { comprehensionHeads } from './rewrite/comprehensions.js';
import { cutDeepTerms } from './rewrite/deep-terms.js';
import { rewriteDynamicTerms } from './rewrite/dynamic-terms.js';
import { equals } from './rewrite/equality.js';
import { rewriteHeadRef, rewriteRefsInHead } from './rewrite/heads.js';
import { rewriteMetadataCalls } from './rewrite/metadata-calls.js';
import { rewritePrintsInLink } from './rewrite/print-calls.js';
import { rewriteTemplatesInLink } from './rewrite/templates.js';
import { captureTestValues } from './rewrite/test-values.js';
import { rewriteWith } from './rewrite/with.js';
import type { Span } from './source/location.js';
import type { Filter, ModuleWork, Stage } from './stage.js';
import {
  eachLink,
  eachLinkWith,
  eachModule,
  eachPart,
  eachRule,
  hasWord,
  moduleStage,
  runJoined,
  runStages,
  stage,
  throughModules,
} from './stage.js';

function isVersionOne(module: WorkingModule, { options }: Context): boolean {
  return options.strict === true || module.parsed.regoVersion !== 'v0';
}

const resolveRefs: ModuleWork = function* (module, compilation) {
  const context = compilation.context(module);
  module.current = module.current.map((rule) => mapLinks(rule, (link) => cutDeepTerms(link, context)));
  module.current = yield* resolveModule(module, compilation.exports(module), context);
  yield;
};

const rewriteHeadRefs = eachModule((module, context) => {
  module.current = module.current.map((rule) => rewriteHeadRef(rule, context));
});

const checkOverrides = eachModule((module, context) => {
  if (isVersionOne(module, context)) checkRuleOverrides(module.current, context, module.matches(assignsRoot));
});

const capturesTests: Filter = (module, { options }) => options.captureTestValues === true && module.mentions('test_');

const forbidsBuiltins: Filter = (_, { options }) => (options.unsafeBuiltins?.size ?? 0) > 0;

/**
 * Matches a text that may assign to `input` or `data`. To walk all trees for that, and for
 * deprecated calls, takes a third of the time in which modules compile.
 */
const assignsRoot = /\b(?:input|data)(?:[\s)]|#.*)*:=|\bassign\b/;

const callsPrints = hasWord('print');

/** Whether the text contains a call of a deprecated built-in. */
function callsDeprecated(module: WorkingModule, context: Context): boolean {
  const { deprecatedCall } = context.builtins;
  return deprecatedCall !== undefined && isVersionOne(module, context) && module.matches(deprecatedCall);
}

const rewriteMetadata: ModuleWork = function* (module, compilation) {
  if (!module.mentions('metadata')) return;
  const context = compilation.context(module);
  for (const rule of module.rules) {
    rule.rule = mapLinks(rule.rule, (link) => rewriteMetadataCalls(link, rule, compilation.annotations, context));
  }
  yield;
};

function unlessAllowed(check: ModuleWork): ModuleWork {
  return function* (module, compilation) {
    if (compilation.options.allowUndefinedFunctions !== true) yield* check(module, compilation);
  };
}

const headSafety = (link: Rule, context: Context): Rule => {
  checkHeadSafety(link, context);
  return link;
};

const setReads: ModuleWork = function* ({ rules }) {
  for (const rule of rules) {
    rule.reads = readsOfRule(rule.rule);
    yield;
  }
};

/** The stages for modules, in the order and with the names of the reference. */
export const stages: readonly Stage<Compilation>[] = [
  moduleStage('resolve_refs', resolveRefs), // every later stage reads full paths
  // the rule tree needs refs of variables and scalars
  moduleStage('rewrite_rule_head_refs', rewriteHeadRefs),
  moduleStage('check_keyword_overrides', checkOverrides),
  moduleStage('check_imports', eachModule(checkImports)),
  stage('set_module_tree', (compilation) => compilation.setModuleTree()),
  stage('set_rule_tree', (compilation) => compilation.setRuleTree()),
  moduleStage('rewrite_local_vars', eachRule(rewriteLocals)),
  // unbound variables have their final names
  moduleStage('rewrite_template_strings', eachLink(rewriteTemplatesInLink, hasWord('$'))),
  moduleStage('check_void_calls', eachPart(checkVoidCalls, callsPrints)),
  moduleStage('rewrite_print_calls', eachLink(rewritePrintsInLink, callsPrints)),
  moduleStage('rewrite_expr_terms', eachLink(rewriteCalls)),
  stage('set_annotationset', (compilation) => compilation.setAnnotations(), { isEarly: true }),
  // calls are at the top of expressions now
  moduleStage('rewrite_rego_metadata_calls', rewriteMetadata),
  moduleStage('set_graph', setReads),
  moduleStage(
    'rewrite_comprehension_terms',
    eachLinkWith('|', (context) => linkRewriter(comprehensionHeads(context))),
  ),
  moduleStage('rewrite_refs_in_head', eachLink(rewriteRefsInHead)),
  moduleStage(
    'rewrite_with_values',
    eachLinkWith('with', (context) => linkRewriter({ body: (body) => rewriteWith(body, context) })),
  ),
  stage('check_rule_conflicts', (compilation) => compilation.checkConflicts(), { isEarly: true }),
  moduleStage('check_undefined_funcs', unlessAllowed(eachPart(checkFunctions))),
  moduleStage('check_safety_rule_heads', eachLink(headSafety)),
  moduleStage('check_safety_rule_bodies', unlessAllowed(eachLink(orderLink))),
  moduleStage(
    'rewrite_equals',
    eachLinkWith('==', () => linkRewriter(equals)),
  ), // binds nothing, so safety comes first
  moduleStage(
    'rewrite_dynamic_terms',
    eachLink((link, context) => withBody(link, rewriteDynamicTerms(link.body, context))),
  ),
  // after the terms to capture are bound to variables
  moduleStage('rewrite_test_rules_for_tracing', eachLink(captureTestValues, capturesTests)),
  stage('check_recursion', (compilation) => compilation.checkRecursion()),
  // needs ordered bodies and a graph without recursion
  stage('check_types', (compilation) => compilation.checkTypes()),
  moduleStage('check_unsafe_builtins', eachPart(checkUnsafeBuiltins, forbidsBuiltins), 'state'),
  moduleStage('check_deprecated_builtins', eachPart(checkDeprecatedBuiltins, callsDeprecated), 'state'),
];

function withBody(link: Rule, body: Body): Rule {
  return body === link.body ? link : { ...link, body };
}

/**
 * Runs all stages on parsed modules. Does not throw for invalid policies: see `diagnostics`.
 *
 * @example compileModules({ modules: new Map([['a.rego', parseModule('a.rego', text)]]) })
 */
export function compileModules(input: CompileInput): Compiled {
  return allAtOnce(compileSteps(input));
}

/** As `compileModules`, in steps. */
export function compileSteps({ modules, options = {} }: CompileInput): Steps<Compiled> {
  return moduleSteps(() => new Compilation(modules, options));
}

/**
 * Runs all stages for modules on a new compilation. Errors are those of the stages up to the first
 * one with an error that is not recoverable, so after errors another compilation runs stage by
 * stage. So does one whose stages are timed.
 */
export function* moduleSteps(start: () => Compilation): Steps<Compiled> {
  const compilation = start();
  try {
    if (compilation.options.onTimer !== undefined) return yield* stageByStage(compilation);
    yield* runJoined(stages, compilation);
    return yield* compilation.diagnostics.hasErrors ? stageByStage(start()) : finished(compilation);
  } catch (error) {
    reportOverflow(error, compilation.diagnostics, compilation.at?.parsed.package.loc);
    return compilation.finish();
  }
}

/**
 * Stages recurse over what the parser has bounded, but a caller may have little stack left.
 * @throws any other error
 */
function reportOverflow(error: unknown, diagnostics: Diagnostics, at: Span | undefined): void {
  if (!isStackOverflow(error)) throw error;
  diagnostics.report('compiledTooDeeply', at, {});
}

function* stageByStage(compilation: Compilation): Steps<Compiled> {
  yield* runStages(stages, compilation, compilation.options, () => compilation.diagnostics.endsStages);
  return yield* finished(compilation);
}

function* finished(compilation: Compilation): Steps<Compiled> {
  const { options, diagnostics } = compilation;
  if (options.instrument !== undefined && !diagnostics.hasErrors)
    yield* throughModules(eachRule(options.instrument))(compilation);
  return compilation.finish();
}

/** As `compileModules`, but throws `CompileErrors` for invalid policies. */
export function compileOrThrow(input: CompileInput): Compiled {
  const compiled = compileModules(input);
  if (compiled.diagnostics.length > 0) throw compileErrors(compiled.diagnostics, hintsOf(compiled));
  return compiled;
}

/**
 * Runs the stages on a parsed query over compiled modules.
 *
 * @example compileQuery(compiled, parseQuery('x := data.a.p'))
 */
export function compileQuery(compiled: Compiled, query: Body, where: QueryContext = {}): CompiledQuery {
  return allAtOnce(compileQuerySteps(compiled, query, where));
}

/** As `compileQuery`, with each stage in a step. */
export function* compileQuerySteps(compiled: Compiled, query: Body, where: QueryContext = {}): Steps<CompiledQuery> {
  const options = where.options ?? compiled.options;
  const diagnostics = new Diagnostics(options.errorLimit);
  const locals = new LocalNames('__localq', query[0]?.loc.source.text ?? '');
  const given: QueryState = {
    options,
    diagnostics,
    builtins: new BuiltinTable(options.capabilities, options.builtins),
    locals,
    rules: compiled.ruleTree,
    ruleTypes: compiled.types,
    compiled,
    where,
    body: query,
    types: undefined,
  };
  try {
    if (query.length === 0) diagnostics.report('emptyQuery', undefined, {});
    else yield* runStages(queryStages, given, options, () => diagnostics.hasErrors);
  } catch (error) {
    reportOverflow(error, diagnostics, query[0]?.loc);
  }
  return { body: given.body, names: locals.names, types: given.types, diagnostics: diagnostics.list };
}
