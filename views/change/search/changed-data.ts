/** The constants in which two documents differ: keys on the way to differences, and values. */
import { equal, isArray, isPlainObject, type Value } from '../../../values/index.js';

const mostConstants = 30;

/** Strings, numbers and booleans at differences and on the way there, each once. */
export function changedConstants(old: Value | undefined, next: Value | undefined): readonly Value[] {
  const found = new Set<Value>();
  visit(old, next, [], found);
  return [...found];
}

function visit(old: Value | undefined, next: Value | undefined, way: readonly Value[], found: Set<Value>): void {
  if (found.size >= mostConstants || old === next) return;
  if (isPlainObject(old) && isPlainObject(next)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
      const [a, b] = [old, next].map((object) => (Object.hasOwn(object, key) ? object[key] : undefined));
      if (a === undefined || b === undefined || !equal(a, b)) visit(a, b, [...way, key], found);
    }
    return;
  }
  if (isArray(old as Value) && isArray(next as Value)) {
    const [a, b] = [old as readonly Value[], next as readonly Value[]];
    const without = (all: readonly Value[], others: readonly Value[]) =>
      all.filter((one) => !others.some((other) => equal(one, other)));
    // Elements that were added or removed move others.
    if (a.length * b.length < 1_000_000) for (const one of [...without(a, b), ...without(b, a)]) take(one, way, found);
    return;
  }
  take(old, way, found);
  take(next, way, found);
}

function take(value: Value | undefined, way: readonly Value[], found: Set<Value>): void {
  for (const constant of [...scalarsOf(value), ...way]) if (found.size < mostConstants) found.add(constant);
}

function* scalarsOf(value: Value | undefined): Generator<Value> {
  if (isArray(value as Value)) for (const item of value as readonly Value[]) yield* scalarsOf(item);
  else if (isPlainObject(value))
    for (const [key, member] of Object.entries(value)) {
      yield key;
      yield* scalarsOf(member);
    }
  else if (value !== undefined) {
    yield value;
    // A threshold is passed by one more or less.
    if (typeof value === 'number') yield* [value + 1, value - 1];
  }
}
