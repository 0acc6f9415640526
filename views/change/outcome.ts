/** Outcomes of a decision by a version, and the kinds of their differences. */
import type { EvaluationError } from '../../runtime/index.js';
import { equal, isArray, isObject, isSet, jsonCopy, objectGet, type Value } from '../../values/index.js';

/** The outcome of a decision. */
export type DecisionOutcome =
  /** Undefined where the document is. */
  | { readonly kind: 'value'; readonly value: Value | undefined }
  | { readonly kind: 'error'; readonly error: EvaluationError }
  /** It cannot be decided: the reason. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The kinds of differences, in the order of reports. */
export const differenceKinds = ['allowed', 'denied', 'error', 'undefined', 'value', 'recovered', 'slower'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** The words of reports. */
export const kindTexts: Readonly<Record<DifferenceKind, string>> = {
  allowed: 'newly allowed',
  denied: 'newly denied',
  error: 'newly an error',
  undefined: 'newly undefined',
  value: 'other value',
  recovered: 'no longer an error',
  slower: 'slower',
};

type Known = Exclude<DecisionOutcome, { readonly kind: 'unknown' }>;

/**
 * The kind of difference of two outcomes; undefined where they are the same. Values are the same if
 * their JSON is.
 * @param path of the decision: of rules named `deny` and `violation`, an answer that is not empty
 * denies
 */
export function differenceOf(path: readonly string[], before: Known, after: Known): DifferenceKind | undefined {
  if (before.kind === 'error') return after.kind === 'error' ? undefined : 'recovered';
  if (after.kind === 'error') return 'error';
  if (sameJson(before.value, after.value)) return undefined;
  const [was, is] = [verdictOf(path, before.value), verdictOf(path, after.value)];
  if (is === true && was !== true && was !== undefined) return 'allowed';
  if (was === true && is === false) return 'denied';
  return after.value === undefined ? 'undefined' : 'value';
}

/** Whether two values have the same JSON: a set and the array of its members do. */
export function sameJson(a: Value | undefined, b: Value | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (equal(a, b)) return true;
  const isAtom = (value: Value) => typeof value !== 'object' || value === null;
  return !isAtom(a) && !isAtom(b) && equal(jsonCopy(a), jsonCopy(b));
}

const denials = /^(?:deny|violations?)(?:_|$)/;
const verdictMembers = ['allow', 'allowed', 'decision'];

/**
 * Whether an answer allows: true does; false and undefined do not; an object does as its member
 * `allow`, `allowed` or `decision`; no denials do. Undefined for other values.
 */
function verdictOf(path: readonly string[], value: Value | undefined): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (denials.test(path.at(-1) ?? '')) {
    if (value === undefined) return true;
    if (isArray(value)) return value.length === 0;
    if (isSet(value)) return value.size === 0;
    return undefined;
  }
  if (value === undefined) return false;
  if (!isObject(value)) return undefined;
  for (const name of verdictMembers) {
    const member = objectGet(value, name);
    if (typeof member === 'boolean') return member;
  }
  return undefined;
}
