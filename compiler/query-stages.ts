/** The stages for queries as an ordered table. */

import type { Body, Import, Package } from './ast/nodes.js';
import { checkDeprecatedBuiltins, checkUnsafeBuiltins } from './check/builtin-calls.js';
import { checkFunctions, checkVoidCalls } from './check/check-functions.js';
import { typeOfQuery } from './check/check-types.js';
import type { QueryTypes, Types } from './check/rule-types.js';
import { orderSafely } from './check/safety.js';
import { checkBodyOverrides } from './check/strict.js';
import type { CompileOptions } from './resolve/compile-options.js';
import type { Compiled } from './resolve/compiled.js';
import { globalsOf } from './resolve/imports.js';
import { LocalRewriter } from './resolve/locals.js';
import { resolveQuery } from './resolve/resolve-module.js';
import { modulesOf } from './resolve/tree.js';
import type { Context } from './resolve/working-module.js';
import { rewriteCallsInBody } from './rewrite/calls.js';
import { rewriteBody } from './rewrite/closures.js';
import { comprehensionHeads } from './rewrite/comprehensions.js';
import { cutBody } from './rewrite/deep-terms.js';
import { rewriteDynamicTerms } from './rewrite/dynamic-terms.js';
import { equals } from './rewrite/equality.js';
import { rewritePrints } from './rewrite/print-calls.js';
import { rewriteTemplates } from './rewrite/templates.js';
import { rewriteWith } from './rewrite/with.js';
import type { Stage } from './stage.js';

/** The scope of a query: it may use the names of a package and of imports. */
export interface QueryContext {
  readonly package?: Package | undefined;
  readonly imports?: readonly Import[] | undefined;
  /** Default: the options of the compiled modules. */
  readonly options?: CompileOptions | undefined;
  /** `==` unifies, as it does in rules: the value of an expression is not asked for. */
  readonly unifies?: boolean | undefined;
}

/** The state of a query between two stages. */
export interface QueryState extends Context {
  readonly compiled: Compiled;
  readonly where: QueryContext;
  readonly ruleTypes: Types | undefined;
  body: Body;
  types: QueryTypes | undefined;
}

function queryStage(name: string, run: (body: Body, query: QueryState) => Body | undefined): Stage<QueryState> {
  return {
    timer: `timer_query_compile_stage_${name}_ns`,
    *run(query) {
      query.body = run(query.body, query) ?? query.body;
      yield;
    },
  };
}

function resolveIn(written: Body, query: QueryState): Body {
  const { compiled, where } = query;
  const body = cutBody(written, query);
  const pkg = where.package;
  if (!pkg && (where.imports ?? []).length === 0) return resolveQuery(body, new Map());
  const names = new Set<string>();
  for (const { parsed } of pkg ? modulesOf(compiled.moduleTree, pkg) : []) {
    for (const { head } of parsed.rules) if (head.ref[0].type === 'var') names.add(head.ref[0].name);
  }
  return resolveQuery(body, globalsOf(pkg, names, where.imports ?? []));
}

function inferQueryTypes(body: Body, query: QueryState): Body {
  query.types = typeOfQuery(body, query.compiled.types, query.locals.names, query.diagnostics);
  return body;
}

/** The stages for queries. `==` remains a call where its result is needed. */
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
  queryStage('rewrite_dynamic_terms', (body, query) =>
    rewriteDynamicTerms(query.where.unifies === true ? rewriteBody(body, equals) : body, query),
  ),
  queryStage('check_types', inferQueryTypes),
  queryStage('check_unsafe_builtins', (body, query) => void checkUnsafeBuiltins(body, query)),
  queryStage('check_deprecated_builtins', (body, query) => {
    if (query.options.strict) checkDeprecatedBuiltins(body, query);
    return body;
  }),
];
