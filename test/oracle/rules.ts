/** Indexes the rules of modules by their paths. */

import { callExpr, operatorRef, stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { Body, Expr, Module, Ref, Rule, Term } from '../../compiler/ast/nodes.js';
import { type Captures, collectCaptures } from './captures.js';
import { addPatternNames, declarePattern, resolveBody, resolveTerm } from './names.js';
import { FreshNames, type Globals, Scope } from './scope.js';

/** A body of a rule or of one of its `else` branches, with its head. */
export interface Link {
  readonly body: Body;
  readonly key: Term | undefined;
  readonly value: Term | undefined;
}

export interface ResolvedRule {
  /** The package's path and the head's ref, without `data`. */
  readonly path: readonly Term[];
  readonly isDefault: boolean;
  /** Only for functions; may be empty. */
  readonly args: readonly Term[] | undefined;
  /** Whether it defines members of a set. */
  readonly isSet: boolean;
  /** The rule itself, then each `else`. */
  readonly links: readonly Link[];
}

/** Rules by the constants at the start of their paths. */
export interface RuleNode {
  readonly key: Term;
  readonly rules: ResolvedRule[];
  readonly children: Map<string, RuleNode>;
}

export interface Program {
  readonly root: RuleNode;
  readonly captures: Captures;
}

export function resolveModules(modules: Iterable<Module>, builtins: Globals['builtins']): Program {
  const all = [...modules];
  const captures: Captures = new Map();
  const first = all[0]?.package.path[0] as Term;
  const root: RuleNode = { key: first, rules: [], children: new Map() };
  const names = Map.groupBy(all, packageName);
  for (const module of all) {
    const globals = { paths: pathsOf(module, names.get(packageName(module))!), builtins };
    // Creates the package's node even if it has no rules.
    growTo(root, module.package.path.slice(1));
    for (const rule of module.rules) {
      const resolved = resolveRule(rule, module, globals, captures);
      growTo(root, resolved.path.slice(0, constantLength(resolved.path))).rules.push(resolved);
    }
  }
  return { root, captures };
}

function packageName({ package: { path } }: Module): string {
  return path.map((term) => (term.type === 'string' ? JSON.stringify(term.value) : '')).join('.');
}

/** Imports and the rules of all modules of the package. */
function pathsOf(module: Module, siblings: readonly Module[]): Globals['paths'] {
  const paths = new Map<string, Ref>();
  for (const { rules } of siblings) {
    for (const { head } of rules) {
      const name = head.ref[0]!;
      if (name.type === 'var') paths.set(name.name, [...module.package.path, stringTerm(name.loc, name.name)]);
    }
  }
  for (const { path, alias } of module.imports) {
    const [head] = path.terms;
    const last = path.terms.at(-1)!;
    const name = alias ?? (last.type === 'string' ? last.value : last.type === 'var' ? last.name : '');
    if (head?.type === 'var' && (head.name === 'data' || head.name === 'input')) paths.set(name, path.terms);
  }
  return paths;
}

function resolveRule(rule: Rule, module: Module, globals: Globals, captures: Captures): ResolvedRule {
  const ruleScope = new Scope(globals, new FreshNames(), paramNames(rule));
  const { head } = rule;
  const tests: ArgumentTest[] = [];
  const args = head.args?.map((arg) => withoutTests(declarePattern(arg, ruleScope), ruleScope, tests));
  let path: readonly Term[] = [];
  const links: Link[] = [];
  for (let link: Rule | undefined = rule; link; link = link.else) {
    const { body: own, scope } = resolveBody(link.body, ruleScope);
    const body = [...own, ...tests.map(({ name, term }) => testOf(name, resolveTerm(term, scope)))];
    const key = link.head.key && resolveTerm(link.head.key, scope);
    const value = link.head.value && resolveTerm(link.head.value, scope);
    if (link === rule) path = pathOf(rule, module, scope);
    links.push({ body, key, value });
    const heads = [...(args ?? []), ...(key ? [key] : []), ...(value ? [value] : []), ...(link === rule ? path : [])];
    collectCaptures(body, heads, new Set(), captures);
  }
  return { path, isDefault: rule.default, args, isSet: head.value === undefined, links };
}

/**
 * A part of an argument that is not a pattern: it is compared once the body has bound its
 * variables.
 */
interface ArgumentTest {
  readonly name: string;
  readonly term: Term;
}

function withoutTests(arg: Term, scope: Scope, tests: ArgumentTest[]): Term {
  switch (arg.type) {
    case 'array':
      return { ...arg, items: arg.items.map((item) => withoutTests(item, scope, tests)) };
    case 'object':
      return { ...arg, entries: arg.entries.map(({ key, value }) => ({ key, value: withoutTests(value, scope, tests) })) };
    case 'ref':
    case 'templatestring':
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension': {
      const name = scope.declare(`argument${tests.length}`);
      tests.push({ name, term: arg });
      return varTerm(arg.loc, name);
    }
    default:
      return arg;
  }
}

function testOf(name: string, term: Term): Expr {
  return callExpr(term.loc, operatorRef(term.loc, 'eq'), [varTerm(term.loc, name), term]);
}

function paramNames({ head }: Rule): ReadonlySet<string> {
  const names = new Set<string>();
  for (const arg of head.args ?? []) addPatternNames(arg, names);
  return names;
}

function pathOf({ head: { ref } }: Rule, module: Module, scope: Scope): readonly Term[] {
  const [first, ...rest] = ref as readonly [Term, ...Term[]];
  const name = first.type === 'var' ? stringTerm(first.loc, first.name) : first;
  return [...module.package.path.slice(1), name, ...rest.map((term) => resolveTerm(term, scope))];
}

function isConstant({ type }: Term): boolean {
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'null';
}

function constantLength(path: readonly Term[]): number {
  const end = path.findIndex((term) => !isConstant(term));
  return end < 0 ? path.length : end;
}

/** The key of a constant among a node's children. */
export function childName(key: Term): string {
  switch (key.type) {
    case 'string':
      return JSON.stringify(key.value);
    case 'number':
      return key.text;
    case 'boolean':
      return String(key.value);
    default:
      return key.type;
  }
}

function growTo(root: RuleNode, path: readonly Term[]): RuleNode {
  let node = root;
  for (const key of path) {
    let child = node.children.get(childName(key));
    if (!child) node.children.set(childName(key), (child = { key, rules: [], children: new Map() }));
    node = child;
  }
  return node;
}

/** All rules at a node and below it. */
export function rulesUnder(node: RuleNode): readonly ResolvedRule[] {
  return [...node.rules, ...[...node.children.values()].flatMap(rulesUnder)];
}
