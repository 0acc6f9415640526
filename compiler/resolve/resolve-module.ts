/**
 * Full paths: names of rules and imports become refs that start with `data` or `input`, unless
 * something local hides them.
 */

import type { Steps } from '../../values/index.js';
import { lastEntries } from '../ast/compare-terms.js';
import { refTerm } from '../ast/make.js';
import type { Body, Expr, ObjectTerm, Ref, Rule, Term } from '../ast/nodes.js';
import { type Mapper, mapExprChildren, mapList, mapTermChildren } from '../ast/walk.js';
import type { Span } from '../source/location.js';
import { addVars, rootName, varsDeclaredIn } from './expression-kinds.js';
import { checkUnusedImports, type Global, globalsOf } from './imports.js';
import { mapLinks } from './links.js';
import { type Context, report, type WorkingModule } from './working-module.js';

/** The rules that are resolved in a step. */
const rulesOfStep = 256;

/**
 * A module with its refs resolved. `exports` are the names that its package defines, in all its
 * modules.
 */
export function* resolveModule(
  module: WorkingModule,
  exports: ReadonlySet<string> | undefined,
  context: Context,
): Steps<readonly Rule[]> {
  const globals = globalsOf(module.parsed.package, exports, module.imports);
  const resolver = new Resolver(globals);
  const rules: Rule[] = [];
  for (const [i, rule] of module.current.entries()) {
    if (i % rulesOfStep === 0) yield;
    rules.push(mapLinks(rule, (link) => resolveLink(link, resolver, context)));
  }
  if (context.options.strict) checkUnusedImports(module, globals, context);
  return rules;
}

/** A query with its refs resolved. */
export function resolveQuery(body: Body, globals: ReadonlyMap<string, Global>): Body {
  const resolver = new Resolver(globals);
  return resolver.within(varsDeclaredIn(body), () => resolver.body(body));
}

function resolveLink(rule: Rule, resolver: Resolver, context: Context): Rule {
  const { head } = rule;
  const params = new Set<string>();
  for (const arg of head.args ?? []) {
    const root = addParams(arg, params);
    if (root === undefined) continue;
    report(context, 'argsShadow', rule.loc, { name: root });
    return rule;
  }
  return resolver.within(params, () =>
    resolver.within(varsDeclaredIn(rule.body), () => ({
      ...rule,
      head: {
        ...head,
        args: head.args?.map(withoutRepeatedKeys),
        ref: mapList(head.ref, (term, i) => (i === 0 ? term : resolver.term(term))),
        key: head.key && resolver.term(head.key),
        value: head.value && resolver.term(head.value),
      },
      body: resolver.body(rule.body),
    })),
  );
}

/** Adds the variables that a parameter binds; answers the root document that it would hide. */
function addParams(arg: Term, names: Set<string>): string | undefined {
  switch (arg.type) {
    case 'var':
      names.add(arg.name);
      return undefined;
    case 'array':
      return arg.items.map((item) => addParams(item, names)).find((root) => root !== undefined);
    case 'object':
      return arg.entries.map(({ value }) => addParams(value, names)).find((root) => root !== undefined);
    case 'ref': {
      const root = rootName(arg);
      if (root === undefined) addVars(arg, names);
      return root;
    }
    default:
      return undefined;
  }
}

function withLastEntries(term: ObjectTerm): ObjectTerm {
  const entries = lastEntries(term.entries);
  return entries === term.entries ? term : { ...term, entries };
}

/** A parameter whose objects have each key once. */
function withoutRepeatedKeys(term: Term): Term {
  const mapped = mapTermChildren(term, parameterMapper);
  return mapped.type === 'object' ? withLastEntries(mapped) : mapped;
}

const parameterMapper: Mapper = { term: withoutRepeatedKeys, body: (body) => body };

class Resolver {
  readonly #globals: ReadonlyMap<string, Global>;
  /** Names that something local hides, scope by scope. */
  readonly #hidden: ReadonlySet<string>[] = [];
  readonly #mapper: Mapper;

  constructor(globals: ReadonlyMap<string, Global>) {
    this.#globals = globals;
    this.#mapper = { term: (term) => this.term(term), body: (body) => this.body(body) };
  }

  within<T>(names: ReadonlySet<string>, resolve: () => T): T {
    this.#hidden.push(names);
    try {
      return resolve();
    } finally {
      this.#hidden.pop();
    }
  }

  body(body: Body): Body {
    return mapList(body, (expr) => this.expr(expr));
  }

  expr(expr: Expr): Expr {
    switch (expr.kind) {
      case 'every': {
        const names = new Set([expr.value.name]);
        if (expr.key) names.add(expr.key.name);
        const { key, value } = expr;
        return { ...(this.within(names, () => mapExprChildren(expr, this.#mapper)) as typeof expr), key, value };
      }
      case 'some': {
        if (expr.symbols[0]!.type === 'call') return mapExprChildren(expr, this.#mapper);
        // Declared names are no uses; modifiers may hold some.
        return { ...(mapExprChildren(expr, this.#mapper) as typeof expr), symbols: expr.symbols };
      }
      default:
        return mapExprChildren(expr, this.#mapper);
    }
  }

  term(term: Term): Term {
    switch (term.type) {
      case 'var': {
        const global = this.#find(term.name);
        return global ? refTerm(term.loc, located(global.terms, term.loc)) : term;
      }
      case 'ref': {
        const [head, ...keys] = term.terms;
        const global = head.type === 'var' ? this.#find(head.name) : undefined;
        if (!global) return mapTermChildren(term, this.#mapper);
        const [root, ...path] = located(global.terms, head.loc);
        return { ...term, terms: [root, ...path, ...keys.map((key) => this.term(key))] };
      }
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        return this.within(varsDeclaredIn(term.body), () => mapTermChildren(term, this.#mapper));
      case 'object':
        return withLastEntries(mapTermChildren(term, this.#mapper) as ObjectTerm);
      case 'templatestring':
        return { ...term, parts: term.parts.map((part) => (part.type === 'expr' ? this.expr(part) : part)) };
      default:
        return mapTermChildren(term, this.#mapper);
    }
  }

  #find(name: string): Global | undefined {
    const global = this.#globals.get(name);
    if (!global || this.#hidden.some((names) => names.has(name))) return undefined;
    global.used = true;
    return global;
  }
}

function located(terms: Ref, loc: Span): Ref {
  return mapList(terms, (term) => ({ ...term, loc }));
}
