/** Unification: two operands made equal, unbound variables getting values. */

import { compareTerms, type ObjectTerm, type Term } from '../../compiler/index.js';
import { equal, isArray, isObject, lookup, objectSize, type Value } from '../../values/index.js';
import type { Frame } from './bindings.js';
import type { Machine, Next, Step } from './machine.js';
import type { Search } from './search.js';
import { isBoundTerm, termValue } from './term-value.js';

export function unify(search: Search, a: Term, b: Term, frame: Frame, then: Step): Next {
  const { machine } = search;
  const decide = (holds: boolean): Next => (holds ? then : machine.fail());
  const bind = (pattern: Term, term: Term): Next =>
    search.operand(term, frame, (value) => decide(matchTerm(machine, pattern, value, frame)));
  // Evaluating the other side may bind the variable: `x = xs[x]` compares key and element.
  if (isUnbound(a, frame)) return bind(a, b);
  if (isUnbound(b, frame)) return bind(b, a);
  if (hasParts(a) && hasParts(b)) return decide(unifyParts(machine, a, b, frame));
  if (!isBoundTerm(a, frame)) return bind(a, b);
  if (!needsSearch(b)) return bind(b, a);
  return search.operand(a, frame, (left) => search.operand(b, frame, (right) => decide(equal(left, right))));
}

/** Makes a term equal to a value. Binds variables even where the result is false. */
export function matchTerm(machine: Machine, term: Term, value: Value, frame: Frame): boolean {
  if (isUnbound(term, frame)) {
    machine.bind(frame, term.name, value);
    return true;
  }
  if (isBoundTerm(term, frame)) return equal(termValue(term, frame), value);
  if (term.type === 'array') {
    return (
      isArray(value) &&
      value.length === term.items.length &&
      term.items.every((item, i) => matchTerm(machine, item, value[i]!, frame))
    );
  }
  if (term.type !== 'object') throw new Error(`a ${term.type} with unbound variables cannot be matched`);
  if (!isObject(value) || objectSize(value) !== term.entries.length) return false;
  return term.entries.every(({ key, value: part }) => {
    const found = lookup(value, termValue(key, frame));
    return found !== undefined && matchTerm(machine, part, found, frame);
  });
}

function isUnbound(term: Term, frame: Frame): term is Term & { type: 'var' } {
  return term.type === 'var' && !frame.values.has(term.name);
}

function needsSearch({ type }: Term): boolean {
  return (
    type === 'ref' || type === 'arraycomprehension' || type === 'setcomprehension' || type === 'objectcomprehension'
  );
}

/** Arrays and objects may have unbound variables on both sides; sets have none. */
function hasParts({ type }: Term): boolean {
  return type === 'array' || type === 'object';
}

/** Unifies terms that need no search. */
function unifyParts(machine: Machine, a: Term, b: Term, frame: Frame): boolean {
  if (isBoundTerm(a, frame)) return matchTerm(machine, b, termValue(a, frame), frame);
  if (isBoundTerm(b, frame)) return matchTerm(machine, a, termValue(b, frame), frame);
  if (a.type === 'array' && b.type === 'array') {
    if (a.items.length !== b.items.length) return false;
    return unifyAll(
      machine,
      a.items.map((left, i) => [left, b.items[i]!] as const),
      frame,
    );
  }
  if (a.type === 'object' && b.type === 'object') return unifyObjects(machine, a, b, frame);
  if (a.type === b.type || isUnbound(a, frame) || isUnbound(b, frame))
    throw new Error('both sides of a unification are unbound');
  return false;
}

type Pair = readonly [Term, Term];

/** Unifies pairs with a bound side first: a pair may bind variables of another one. */
function unifyAll(machine: Machine, all: readonly Pair[], frame: Frame): boolean {
  let pairs = all;
  while (pairs.length > 0) {
    const waiting: Pair[] = [];
    for (const pair of pairs) {
      const [a, b] = pair;
      if (!isBoundTerm(a, frame) && !isBoundTerm(b, frame)) waiting.push(pair);
      else if (!unifyParts(machine, a, b, frame)) return false;
    }
    if (waiting.length === pairs.length) {
      // Only nested collections are left: each orders its own parts.
      const nested = Math.max(
        0,
        waiting.findIndex(([a, b]) => a.type !== 'var' && b.type !== 'var'),
      );
      const [[a, b]] = waiting.splice(nested, 1) as [Pair];
      if (!unifyParts(machine, a, b, frame)) return false;
    }
    pairs = waiting;
  }
  return true;
}

function unifyObjects(machine: Machine, a: ObjectTerm, b: ObjectTerm, frame: Frame): boolean {
  if (a.entries.length !== b.entries.length) return false;
  const pairs: Pair[] = [];
  for (const { key, value } of a.entries) {
    const other = b.entries.find((entry) => compareTerms(entry.key, key) === 0);
    if (other === undefined) return false;
    pairs.push([value, other.value]);
  }
  return unifyAll(machine, pairs, frame);
}
