/** Events of unifications, for `debug`: which operands are made equal, down to their parts. */

import type { ObjectEntry, ObjectTerm, RefTerm, Rule, Span, Term } from '../../../compiler/index.js';
import { callExpr, compareTerms, isRoot, operatorRef, varsOf } from '../../../compiler/index.js';
import { equal, isArray, isObject, lookup, objectSize, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { givenTerm } from '../head-terms.js';
import type { Next, Step } from '../machine.js';
import { documentNamed } from '../package-documents.js';
import { isOpen } from '../partial/symbolic.js';
import { isBoundTerm, termValue } from '../term-value.js';
import { unify } from '../unify.js';
import type { Traced } from './traced.js';
import type { TracedPlace } from './traced-machine.js';
import { termOfValue } from './value-term.js';

/** An operand: a term with the frame of its variables, or a value. */
type Side = { readonly term: Term; readonly frame: Frame } | { readonly value: Value };

/** Unifies two operands of an expression, with the events of it. */
export function tracedUnify(search: Traced, a: Term, b: Term, frame: Frame, then: Step): Next {
  const left = { term: a, frame };
  const right = { term: b, frame };
  const finish = (): Next => unify(search, a, b, frame, then);
  if (!needsSearch(a) && !needsSearch(b)) return unifySides(search, left, right) ? finish() : search.machine.fail();
  reportUnify(search, left, right);
  const [searched, other] = needsSearch(a) ? [a, right] : [b, left];
  const isBase = searched.type === 'ref' && readsBase(search, searched);
  search.answered = undefined;
  return search.operand(searched, frame, (value) => {
    const { answered } = search;
    const isHead = answered?.value === value && hasParts(answered.term) && isBoundTerm(answered.term, answered.frame);
    const result: Side = isHead ? { term: answered.term, frame: answered.frame } : { value };
    const sides = [result, other] as const;
    if (needsSearch(other.term)) {
      reportUnify(search, ...sides);
      return search.operand(other.term, frame, (second) =>
        unifySides(search, { value: second }, { value }) ? then : search.machine.fail(),
      );
    }
    const holds = isBase ? unifySides(search, other, { value }) : unifySides(search, ...sides);
    return holds ? then : search.machine.fail();
  });
}

interface Entered {
  readonly called: TracedPlace;
  readonly rule: Rule;
  /** The rule itself, or an `else` of it. */
  readonly link: Rule;
}

/** Tells of the arguments of a call and, where it has one, of its output, in the function. */
export function reportArguments(
  search: Traced,
  { called, rule, link }: Entered,
  args: readonly Value[],
  frame: Frame,
): void {
  const { node } = called;
  const terms = node.type === 'expr' && node.expr.kind === 'call' ? node.expr.args : [];
  const params = rule.head.args ?? [];
  const isCall = terms.length >= params.length;
  const given = isCall ? terms.map((term): Side => ({ term, frame: called.frame })) : args.map((value) => ({ value }));
  for (const [i, param] of params.entries()) {
    // A call gives an argument for each.
    if (!unifySides(search, given[i]!, { term: param, frame })) return;
  }
  const output = isCall && params.length > 0 ? terms[params.length] : undefined;
  if (output !== undefined)
    reportUnify(search, { term: output, frame: called.frame }, { term: givenTerm(link.head), frame });
}

function needsSearch({ type }: Term): boolean {
  return type === 'ref' || type.endsWith('comprehension');
}

function hasParts({ type }: Term): boolean {
  return type === 'array' || type === 'object';
}

function readsBase({ program }: Traced, ref: RefTerm): boolean {
  const [head] = ref.terms;
  return isRoot(head, 'data') && documentNamed(program.root, ref) === undefined;
}

/** Unifies terms and values that need no search, as far as their variables are known. */
function unifySides(search: Traced, a: Side, b: Side): boolean {
  const left = plugged(a);
  const right = plugged(b);
  reportUnify(search, left, right);
  if ('value' in left)
    return 'value' in right ? equal(left.value, right.value) : unifyValue(search, right, left.value, true);
  if ('value' in right) return unifyValue(search, left, right.value, false);
  return unifyTerms(search, left, right);
}

type TermSide = Extract<Side, { term: Term }>;

function unifyValue(search: Traced, { term, frame }: TermSide, value: Value, isRight: boolean): boolean {
  const part = (inner: Term, at: Value): boolean => {
    const side = { term: inner, frame };
    return isRight ? unifySides(search, { value: at }, side) : unifySides(search, side, { value: at });
  };
  switch (term.type) {
    case 'var':
      search.machine.bind(frame, term.name, value);
      return true;
    case 'array':
      return (
        isArray(value) && value.length === term.items.length && term.items.every((item, i) => part(item, value[i]!))
      );
    case 'object': {
      if (!isObject(value) || objectSize(value) !== term.entries.length) return false;
      const entries = term.entries.toSorted((x, y) => compareTerms(x.key, y.key));
      return entries.every(({ key, value: inner }) => {
        const found = lookup(value, termValue(key, frame));
        return found !== undefined && part(inner, found);
      });
    }
    default:
      return !isBoundTerm(term, frame) || equal(termValue(term, frame), value);
  }
}

function unifyTerms(search: Traced, { term: a, frame: left }: TermSide, { term: b, frame: right }: TermSide): boolean {
  if (a.type === 'var')
    return !isBoundTerm(b, right) || unifyValue(search, { term: a, frame: left }, termValue(b, right), false);
  if (b.type === 'var')
    return !isBoundTerm(a, left) || unifyValue(search, { term: b, frame: right }, termValue(a, left), true);
  const pairs = pairsOf(search, { term: a, frame: left }, { term: b, frame: right });
  return pairs?.every(([x, y]) => unifySides(search, { term: x, frame: left }, { term: y, frame: right })) === true;
}

/** The parts of two collections that have to be equal; undefined where they cannot be. */
function pairsOf(
  search: Traced,
  { term: a, frame: leftFrame }: TermSide,
  { term: b, frame: rightFrame }: TermSide,
): (readonly [Term, Term])[] | undefined {
  if (a.type === 'array' && b.type === 'array') {
    return a.items.length === b.items.length ? a.items.map((item, i) => [item, b.items[i]!] as const) : undefined;
  }
  if (a.type !== 'object' || b.type !== 'object' || a.entries.length !== b.entries.length) return undefined;
  const [left, right] = [keyed(search, a, leftFrame), keyed(search, b, rightFrame)];
  const pairs: (readonly [Term, Term])[] = [];
  for (const [i, { key, value }] of left.entries()) {
    const other = right[i];
    if (other === undefined || compareTerms(key, other.key) !== 0) return undefined;
    pairs.push([value, other.value]);
  }
  return pairs;
}

/** The entries with the values of their keys, in order of these. */
function keyed({ machine, terms }: Traced, { entries }: ObjectTerm, frame: Frame): readonly ObjectEntry[] {
  const known = entries.map((entry) => ({
    ...entry,
    key: termOfValue(termValue(entry.key, frame), machine.place.at, terms),
  }));
  return known.sort((x, y) => compareTerms(x.key, y.key));
}

/** Scalars and bound variables have values; collections stay as they are written. */
function plugged(side: Side): Side {
  if ('value' in side) return side;
  const { term, frame } = side;
  switch (term.type) {
    case 'var': {
      const value = frame.values.get(term.name);
      return value === undefined || isOpen(value) ? side : { value };
    }
    case 'array':
    case 'object':
      return side;
    default:
      return needsSearch(term) || !isBoundTerm(term, frame) || hasOpen(term, frame)
        ? side
        : { value: termValue(term, frame) };
  }
}

/** Whether partial evaluation has an open term for a variable. */
function hasOpen(term: Term, { values }: Frame): boolean {
  return [...varsOf(term)].some((name) => isOpen(values.get(name)));
}

/** At the machine's place. */
export function reportUnify(search: Traced, a: Side, b: Side): void {
  const { machine } = search;
  const { place } = machine;
  const sides = [a, b].map((side) => shownTerm(search, plugged(side), place.at));
  const expr = callExpr(place.at, operatorRef(place.at, 'eq'), sides);
  machine.place = { ...place, node: { type: 'expr', expr, index: 0 } };
  search.report('unify');
  machine.place = place;
}

function shownTerm({ terms }: Traced, side: Side, at: Span): Term {
  return 'value' in side ? termOfValue(side.value, at, terms) : side.term;
}
