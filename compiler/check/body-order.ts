/** The order in which the expressions of one body can be evaluated. */
import type { Body, Expr, Node, Term } from '../ast/nodes.js';
import { forEachChild } from '../ast/walk.js';
import { addVars } from '../resolve/expression-kinds.js';
import { type Bound, isBound } from './bound.js';
import { type Arity, outputsOf } from './output-vars.js';
import { addSafetyVars, type NameSink } from './safety-vars.js';

interface BodyOrder {
  /** The expressions whose variables are bound, in order. */
  readonly ordered: readonly Expr[];
  /** For each of the others, the variables that nothing binds. */
  readonly unsafe: ReadonlyMap<Expr, ReadonlySet<string>>;
  /** The expressions that have closures with variables in them. */
  readonly closing: ReadonlySet<Expr>;
}

interface Candidate {
  readonly expr: Expr;
  /** Variables in closures that the body has outside of them, too. */
  readonly closes: readonly string[];
  lacks: ReadonlySet<string>;
  done: boolean;
}

/**
 * Appends each expression whose variables are bound, in source order where possible, until none is
 * left or none can be added. An expression that lacks a variable is tried again once that variable
 * is bound.
 */
export function orderBody(body: Body, outside: Bound, arity: Arity): BodyOrder {
  const closing = new Set<Expr>();
  const candidates = candidatesOf(body, outside, closing);
  const ordered: Expr[] = [];
  const bound = new Set<string>();
  const now: Bound = { has: (name) => bound.has(name) || outside.has(name) };
  const lacking = new Lacking(now);
  let waiting: Map<string, number[]> | undefined;
  let current: IndexHeap | undefined;
  let next: IndexHeap | undefined;
  const look = (i: number): void => {
    const candidate = candidates[i]!;
    if (candidate.done) return;
    const outputs = outputsOf(candidate.expr, arity, now);
    candidate.lacks = lackedBy(candidate, outputs, lacking);
    if (candidate.lacks.size > 0) {
      waiting ??= new Map();
      for (const name of candidate.lacks) {
        const list = waiting.get(name);
        if (list) list.push(i);
        else waiting.set(name, [i]);
      }
      return;
    }
    candidate.done = true;
    ordered.push(candidate.expr);
    if (outputs.size === 0) return;
    for (const name of outputs) {
      if (bound.has(name)) continue;
      bound.add(name);
      for (const other of waiting?.get(name) ?? noIndexes) {
        if (other > i && current) current.push(other);
        else (next ??= new IndexHeap()).push(other);
      }
      waiting?.delete(name);
    }
  };
  // Most bodies are in order as they are written. An expression that waits in the first round
  // stands before the one that binds its variables.
  for (let i = 0; i < candidates.length; i++) look(i);
  while (next) {
    current = next;
    next = undefined;
    for (let i = current.pop(); i !== undefined; i = current.pop()) look(i);
  }
  const unsafe = new Map<Expr, ReadonlySet<string>>();
  for (const { expr, lacks, done } of candidates) if (!done) unsafe.set(expr, lacks);
  return { ordered, unsafe, closing };
}

function candidatesOf(body: Body, outside: Bound, closing: Set<Expr>): readonly Candidate[] {
  const candidates = body.map((expr): Candidate => {
    let closes = noNames;
    if (mayClose(expr)) {
      const closed = new Set<string>();
      addClosureVars(expr, closed);
      if (closed.size > 0) {
        closing.add(expr);
        closes = [...closed];
      }
    }
    return { expr, closes, lacks: none, done: false };
  });
  if (closing.size === 0) return candidates;
  const all = new Set<string>();
  for (const expr of body) addSafetyVars(expr, all);
  return candidates.map((candidate) => {
    if (candidate.closes === noNames) return candidate;
    return { ...candidate, closes: candidate.closes.filter((name) => all.has(name) && !isBound(name, outside)) };
  });
}

const noNames: readonly string[] = [];
const noIndexes: readonly number[] = [];

/** Whether a term may contain closures. */
function mayClose(expr: Expr): boolean {
  if (expr.with.length > 0) return true;
  switch (expr.kind) {
    case 'term':
      return !isPlain(expr.term);
    case 'call':
      return !expr.args.every(isPlain);
    default:
      return true;
  }
}

function isPlain(term: Term): boolean {
  switch (term.type) {
    case 'var':
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return true;
    case 'ref':
      return term.terms.every(isPlain);
    case 'array':
    case 'set':
      return term.items.every(isPlain);
    default:
      return false;
  }
}

/** Adds the variables in comprehensions and in the bodies of `every` and of operands in braces. */
function addClosureVars(node: Node, names: Set<string>): void {
  switch (node.type) {
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      addVars(node, names);
      return;
    case 'expr': {
      if (node.kind === 'every') for (const expr of node.body) addVars(expr, names);
      else if (node.kind === 'not') addOperand(node.body, node.explicit, names);
      else if (node.kind === 'and' || node.kind === 'or') {
        addOperand(node.lhs, node.explicitLhs, names);
        addOperand(node.rhs, node.explicitRhs, names);
      } else forEachChild(node, (child) => addClosureVars(child, names));
      return;
    }
    case 'var':
    case 'string':
    case 'number':
      return;
    case 'ref':
      for (const term of node.terms) addClosureVars(term, names);
      return;
    case 'array':
    case 'set':
      for (const item of node.items) addClosureVars(item, names);
      return;
    case 'object':
      for (const { key, value } of node.entries) {
        addClosureVars(key, names);
        addClosureVars(value, names);
      }
      return;
    default:
      forEachChild(node, (child) => addClosureVars(child, names));
  }
}

function addOperand(body: Body, explicit: boolean, names: Set<string>): void {
  for (const expr of body) {
    if (explicit) addVars(expr, names);
    else addClosureVars(expr, names);
  }
}

/** Collects names that are neither bound nor outputs. */
class Lacking implements NameSink {
  readonly now: Bound;
  outputs: ReadonlySet<string> = none;
  lacks: Set<string> | undefined;

  constructor(now: Bound) {
    this.now = now;
  }

  add(name: string): void {
    if (!this.outputs.has(name) && !isBound(name, this.now)) (this.lacks ??= new Set()).add(name);
  }
}

/** The variables of an expression that are not bound, and that it does not bind itself. */
function lackedBy({ expr, closes }: Candidate, outputs: ReadonlySet<string>, lacking: Lacking): ReadonlySet<string> {
  const { now } = lacking;
  // A comprehension does not bind variables of its surroundings: `x = [x | x = 1]`.
  const unbound = closes.length > 0 ? closes.filter((name) => !isBound(name, now)) : closes;
  if (unbound.length > 0 && unbound.length === [...outputs].filter((name) => !isBound(name, now)).length) {
    if (unbound.every((name) => outputs.has(name))) return new Set(unbound);
  }
  lacking.outputs = outputs;
  lacking.lacks = undefined;
  addSafetyVars(expr, lacking);
  for (const name of unbound) lacking.add(name);
  return lacking.lacks ?? none;
}

const none: ReadonlySet<string> = new Set();

/** Numbers that come out smallest first. */
class IndexHeap {
  readonly #items: number[] = [];

  push(item: number): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (items[parent]! <= item) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): number | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && items[child + 1]! < items[child]!) child++;
      if (items[child]! >= last) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
