/**
 * Tree traversal: `walk` visits every node, `map…Children` builds the next tree and shares
 * unchanged nodes.
 */

import type { Body, Expr, Node, ObjectEntry, RefTerm, Rule, RuleHead, Term, VarTerm, With } from './nodes.js';

/**
 * Calls `visit` for a node and its descendants, parents first. Where it returns false, the
 * descendants are skipped.
 *
 * @example walk(rule, (node) => { if (node.type === 'var') names.add(node.name); });
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a visitor that skips nothing need not answer
export function walk(node: Node, visit: (node: Node) => boolean | void): void {
  // No recursion: a tree may be deep.
  const left: Node[] = [node];
  const add = (child: Node): void => void left.push(child);
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (visit(next) === false) continue;
    const first = left.length;
    forEachChild(next, add);
    for (let i = first, j = left.length - 1; i < j; i++, j--) {
      const other = left[i]!;
      left[i] = left[j]!;
      left[j] = other;
    }
  }
}

function each(nodes: readonly Node[], call: (child: Node) => void): void {
  // The innermost loop of the compiler: an iterator costs more than the visits.
  for (let i = 0; i < nodes.length; i++) call(nodes[i]!);
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
      for (let i = 0; i < node.entries.length; i++) {
        const { key, value } = node.entries[i]!;
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

/** The bodies that a node has itself: of comprehensions, `every`, `not`, `and` and `or`. */
export function innerBodies(node: Node): readonly Body[] {
  switch (node.type) {
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return [node.body];
    case 'expr':
      if (node.kind === 'every' || node.kind === 'not') return [node.body];
      return node.kind === 'and' || node.kind === 'or' ? [node.lhs, node.rhs] : [];
    default:
      return [];
  }
}

/** Maps the children: terms one by one, bodies as a whole. */
export interface Mapper {
  readonly term: (term: Term) => Term;
  readonly body: (body: Body) => Body;
}

/** The list with each item mapped; itself while nothing differs. */
export function mapList<T>(list: readonly [T, ...T[]], map: (item: T, i: number) => T): readonly [T, ...T[]];
export function mapList<T>(list: readonly T[], map: (item: T, i: number) => T): readonly T[];
export function mapList<T>(list: readonly T[], map: (item: T, i: number) => T): readonly T[] {
  for (let i = 0; i < list.length; i++) {
    const item = list[i]!;
    const next = map(item, i);
    if (next === item) continue;
    // A copy of the whole list: one that grows keeps room for more.
    const mapped = list.slice();
    mapped[i] = next;
    for (let rest = i + 1; rest < list.length; rest++) mapped[rest] = map(list[rest]!, rest);
    return mapped;
  }
  return list;
}

/** The entries with each key and value mapped; the same list while nothing differs. */
export function mapEntries(entries: readonly ObjectEntry[], map: (term: Term) => Term): readonly ObjectEntry[] {
  return mapList(entries, (entry) => {
    const key = map(entry.key);
    const value = map(entry.value);
    return key === entry.key && value === entry.value ? entry : { key, value };
  });
}

/** The term with its children mapped; the same object if nothing changed. */
export function mapTermChildren(node: Term, map: Mapper): Term {
  const { type, loc } = node;
  switch (type) {
    case 'ref': {
      const terms = mapList(node.terms, map.term);
      return terms === node.terms ? node : { type, loc, terms };
    }
    case 'array':
    case 'set': {
      const items = mapList(node.items, map.term);
      return items === node.items ? node : { type, loc, items };
    }
    case 'object': {
      const entries = mapEntries(node.entries, map.term);
      return entries === node.entries ? node : { type, loc, entries };
    }
    case 'arraycomprehension':
    case 'setcomprehension': {
      const term = map.term(node.term);
      const body = map.body(node.body);
      return term === node.term && body === node.body ? node : { type, loc, term, body };
    }
    case 'objectcomprehension': {
      const key = map.term(node.key);
      const value = map.term(node.value);
      const body = map.body(node.body);
      return key === node.key && value === node.value && body === node.body ? node : { type, loc, key, value, body };
    }
    case 'call': {
      const operator = map.term(node.operator) as RefTerm;
      const args = mapList(node.args, map.term);
      return operator === node.operator && args === node.args ? node : { type, loc, operator, args };
    }
    case 'templatestring': {
      const parts = mapList(node.parts, (part) => (part.type === 'expr' ? mapExprChildren(part, map) : map.term(part)));
      return parts === node.parts ? node : { ...node, parts };
    }
    default:
      return node;
  }
}

function mapWith(node: With, map: Mapper): With {
  const target = map.term(node.target);
  const value = map.term(node.value);
  return target === node.target && value === node.value ? node : { type: 'with', loc: node.loc, target, value };
}

/** The expression with its children mapped; the same object if nothing changed. */
export function mapExprChildren(expr: Expr, map: Mapper): Expr {
  const modifiers = expr.with.length === 0 ? expr.with : mapList(expr.with, (modifier) => mapWith(modifier, map));
  const same = modifiers === expr.with;
  switch (expr.kind) {
    case 'term': {
      const term = map.term(expr.term);
      if (same && term === expr.term) return expr;
      return {
        type: 'expr',
        kind: 'term',
        loc: expr.loc,
        negated: expr.negated,
        generated: expr.generated,
        with: modifiers,
        term,
      };
    }
    case 'call': {
      const operator = map.term(expr.operator) as RefTerm;
      const args = mapList(expr.args, map.term);
      if (same && operator === expr.operator && args === expr.args) return expr;
      const { loc, negated, generated } = expr;
      return { type: 'expr', kind: 'call', loc, negated, generated, with: modifiers, operator, args };
    }
    case 'some': {
      const symbols = mapList(expr.symbols, map.term);
      return same && symbols === expr.symbols ? expr : { ...expr, with: modifiers, symbols };
    }
    case 'every': {
      const key = expr.key && (map.term(expr.key) as VarTerm);
      const value = map.term(expr.value) as VarTerm;
      const domain = map.term(expr.domain);
      const body = map.body(expr.body);
      const unchanged =
        same && key === expr.key && value === expr.value && domain === expr.domain && body === expr.body;
      return unchanged ? expr : { ...expr, with: modifiers, key, value, domain, body };
    }
    case 'not': {
      const body = map.body(expr.body);
      return same && body === expr.body ? expr : { ...expr, with: modifiers, body };
    }
    case 'and':
    case 'or': {
      const lhs = map.body(expr.lhs);
      const rhs = map.body(expr.rhs);
      return same && lhs === expr.lhs && rhs === expr.rhs ? expr : { ...expr, with: modifiers, lhs, rhs };
    }
  }
}

/** The head with its children mapped. */
export function mapHeadChildren(head: RuleHead, map: Mapper): RuleHead {
  const ref = mapList(head.ref, map.term);
  const args = head.args && mapList(head.args, map.term);
  const key = head.key && map.term(head.key);
  const value = head.value && map.term(head.value);
  const unchanged = ref === head.ref && args === head.args && key === head.key && value === head.value;
  return unchanged ? head : { ...head, ref, args, key, value };
}
