/** Ways through a tree: `walk` looks at every node, `map…Children` builds the next tree and shares what does not change. */

import type { Body, Expr, Module, Node, ObjectEntry, RefTerm, Rule, RuleHead, Term, VarTerm, With } from './nodes.js';

/**
 * Calls `visit` for a node and everything below it, parents first. Where it answers false, what is below is left out.
 *
 * @example walk(rule, (node) => { if (node.type === 'var') names.add(node.name); });
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a visitor that skips nothing need not answer
export function walk(node: Node, visit: (node: Node) => boolean | void): void {
  if (visit(node) === false) return;
  forEachChild(node, (child) => walk(child, visit));
}

function each(nodes: readonly Node[], call: (child: Node) => void): void {
  for (const node of nodes) call(node);
}

/** Calls `call` for the nodes directly below one, in order of the text. */
export function forEachChild(node: Node, call: (child: Node) => void): void {
  switch (node.type) {
    case 'module':
      call(node.package);
      each(node.imports, call);
      each(node.rules, call);
      break;
    case 'package':
      each(node.path, call);
      break;
    case 'import':
      call(node.path);
      break;
    case 'rule': {
      // A chain of `else` may be long: no recursion along it.
      for (let rule: Rule | undefined = node; rule; rule = rule.else) {
        call(rule.head);
        each(rule.body, call);
      }
      break;
    }
    case 'head':
      each(node.ref, call);
      if (node.args) each(node.args, call);
      if (node.key) call(node.key);
      if (node.value) call(node.value);
      break;
    case 'expr':
      forEachOfExpr(node, call);
      each(node.with, call);
      break;
    case 'with':
      call(node.target);
      call(node.value);
      break;
    case 'ref':
      each(node.terms, call);
      break;
    case 'array':
    case 'set':
      each(node.items, call);
      break;
    case 'object':
      for (const { key, value } of node.entries) {
        call(key);
        call(value);
      }
      break;
    case 'arraycomprehension':
    case 'setcomprehension':
      call(node.term);
      each(node.body, call);
      break;
    case 'objectcomprehension':
      call(node.key);
      call(node.value);
      each(node.body, call);
      break;
    case 'call':
      call(node.operator);
      each(node.args, call);
      break;
    case 'templatestring':
      each(node.parts, call);
      break;
  }
}

function forEachOfExpr(expr: Expr, call: (child: Node) => void): void {
  switch (expr.kind) {
    case 'term':
      call(expr.term);
      break;
    case 'call':
      call(expr.operator);
      each(expr.args, call);
      break;
    case 'some':
      each(expr.symbols, call);
      break;
    case 'every':
      if (expr.key) call(expr.key);
      call(expr.value);
      call(expr.domain);
      each(expr.body, call);
      break;
    case 'not':
      each(expr.body, call);
      break;
    case 'and':
    case 'or':
      each(expr.lhs, call);
      each(expr.rhs, call);
      break;
  }
}

/** What to make of the children: terms one by one, bodies as a whole. */
export interface Mapper {
  readonly term: (term: Term) => Term;
  readonly body: (body: Body) => Body;
}

function mapList<T>(list: readonly T[], map: (item: T) => T): readonly T[] {
  let changed = false;
  const mapped = list.map((item) => {
    const next = map(item);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? mapped : list;
}

/** A node with some fields replaced; the node itself if none of them differs. */
function update<T extends object>(node: T, over: Partial<T>): T {
  for (const key in over) if (over[key] !== node[key]) return { ...node, ...over };
  return node;
}

function mapEntries(entries: readonly ObjectEntry[], map: Mapper): readonly ObjectEntry[] {
  return mapList(entries, (entry) => update(entry, { key: map.term(entry.key), value: map.term(entry.value) }));
}

/** The term with its children mapped; the same object if nothing changed. */
export function mapTermChildren(term: Term, map: Mapper): Term {
  switch (term.type) {
    case 'ref':
      return update(term, { terms: mapList(term.terms, map.term) });
    case 'array':
    case 'set':
      return update(term, { items: mapList(term.items, map.term) });
    case 'object':
      return update(term, { entries: mapEntries(term.entries, map) });
    case 'arraycomprehension':
    case 'setcomprehension':
      return update(term, { term: map.term(term.term), body: map.body(term.body) });
    case 'objectcomprehension':
      return update(term, { key: map.term(term.key), value: map.term(term.value), body: map.body(term.body) });
    case 'call':
      return update(term, { operator: map.term(term.operator) as RefTerm, args: mapList(term.args, map.term) });
    case 'templatestring':
      return update(term, { parts: mapList(term.parts, (part) => (part.type === 'expr' ? mapExprChildren(part, map) : map.term(part))) });
    default:
      return term;
  }
}

/** The expression with its children mapped; the same object if nothing changed. */
export function mapExprChildren(expr: Expr, map: Mapper): Expr {
  const modifiers = mapList(
    expr.with,
    (modifier): With => update(modifier, { target: map.term(modifier.target), value: map.term(modifier.value) }),
  );
  switch (expr.kind) {
    case 'term':
      return update(expr, { term: map.term(expr.term), with: modifiers });
    case 'call':
      return update(expr, { operator: map.term(expr.operator) as RefTerm, args: mapList(expr.args, map.term), with: modifiers });
    case 'some':
      return update(expr, { symbols: mapList(expr.symbols, map.term), with: modifiers });
    case 'every': {
      const over = { value: map.term(expr.value) as VarTerm, domain: map.term(expr.domain), body: map.body(expr.body), with: modifiers };
      return update(expr, expr.key ? { ...over, key: map.term(expr.key) as VarTerm } : over);
    }
    case 'not':
      return update(expr, { body: map.body(expr.body), with: modifiers });
    case 'and':
    case 'or':
      return update(expr, { lhs: map.body(expr.lhs), rhs: map.body(expr.rhs), with: modifiers });
  }
}

/** The head with its children mapped. */
export function mapHeadChildren(head: RuleHead, map: Mapper): RuleHead {
  return update(head, {
    ref: mapList(head.ref, map.term),
    args: head.args && mapList(head.args, map.term),
    key: head.key && map.term(head.key),
    value: head.value && map.term(head.value),
  });
}

/** The rule and its `else` chain with heads and bodies mapped. */
export function mapRule(rule: Rule, map: { readonly head: (head: RuleHead) => RuleHead; readonly body: (body: Body) => Body }): Rule {
  const chain: Rule[] = [];
  for (let link: Rule | undefined = rule; link; link = link.else) chain.push(link);
  let rest: Rule | undefined;
  for (const link of chain.reverse()) rest = update(link, { head: map.head(link.head), body: map.body(link.body), else: rest });
  return rest!;
}

/** All rules of a module mapped. */
export function mapRules(module: Module, map: (rule: Rule) => Rule): Module {
  return update(module, { rules: mapList(module.rules, map) });
}
