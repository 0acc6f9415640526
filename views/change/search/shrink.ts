/** The smallest input that still shows something. */
import { isArray, isPlainObject, type Value } from '../../../values/index.js';

/** Inputs that are tried at most. */
const mostTries = 500;

/** Removes and shortens parts of an input as long as the result still shows what is wanted. */
export async function shrunk(
  input: Value | undefined,
  shows: (smaller: Value | undefined) => Promise<boolean>,
): Promise<Value | undefined> {
  let current = input;
  let left = mostTries;
  for (;;) {
    let smaller: Value | undefined;
    let isFound = false;
    for (const candidate of smallerThan(current)) {
      if (left-- <= 0) return current;
      if (!(await shows(candidate))) continue;
      smaller = candidate;
      isFound = true;
      break;
    }
    if (!isFound) return current;
    current = smaller;
  }
}

/** Values with one part less, or a simpler part. */
function* smallerThan(value: Value | undefined): Generator<Value | undefined> {
  if (isPlainObject(value)) {
    for (const key of Object.keys(value)) yield without(value, key);
    for (const [key, member] of Object.entries(value))
      for (const smaller of smallerThan(member))
        if (smaller !== undefined)
          yield Object.fromEntries(Object.entries(value).map(([name, own]) => [name, name === key ? smaller : own]));
  } else if (isArray(value as Value)) {
    const items = value as readonly Value[];
    for (let i = 0; i < items.length; i++) yield items.toSpliced(i, 1);
    for (let i = 0; i < items.length; i++)
      for (const smaller of smallerThan(items[i])) if (smaller !== undefined) yield items.with(i, smaller);
  } else if (typeof value === 'string') {
    const characters = Array.from(value);
    if (characters.length > 1) yield characters[0]!;
    if (characters.length > 8) yield characters.slice(0, characters.length >> 1).join('');
  } else if (typeof value === 'number' && value !== 0) {
    yield 0;
    if (value !== 1 && Math.abs(value) !== 1) yield 1;
    if (!Number.isInteger(value)) yield Math.trunc(value);
  }
}

function without(value: { readonly [key: string]: Value }, key: string): Value {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
