/** Tests of one value, and what follows from several of them. */

import { compare, isNumber, type TypeName, typeName, type Value } from '../../../values/index.js';

/** A test that a condition makes of a value that is defined. */
export type ValueTest =
  | { readonly op: 'eq' | 'neq' | 'lt' | 'lte' | 'gt' | 'gte'; readonly value: Value }
  | { readonly op: 'in'; readonly values: readonly Value[] }
  | { readonly op: 'prefix' | 'suffix' | 'substring'; readonly value: string }
  | { readonly op: 'type'; readonly types: readonly TypeName[] }
  /** A form that a function gives to all of its results. */
  | { readonly op: 'form'; readonly fits: (value: Value) => boolean }
  | { readonly op: 'not false' | 'defined' };

/** Whether a value passes a test. */
function passes(test: ValueTest, value: Value): boolean {
  switch (test.op) {
    case 'eq':
      return compare(value, test.value) === 0;
    case 'neq':
      return compare(value, test.value) !== 0;
    case 'lt':
      return compare(value, test.value) < 0;
    case 'lte':
      return compare(value, test.value) <= 0;
    case 'gt':
      return compare(value, test.value) > 0;
    case 'gte':
      return compare(value, test.value) >= 0;
    case 'in':
      return test.values.some((member) => compare(value, member) === 0);
    case 'prefix':
      return typeof value === 'string' && value.startsWith(test.value);
    case 'suffix':
      return typeof value === 'string' && value.endsWith(test.value);
    case 'substring':
      return typeof value === 'string' && value.includes(test.value);
    case 'type':
      return test.types.includes(typeName(value));
    case 'form':
      return test.fits(value);
    case 'not false':
      return value !== false;
    case 'defined':
      return true;
  }
}

function isNever({ lower, upper }: Bounds): boolean {
  if (lower === undefined || upper === undefined) return false;
  const order = compare(lower.value, upper.value);
  return order > 0 || (order === 0 && (lower.isOpen || upper.isOpen));
}

interface Bound {
  readonly value: Value;
  readonly isOpen: boolean;
}

interface Bounds {
  readonly lower: Bound | undefined;
  readonly upper: Bound | undefined;
}

function boundsOf(tests: readonly ValueTest[]): Bounds {
  let lower: Bound | undefined;
  let upper: Bound | undefined;
  for (const test of tests) {
    if (test.op === 'gt' || test.op === 'gte') lower = tighter(lower, test, 1);
    else if (test.op === 'lt' || test.op === 'lte') upper = tighter(upper, test, -1);
  }
  return { lower, upper };
}

function tighter(
  bound: Bound | undefined,
  { op, value }: { readonly op: string; readonly value: Value },
  sign: 1 | -1,
): Bound {
  const isOpen = op === 'gt' || op === 'lt';
  const order = bound === undefined ? 1 : sign * compare(value, bound.value);
  return order > 0 || (order === 0 && isOpen) ? { value, isOpen } : bound!;
}

/** The only values that tests leave over; undefined where they are not listed. */
function listed(tests: readonly ValueTest[]): readonly Value[] | undefined {
  for (const test of tests) {
    if (test.op === 'eq') return [test.value];
    if (test.op === 'in') return test.values;
  }
  return undefined;
}

/**
 * Whether no value passes all tests, as far as that is plain: of values that are listed each fails,
 * bounds exclude each other, or two beginnings, ends or types do.
 */
export function isImpossible(tests: readonly ValueTest[]): boolean {
  const values = listed(tests);
  if (values !== undefined) return !values.some((value) => tests.every((test) => passes(test, value)));
  if (isNever(boundsOf(tests))) return true;
  return tests.some((test, i) => tests.some((other, j) => j > i && excludes(test, other)));
}

/** Whether no value passes two tests that are no comparisons. */
function excludes(a: ValueTest, b: ValueTest): boolean {
  if (a.op === 'prefix' && b.op === 'prefix') return !a.value.startsWith(b.value) && !b.value.startsWith(a.value);
  if (a.op === 'suffix' && b.op === 'suffix') return !a.value.endsWith(b.value) && !b.value.endsWith(a.value);
  if (a.op === 'form' || b.op === 'form') return excludesForm(a, b);
  const [types, others] = [typesOf(a), typesOf(b)];
  return types !== undefined && others !== undefined && !types.some((type) => others.includes(type));
}

/** Parts of a text have its form. */
function excludesForm(a: ValueTest, b: ValueTest): boolean {
  const [form, other] = a.op === 'form' ? [a, b] : [b, a];
  const isText = other.op === 'prefix' || other.op === 'suffix' || other.op === 'substring';
  return isText && form.op === 'form' && !form.fits(other.value);
}

/** The types that values have that pass a test; undefined where they may have any. */
function typesOf(test: ValueTest): readonly TypeName[] | undefined {
  if (test.op === 'type') return test.types;
  return test.op === 'prefix' || test.op === 'suffix' || test.op === 'substring' ? ['string'] : undefined;
}

/** Whether each value that passes some tests passes another one too, as far as that is plain. */
export function follows(test: ValueTest, from: readonly ValueTest[]): boolean {
  if (from.length === 0) return false;
  if (test.op === 'defined') return true;
  const values = listed(from);
  if (values !== undefined) {
    const left = values.filter((value) => from.every((other) => passes(other, value)));
    return left.length > 0 && left.every((value) => passes(test, value));
  }
  if (from.some((other) => isSame(test, other))) return true;
  switch (test.op) {
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return isWithin(boundsOf(from), test);
    case 'neq':
      return from.some((other) => !passes(other, test.value));
    case 'prefix':
      return from.some((other) => other.op === 'prefix' && other.value.startsWith(test.value));
    case 'suffix':
      return from.some((other) => other.op === 'suffix' && other.value.endsWith(test.value));
    case 'type':
      return from.some((other) => typesOf(other)?.every((type) => test.types.includes(type)));
    case 'not false':
      return from.some((other) => other.op !== 'defined' && !passes(other, false));
    default:
      return false;
  }
}

function isWithin({ lower, upper }: Bounds, test: Extract<ValueTest, { readonly value: Value }>): boolean {
  const isUpper = test.op === 'lt' || test.op === 'lte';
  const bound = isUpper ? upper : lower;
  if (bound === undefined) return false;
  const order = compare(test.value, bound.value) * (isUpper ? 1 : -1);
  return order > 0 || (order === 0 && (bound.isOpen || test.op === 'lte' || test.op === 'gte'));
}

function isSame(a: ValueTest, b: ValueTest): boolean {
  if (a.op !== b.op) return false;
  if ('value' in a && 'value' in b) return compare(a.value, b.value) === 0;
  if (a.op === 'in' && b.op === 'in') return compare(a.values, b.values) === 0;
  return a.op === 'not false' || a.op === 'defined';
}

/** A value that passes some tests and fails others; undefined where none is found. */
export function witness(tests: readonly ValueTest[], failing: readonly ValueTest[]): Value | undefined {
  const candidates = [...tests, ...failing].flatMap(candidatesOf);
  candidates.push(true, 'x', 1);
  return candidates.find(
    (value) => tests.every((test) => passes(test, value)) && !failing.some((test) => passes(test, value)),
  );
}

function candidatesOf(test: ValueTest): readonly Value[] {
  switch (test.op) {
    case 'eq':
    case 'neq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return isNumber(test.value) && typeof test.value === 'number'
        ? [test.value, test.value + 1, test.value - 1, test.value + 0.5, test.value - 0.5]
        : [test.value];
    case 'in':
      return test.values;
    case 'prefix':
      return [test.value, `${test.value}x`];
    case 'suffix':
    case 'substring':
      return [test.value, `x${test.value}`];
    case 'type':
      return [null, true, 1, 'x', [], {}];
    default:
      return [];
  }
}
