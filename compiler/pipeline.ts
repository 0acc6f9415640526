/**
 * The stages of the compiler as ordered tables. A stage with diagnostics stops the stages after it.
 * Stages of the first table that work on one module, rule or link depend on other modules only
 * through the rule tree and the names that packages export; the other stages use all modules and
 * are in compilation.ts. Look-ups in the rule tree are recorded, so that a later change redoes the
 * modules that depend on it: see recompile.ts.
 */

import { allAtOnce, type Steps } from '../runtime/values/steps.js';
import type { Body, Import, Node, Package, Rule } from './ast/nodes.js';
import { checkDeprecatedBuiltins, checkUnsafeBuiltins } from './check/builtin-calls.js';
import { checkFunctions, checkVoidCalls, partsOf } from './check/functions.js';
import type { QueryTypes, Types } from './check/rule-types.js';
import { checkHeadSafety, orderLink, orderSafely } from './check/safety.js';
import { checkBodyOverrides, checkRuleOverrides } from './check/strict.js';
import { typeOfQuery } from './check/types.js';
import { Compilation } from './compilation.js';
import { Diagnostics } from './diagnostics/diagnostics.js';
import { compileErrors } from './diagnostics/render.js';
import { BuiltinTable } from './resolve/builtin-table.js';
import type { Compiled, CompiledQuery } from './resolve/compiled.js';
import type { Context, WorkingModule, WorkingRule } from './resolve/context.js';
import { checkImports, globalsOf } from './resolve/imports.js';
import { elseChain, mapLinks } from './resolve/links.js';
import { LocalNames } from './resolve/local-names.js';
import { LocalRewriter } from './resolve/locals.js';
import type { CompileInput, CompileOptions } from './resolve/options.js';
import { resolveModule, resolveQuery } from './resolve/refs.js';
import { rewriteLocals } from './resolve/rule-locals.js';
import { modulesOf } from './resolve/tree.js';
import { rewriteCalls, rewriteCallsInBody } from './rewrite/calls.js';
import { linkRewriter, rewriteBody } from './rewrite/closures.js';
import { comprehensionHeads } from './rewrite/comprehensions.js';
import { rewriteDynamicTerms } from './rewrite/dynamic-terms.js';
import { equals } from './rewrite/equality.js';
import { rewriteHeadRef, rewriteRefsInHead } from './rewrite/heads.js';
import { rewriteMetadataCalls } from './rewrite/metadata-calls.js';
import { rewritePrints, rewritePrintsInLink } from './rewrite/print-calls.js';
import { rewriteTemplates, rewriteTemplatesInLink } from './rewrite/templates.js';
import { captureTestValues } from './rewrite/test-values.js';
import { rewriteWith } from './rewrite/with.js';
import { nowhere } from './source/location.js';

interface Stage<State> {
  readonly timer: string;
  readonly run: (state: State) => Steps;
}

function stage(name: string, run: Stage<Compilation>['run']): Stage<Compilation> {
  return { timer: `timer_compile_stage_${name}_ns`, run };
}

/** Two of the reference's timers are spelled `state`. */
function state(name: string, run: Stage<Compilation>['run']): Stage<Compilation> {
  return { timer: `timer_compile_state_${name}_ns`, run };
}

type ModuleStage = (module: WorkingModule, context: Context) => void;

function eachModule(run: ModuleStage): (compilation: Compilation) => Steps {
  return throughModules(function* (module, context) {
    run(module, context);
    yield;
  });
}

/**
 * As `eachModule`, for stages that process a module in steps: a module may have thousands of rules.
 */
function throughModules(run: (module: WorkingModule, context: Context) => Steps): (compilation: Compilation) => Steps {
  return function* (compilation) {
    for (const module of compilation.modules) {
      if (compilation.diagnostics.full) return;
      yield* run(module, compilation.context(module));
    }
  };
}

/** The number of rules in a step. */
const rulesPerStep = 32;

function* throughRules({ rules }: WorkingModule, visit: (rule: WorkingRule) => void): Steps {
  for (let i = 0; i < rules.length; i++) {
    visit(rules[i]!);
    if (i % rulesPerStep === 0) yield;
  }
}

/** Whether a stage applies to a module, judged from its text. */
type Filter = (module: WorkingModule, context: Context) => boolean;

const always: Filter = () => true;

function hasWord(word: string): Filter {
  return (module) => module.mentions(word);
}

/** Replaces each rule by its next version. */
function eachRule(map: (rule: Rule, context: Context) => Rule, applies = always): (compilation: Compilation) => Steps {
  return throughModules(function* (module, context) {
    if (!applies(module, context)) return;
    yield* throughRules(module, (rule) => {
      rule.rule = map(rule.rule, context);
    });
  });
}

/** As `eachRule`, for a rule and each of its `else` branches separately. */
function eachLink(map: (link: Rule, context: Context) => Rule, applies = always): (compilation: Compilation) => Steps {
  return eachRule((rule, context) => mapLinks(rule, (link) => map(link, context)), applies);
}

/**
 * As `eachLink`, with a function that is made once per module, and only for rules whose text has a
 * word.
 */
function eachLinkWith(word: string, make: (context: Context) => (link: Rule) => Rule): (compilation: Compilation) => Steps {
  return throughModules(function* (module, context) {
    if (!module.mentions(word)) return;
    const map = make(context);
    yield* throughRules(module, (rule) => {
      if (mayHave(rule.rule, word)) rule.rule = mapLinks(rule.rule, map);
    });
  });
}

/**
 * Whether the source text of a rule may contain a word. If rule and head have the same span, the
 * text may be incomplete, since an additional body shares the head: then the answer is true.
 */
function mayHave({ loc, head }: Rule, word: string): boolean {
  return loc === head.loc || loc.text.includes(word);
}

/** Checks the nodes of a module's links. */
function eachPart(check: (nodes: Iterable<Node>, context: Context) => void, applies = always) {
  return throughModules(function* (module, context) {
    if (!applies(module, context)) return;
    yield* throughRules(module, ({ rule }) => {
      for (const link of elseChain(rule)) check(partsOf(link), context);
    });
  });
}

function isVersionOne(module: WorkingModule, { options }: Context): boolean {
  return options.strict === true || module.parsed.regoVersion !== 'v0';
}

function* resolveRefs(compilation: Compilation): Steps {
  for (const module of compilation.modules) {
    module.current = yield* resolveModule(module, compilation.exports(module), compilation.context(module));
    yield;
  }
}

const rewriteHeadRefs = eachModule((module, context) => {
  module.current = module.current.map((rule) => rewriteHeadRef(rule, context));
});

const checkOverrides = eachModule((module, context) => {
  if (isVersionOne(module, context)) checkRuleOverrides(module.current, context, module.matches(assignsRoot));
});

const capturesTests: Filter = (module, { options }) => options.captureTestValues === true && module.mentions('test_');

const forbidsBuiltins: Filter = (_, { options }) => (options.unsafeBuiltins?.size ?? 0) > 0;

/** Matches a text that may assign to `input` or `data`. */
const assignsRoot = /\b(?:input|data)[\s)]*:=|\bassign\b/;

/** Matches a text that may call `print`. */
const callsPrint = /\bprint\s*\(/;

const callsPrints = (module: WorkingModule): boolean => module.matches(callsPrint);

/** Whether the text contains a call of a deprecated built-in. */
function callsDeprecated(module: WorkingModule, context: Context): boolean {
  return isVersionOne(module, context) && context.builtins.deprecated.some((name) => module.mentions(`${name}(`));
}

function rewriteMetadata(compilation: Compilation): void {
  for (const module of compilation.modules) {
    if (!module.mentions('metadata')) continue;
    const context = compilation.context(module);
    for (const rule of module.rules) {
      rule.rule = mapLinks(rule.rule, (link) => rewriteMetadataCalls(link, rule, compilation.annotations, context));
    }
  }
}

function unlessAllowed(check: (compilation: Compilation) => Steps): (compilation: Compilation) => Steps {
  return function* (compilation) {
    if (compilation.options.allowUndefinedFunctions !== true) yield* check(compilation);
  };
}

/** Wraps a stage that runs in one step. */
function atOnce<State>(run: (state: State) => void): (state: State) => Steps {
  return function* (state) {
    run(state);
    yield;
  };
}

const headSafety = (link: Rule, context: Context): Rule => {
  checkHeadSafety(link, context);
  return link;
};

/** The stages for modules, in the order and with the names of the reference. */
export const stages: readonly Stage<Compilation>[] = [
  stage('resolve_refs', resolveRefs), // every later stage reads full paths
  // the rule tree needs refs of variables and scalars
  stage('rewrite_rule_head_refs', rewriteHeadRefs),
  stage('check_keyword_overrides', checkOverrides),
  stage('check_imports', eachModule(checkImports)),
  stage('set_module_tree', (compilation) => compilation.setModuleTree()),
  stage('set_rule_tree', (compilation) => compilation.setRuleTree()),
  stage('rewrite_local_vars', eachRule(rewriteLocals)),
  // unbound variables have their final names
  stage('rewrite_template_strings', eachLink(rewriteTemplatesInLink, hasWord('$'))),
  stage('check_void_calls', eachPart(checkVoidCalls, callsPrints)),
  stage('rewrite_print_calls', eachLink(rewritePrintsInLink, callsPrints)),
  stage('rewrite_expr_terms', eachLink(rewriteCalls)),
  stage(
    'set_annotationset',
    atOnce((compilation) => compilation.setAnnotations()),
  ),
  // calls are at the top of expressions now
  stage('rewrite_rego_metadata_calls', atOnce(rewriteMetadata)),
  stage('set_graph', (compilation) => compilation.setGraph()),
  stage(
    'rewrite_comprehension_terms',
    eachLinkWith('|', (context) => linkRewriter(comprehensionHeads(context))),
  ),
  stage('rewrite_refs_in_head', eachLink(rewriteRefsInHead)),
  stage(
    'rewrite_with_values',
    eachLinkWith('with', (context) => linkRewriter({ body: (body) => rewriteWith(body, context) })),
  ),
  stage(
    'check_rule_conflicts',
    atOnce((compilation) => compilation.checkConflicts()),
  ),
  stage('check_undefined_funcs', unlessAllowed(eachPart(checkFunctions))),
  stage('check_safety_rule_heads', eachLink(headSafety)),
  stage('check_safety_rule_bodies', unlessAllowed(eachLink(orderLink))),
  stage(
    'rewrite_equals',
    eachLinkWith('==', () => linkRewriter(equals)),
  ), // binds nothing, so safety comes first
  stage(
    'rewrite_dynamic_terms',
    eachLink((link, context) => withBody(link, rewriteDynamicTerms(link.body, context))),
  ),
  // after the terms to capture are bound to variables
  stage('rewrite_test_rules_for_tracing', eachLink(captureTestValues, capturesTests)),
  stage('check_recursion', (compilation) => compilation.checkRecursion()),
  // needs ordered bodies and a graph without recursion
  stage('check_types', (compilation) => compilation.checkTypes()),
  state('check_unsafe_builtins', eachPart(checkUnsafeBuiltins, forbidsBuiltins)),
  state('check_deprecated_builtins', eachPart(checkDeprecatedBuiltins, callsDeprecated)),
];

function withBody(link: Rule, body: Body): Rule {
  return body === link.body ? link : { ...link, body };
}

function* runStages<State>(table: readonly Stage<State>[], given: State, options: CompileOptions, diagnostics: Diagnostics): Steps {
  for (const { timer, run } of table) {
    const start = options.onTimer ? performance.now() : 0;
    yield* run(given);
    options.onTimer?.(timer, Math.round((performance.now() - start) * 1e6));
    if (diagnostics.hasErrors) return;
    yield;
  }
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
  return moduleSteps(new Compilation(modules, options));
}

/** Runs all stages for modules on the state of a compilation. */
export function* moduleSteps(compilation: Compilation): Steps<Compiled> {
  const { options, diagnostics } = compilation;
  yield* runStages(stages, compilation, options, diagnostics);
  if (options.instrument !== undefined && !diagnostics.hasErrors) yield* eachRule(options.instrument)(compilation);
  return compilation.finish();
}

/** As `compileModules`, but throws `CompileErrors` for invalid policies. */
export function compileOrThrow(input: CompileInput): Compiled {
  const compiled = compileModules(input);
  if (compiled.diagnostics.length > 0) throw compileErrors(compiled.diagnostics);
  return compiled;
}

/** The scope of a query: it may use the names of a package and of imports. */
interface QueryContext {
  readonly package?: Package;
  readonly imports?: readonly Import[];
  /** By default, the options of the compiled modules. */
  readonly options?: CompileOptions;
}

/** The state of a query between two stages. */
interface QueryState extends Context {
  readonly compiled: Compiled;
  readonly where: QueryContext;
  readonly ruleTypes: Types | undefined;
  body: Body;
  types: QueryTypes | undefined;
}

function queryStage(name: string, run: (body: Body, query: QueryState) => Body | undefined): Stage<QueryState> {
  return {
    timer: `timer_query_compile_stage_${name}_ns`,
    run: atOnce((query) => {
      query.body = run(query.body, query) ?? query.body;
    }),
  };
}

function resolveIn(body: Body, { compiled, where }: QueryState): Body {
  const pkg = where.package;
  if (!pkg && (where.imports ?? []).length === 0) return resolveQuery(body, new Map());
  const names = new Set<string>();
  for (const { parsed } of pkg ? modulesOf(compiled.moduleTree, pkg) : []) {
    for (const { head } of parsed.rules) if (head.ref[0]!.type === 'var') names.add(head.ref[0].name);
  }
  return resolveQuery(body, globalsOf(pkg ?? { type: 'package', loc: nowhere, path: [] }, names, where.imports ?? []));
}

function inferQueryTypes(body: Body, query: QueryState): Body {
  query.types = typeOfQuery(body, query.compiled.types, query.locals.names, query.diagnostics);
  return body;
}

/** The stages for queries. `==` remains a call, since the query may need its result. */
export const queryStages: readonly Stage<QueryState>[] = [
  queryStage('check_keyword_overrides', (body, query) => {
    if (query.options.strict) checkBodyOverrides(body, query);
    return body;
  }),
  queryStage('resolve_refs', resolveIn),
  queryStage('rewrite_local_vars', (body, query) => new LocalRewriter(query).body(body, new Set())),
  // In the reference, this stage uses the timer of the modules' stage.
  {
    ...queryStage('', (body, query) => rewriteTemplates(body, new Set(), query)),
    timer: 'timer_compile_stage_rewrite_template_strings_ns',
  },
  queryStage('check_void_calls', (body, query) => void checkVoidCalls(body, query)),
  queryStage('rewrite_print_calls', (body, query) => rewritePrints(body, new Set(), query)),
  queryStage('rewrite_expr_terms', rewriteCallsInBody),
  queryStage('rewrite_comprehension_terms', (body, query) => rewriteBody(body, comprehensionHeads(query))),
  queryStage('rewrite_with_values', (body, query) => rewriteBody(body, { body: (inner) => rewriteWith(inner, query) })),
  queryStage('check_undefined_funcs', (body, query) => void checkFunctions(body, query)),
  queryStage('check_safety', (body, query) => orderSafely(body, new Set(), query)),
  queryStage('rewrite_dynamic_terms', rewriteDynamicTerms),
  queryStage('check_types', inferQueryTypes),
  queryStage('check_unsafe_builtins', (body, query) => void checkUnsafeBuiltins(body, query)),
  queryStage('check_deprecated_builtins', (body, query) => {
    if (query.options.strict) checkDeprecatedBuiltins(body, query);
    return body;
  }),
];

/**
 * Runs the stages on a parsed query over compiled modules.
 *
 * @example compileQuery(compiled, parseQuery('x := data.a.p'))
 */
export function compileQuery(compiled: Compiled, query: Body, where: QueryContext = {}): CompiledQuery {
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
  if (query.length === 0) diagnostics.report('emptyQuery', undefined, {});
  else allAtOnce(runStages(queryStages, given, options, diagnostics));
  return { body: given.body, names: locals.names, types: given.types, diagnostics: diagnostics.list };
}
