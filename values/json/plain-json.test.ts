/** Isolated: how deep the quick check recurses depends on what the process has compiled before. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { ExactNumber } from '../numbers/number.js';
import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import { jsonValue, placeOf } from './plain-json.js';

const plain = ': give a plain object, such as { ...it }, or one with the members that policies read';

class Money {
  toJSON(): number {
    return 1;
  }
}

class User {
  name = 'ann';
}

class Apple {}

function refused(value: unknown): string {
  try {
    jsonValue(value, ({ path, problem }) => new Error(`${placeOf('input', path)} ${problem}`));
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
}

function nested(depth: number, innermost: unknown = null): unknown {
  let value: unknown = innermost;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

const cycle: { next?: unknown } = {};
cycle.next = [1, cycle];

/** Values that are not JSON, and the error messages for them. */
const others: readonly (readonly [value: unknown, problem: string])[] = [
  [new Date(0), 'is a Date: give its toISOString()'],
  [new Map([['a', 1]]), 'is a Map: give Object.fromEntries(map)'],
  [new Set([1]), 'is a Set: give an array, [...set]'],
  [10n, 'is a BigInt: give a number, or parseJson("10")'],
  [() => 1, 'is a function'],
  [Symbol('s'), 'is a symbol'],
  [Number.NaN, 'is NaN'],
  [Number.NEGATIVE_INFINITY, 'is -Infinity'],
  [new User(), `is a User${plain}`],
  [new Apple(), `is an Apple${plain}`],
  [new Money(), 'is a Money: give what its toJSON() returns'],
  [new Uint8Array(2), 'is a Uint8Array'],
  [/x/, 'is a RegExp'],
  [new Error('x'), 'is an Error'],
  [Promise.resolve(), 'is a Promise'],
  [cycle, 'is an object that holds itself'],
];

describe('a value that is no JSON is refused, by its place', () => {
  test.each(others)('%o', (value, problem) => {
    const where = value === cycle ? ['.next[1]', '.user.born.next[1]', '.list[2].next[1]'] : ['', '.user.born', '.list[2]'];
    expect(refused(value)).toBe(`input${where[0]} ${problem}`);
    expect(refused({ user: { born: value } })).toBe(`input${where[1]} ${problem}`);
    expect(refused({ list: [0, {}, value] })).toBe(`input${where[2]} ${problem}`);
  });

  test('an object that inherits', () => {
    expect(refused(Object.create({ a: 1 }))).toBe('input is an object that inherits');
    expect(refused({ user: Object.create({ isAdmin: () => true }) })).toBe('input.user is an object that inherits');
  });

  test('undefined in an array', () => {
    expect(refused({ list: [1, undefined] })).toBe('input.list[1] is undefined');
    // biome-ignore lint/suspicious/noSparseArray: the test needs a hole
    expect(refused({ list: [1, , 2] })).toBe('input.list[1] is undefined');
  });

  test('a key that is no name is quoted', () => {
    expect(refused({ 'a b': { 'c/d': [new Date(0)] } })).toMatch(/^input\["a b"\]\["c\/d"\]\[0\] is a Date/);
  });

  test('nesting that is too deep', () => {
    expect(refused(nested(10_000))).toBe('nothing was refused');
    expect(refused(nested(10_001))).toMatch(/^input(?:\.a|\[0\]){20}… nests more than 10000 deep$/);
    expect(refused(nested(9_000, new Date(0)))).toMatch(/… is a Date/);
  });

  test('at any position', () => {
    const document = fc.jsonValue({ maxDepth: 5 }).filter((value) => typeof value === 'object' && value !== null);
    fc.assert(
      fc.property(document, fc.constantFrom(...others), fc.array(fc.nat()), (given, [value, problem], turns) => {
        // Walks to a collection along the random turns, and inserts the value there.
        const copy = structuredClone(given);
        let at = copy as Record<string, unknown>;
        const path: (string | number)[] = [];
        for (const turn of turns) {
          const inner = Object.entries(at).filter(([, child]) => typeof child === 'object' && child !== null);
          if (inner.length === 0) break;
          const [key, child] = inner[turn % inner.length]!;
          path.push(Array.isArray(at) ? Number(key) : key);
          at = child as Record<string, unknown>;
        }
        path.push(Array.isArray(at) ? at.length : 'added');
        Object.defineProperty(at, path.at(-1)!, { value, enumerable: true, configurable: true, writable: true });
        const place = placeOf('input', value === cycle ? [...path, 'next', 1] : path);
        expect(refused(copy)).toBe(`${place} ${problem}`);
      }),
      { numRuns: randomCases(300) },
    );
  });
});

describe('JSON passes', () => {
  const never = () => new Error('refused');

  test('as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonValue(value, never)).toBe(value);
      }),
      { numRuns: randomCases(300) },
    );
  });

  test('objects without a prototype, of other realms, and values of the language too', () => {
    const bare = Object.assign(Object.create(null), { a: [1] });
    const foreign = Object.assign(Object.create(Object.create(null, { constructor: { value: Object } })), { a: 1 });
    const own = { set: new RegoSet([1]), object: new RegoObject([[1, 2]]), number: new ExactNumber('1e400') };
    const named = { constructor: 'Object', ['__proto__']: [1], a: { constructor: { b: 1 } } };
    for (const value of [bare, foreign, own, named]) expect(jsonValue(value, never)).toBe(value);
  });

  test('without members that are undefined, as JSON.stringify writes it; what was given stays', () => {
    const given = { a: undefined, b: [{ c: undefined, d: 1 }], ['__proto__']: { e: undefined } };
    expect(jsonValue(given, never)).toEqual(JSON.parse(JSON.stringify(given)));
    expect(Object.keys(given)).toContain('a');
  });

  test('that stands in many places, in the time of one', () => {
    let value: unknown = { last: undefined };
    for (let i = 0; i < 60; i++) value = [value, value];
    const copy = jsonValue(value, never) as readonly unknown[];
    expect(copy[0]).toBe(copy[1]);
  });
});
