/** Unification: makes two terms equal and binds variables without a value. */
import type { Operand } from '../../../ir-schema/index.js';
import { compareTerms } from '../../ast/compare-terms.js';
import type { ObjectTerm, Term } from '../../ast/nodes.js';
import type { Span } from '../../source/location.js';
import { local } from '../emit/emit.js';
import { noteCaptured } from '../emit/replaced.js';
import type { Planning } from '../planning.js';

export function planUnify(p: Planning, a: Term, b: Term, span: Span): void {
  // Planning the other side may bind the variable: in `x = xs[x]`, key and element are compared.
  if (isUnbound(p, a)) return planMatch(p, a, p.term(b), span);
  if (isUnbound(p, b)) return planMatch(p, b, p.term(a), span);
  if (a.type === 'array' && b.type === 'array') return unifyAll(p, a.items, b.items, span);
  if (a.type === 'object' && b.type === 'object' && !(isBoundIn(p, a) && isBoundIn(p, b)))
    return unifyObjects(p, a, b, span);
  if (!isBoundIn(p, a)) return planMatch(p, a, p.term(b), span);
  const operand = p.term(a);
  planMatch(p, b, operand, span);
}

/** Makes a term equal to an operand. */
export function planMatch(p: Planning, term: Term, operand: Operand, span: Span): void {
  const { e } = p;
  if (isUnbound(p, term)) return bind(p, term, operand, span);
  if (isBoundIn(p, term)) {
    const value = p.term(term);
    e.emit('EqualStmt', span, { a: operand, b: value });
    return;
  }
  if (term.type === 'array') {
    e.emit('IsArrayStmt', span, { source: operand });
    checkLength(p, operand, term.items.length, span);
    const value = e.asValue(operand, span);
    term.items.forEach((item, i) => {
      const index = numberLocal(p, i, span);
      planMatch(p, item, lookUp(p, value, local(index), item.loc), span);
    });
  } else if (term.type === 'object') {
    e.emit('IsObjectStmt', span, { source: operand });
    checkLength(p, operand, term.entries.length, span);
    const object = e.asValue(operand, span);
    for (const { key, value } of term.entries) planMatch(p, value, lookUp(p, object, p.term(key), value.loc), span);
  } else throw new Error(`a ${term.type} with variables that are not bound cannot be matched`);
}

type UnboundVar = Term & { type: 'var' };

function isUnbound(p: Planning, term: Term): term is UnboundVar {
  return term.type === 'var' && p.e.scope.get(term.name) === undefined;
}

/** Whether all variables of a term are bound; refs and comprehensions bind their own. */
export function isBoundIn(p: Planning, term: Term): boolean {
  switch (term.type) {
    case 'var':
      return p.e.scope.get(term.name) !== undefined;
    case 'array':
    case 'set':
      return term.items.every((item) => isBoundIn(p, item));
    case 'object':
      return term.entries.every(({ key, value }) => isBoundIn(p, key) && isBoundIn(p, value));
    default:
      return true;
  }
}

function bind(p: Planning, variable: UnboundVar, operand: Operand, span: Span): void {
  const { e } = p;
  const value = e.asValue(operand, span);
  e.scope.bind(variable.name, value);
  noteCaptured(p, variable.loc, value);
}

/** Arrays element by element, bound ones first: an element may bind variables of another. */
function unifyAll(p: Planning, a: readonly Term[], b: readonly Term[], span: Span): void {
  if (a.length !== b.length) return p.e.fail(span);
  // Both have the same length.
  unifyPairs(
    p,
    a.map((left, i) => [left, b[i]!] as const),
    span,
  );
}

function unifyPairs(p: Planning, all: readonly (readonly [Term, Term])[], span: Span): void {
  let pairs = all;
  while (pairs.length > 0) {
    const waiting: (readonly [Term, Term])[] = [];
    for (const pair of pairs) {
      const [left, right] = pair;
      if (isBoundIn(p, left) || isBoundIn(p, right)) planUnify(p, left, right, span);
      else waiting.push(pair);
    }
    // Nested arrays order their own elements, after all simpler ones.
    if (waiting.length === pairs.length) {
      const nested = waiting.findIndex(([left, right]) => left.type === right.type && left.type !== 'var');
      if (nested < 0) throw new Error('variables on both sides of a unification are not bound');
      const [[left, right]] = waiting.splice(nested, 1) as [readonly [Term, Term]];
      planUnify(p, left, right, span);
    }
    pairs = waiting;
  }
}

function unifyObjects(p: Planning, a: ObjectTerm, b: ObjectTerm, span: Span): void {
  if (a.entries.length !== b.entries.length) return p.e.fail(span);
  const pairs = a.entries.flatMap(({ key, value }) => {
    const other = b.entries.find((entry) => compareTerms(entry.key, key) === 0);
    return other === undefined ? [] : [[value, other.value] as const];
  });
  if (pairs.length < a.entries.length) {
    // Keys that are variables: their values decide.
    if (isBoundIn(p, a)) return planMatch(p, b, p.term(a), span);
    if (isBoundIn(p, b)) return planMatch(p, a, p.term(b), span);
    return p.e.fail(span);
  }
  unifyPairs(p, pairs, span);
}

function checkLength(p: Planning, source: Operand, length: number, span: Span): void {
  const target = p.e.newLocal();
  p.e.emit('LenStmt', span, { source, target });
  p.e.emit('EqualStmt', span, { a: local(target), b: local(numberLocal(p, length, span)) });
}

function numberLocal(p: Planning, value: number, span: Span): number {
  const target = p.e.newLocal();
  p.e.emit('MakeNumberIntStmt', span, { target, value });
  return target;
}

function lookUp(p: Planning, source: Operand, key: Operand, span: Span): Operand {
  const target = p.e.newLocal();
  p.e.emit('DotStmt', span, { source, key, target });
  return local(target);
}
