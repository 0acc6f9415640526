/** Equalities: `x = y` in all its forms. */

import { compareTerms, isLiteral, type Term } from '../../../compiler/index.js';
import type { Frame } from '../bindings.js';
import type { Next, Step } from '../machine.js';
import { anyTerm, type PartialAsked, type PartialSearch, type PartialSource } from './partial-search.js';
import { plug } from './plug.js';
import { isOpen, isPlainTerm, Open, resolve, type Symbolic } from './symbolic.js';
import { matchSymbolic, unifyValues } from './symbolic-unification.js';

export function partialEquality(search: PartialSearch, a: Term, b: Term, frame: Frame, then: Step): Next {
  const { machine, trace } = search;
  trace?.unify(a, b, frame);
  const told = (value: Symbolic, source: PartialSource, other: Term): void => {
    if (source === 'rule' && !isOpen(value)) trace?.unifyValue(value, other, frame);
  };
  const decide = (holds: boolean): Next => (holds ? then : machine.fail());
  const [isFree, isOtherFree] = [isUnbound(a, frame), isUnbound(b, frame)];
  if (isFree && isOtherFree) return decide(matchPatterns(search, a, b, frame));
  if (isFree)
    return search.symbolic(b, frame, anyTerm, (value, source) => {
      told(value, source, a);
      return decide(matchSymbolic(search, a, value, frame, source !== 'rule'));
    });
  if (isOtherFree)
    return search.symbolic(a, frame, anyTerm, (value, source) => {
      told(value, source, b);
      return decide(matchSymbolic(search, b, value, frame, false));
    });
  return search.symbolic(a, frame, asks(b, frame), (left, leftSource) => {
    told(left, leftSource, b);
    // A comprehension is not evaluated for something unknown.
    if (leftSource === 'unknown' && isClosure(b))
      return decide(unifyValues(search, left, new Open(plug(search, b, frame))));
    return search.symbolic(b, frame, { equals: left }, (right, rightSource) => {
      const swapped = isOpen(left) ? isAskedFirst(leftSource, rightSource) : leftSource === 'base' && isOpen(right);
      return decide(swapped ? unifyValues(search, right, left) : unifyValues(search, left, right));
    });
  });
}

/** Whether the right side is evaluated before the left one, which is unknown. */
function isAskedFirst(left: PartialSource, right: PartialSource): boolean {
  return left === 'unknown' && (right === 'input' || right === 'rule');
}

function asks(term: Term, frame: Frame): PartialAsked {
  return { equals: isPlainTerm(term) ? resolve(term, frame) : undefined };
}

function isClosure(term: Term): boolean {
  return !isPlainTerm(term) && term.type !== 'ref';
}

/** Whether a term has variables without values; those of refs and closures are no matter. */
function isUnbound(term: Term, frame: Frame): boolean {
  return isPlainTerm(term) && resolve(term, frame) === undefined;
}

/** Two patterns: each side may bind variables of the other. */
function matchPatterns(search: PartialSearch, a: Term, b: Term, frame: Frame): boolean {
  const pairs = pairsOf(a, b);
  if (pairs === undefined) return canMatch(a, b) && matchSymbolic(search, a, new Open(plug(search, b, frame)), frame);
  const waiting = pairs;
  while (waiting.length > 0) {
    const next = waiting.findIndex(([left, right]) => !isUnbound(left, frame) || !isUnbound(right, frame));
    const [[left, right]] = waiting.splice(Math.max(next, 0), 1) as [[Term, Term]];
    if (!matchPair(search, left, right, frame)) return false;
  }
  return true;
}

function matchPair(search: PartialSearch, a: Term, b: Term, frame: Frame): boolean {
  const [left, right]: (Symbolic | undefined)[] = [resolve(a, frame), resolve(b, frame)];
  if (left !== undefined) return matchSymbolic(search, b, left, frame, false);
  if (right !== undefined) return matchSymbolic(search, a, right, frame);
  return matchPatterns(search, a, b, frame);
}

/** Whether terms without pairs may be equal: objects with keys that are not known. */
function canMatch(a: Term, b: Term): boolean {
  if (a.type === 'var' || b.type === 'var') return true;
  return a.type === 'object' && b.type === 'object' && ![...a.entries, ...b.entries].every(({ key }) => isLiteral(key));
}

function pairsOf(a: Term, b: Term): [Term, Term][] | undefined {
  if (a.type === 'array' && b.type === 'array') {
    return a.items.length === b.items.length ? a.items.map((item, i) => [item, b.items[i]!]) : undefined;
  }
  if (a.type !== 'object' || b.type !== 'object' || a.entries.length !== b.entries.length) return undefined;
  const pairs = a.entries.map(({ key, value }): [Term, Term] | undefined => {
    const other = b.entries.find((entry) => compareTerms(entry.key, key) === 0);
    return other && [value, other.value];
  });
  return pairs.every((pair) => pair !== undefined) ? (pairs as [Term, Term][]) : undefined;
}
