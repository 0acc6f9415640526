import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { jsonValue } from '../../values/json/plain-json.js';
import { ExactNumber } from '../../values/numbers/number.js';
import { Engine } from '../index.js';
import { checkBudget, InputCheck } from './input-check.js';

/** A check that has seen enough inputs to know their shape. */
function warm(samples: readonly unknown[], budget = checkBudget('warm')): InputCheck {
  const check = new InputCheck(budget);
  for (let i = 0; i < 600; i++) check.takes(samples[i % samples.length]);
  return check;
}

/** Whether the general check returns the value itself. */
function isTaken(value: unknown): boolean {
  try {
    return jsonValue(value, () => new Error('refused')) === value;
  } catch {
    return false;
  }
}

const cycle: { next?: unknown } = {};
cycle.next = cycle;

const sparse = ['a'];
sparse[2] = 'b';

class User {
  name = 'ann';
}

/** Replacements of a part of a value. */
const parts = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    ...[new Date(0), new Map([['a', 1]]), new Set([1]), 10n, () => 1, Symbol('s'), Number.NaN, Number.POSITIVE_INFINITY, undefined],
    ...[cycle, sparse, [undefined], { a: undefined }, new User(), new ExactNumber('1e400'), Object.create({ a: 1 }), Object.create(null)],
    ...[JSON.parse('{"__proto__": 1, "a": "b"}'), { constructor: 1 }, { toString: 1 }, new Proxy({ a: 1 }, {}), Object.freeze({ a: [] })],
  ),
);

/** How a part is put into an object. */
const descriptors = fc.constantFrom<(value: unknown) => PropertyDescriptor>(
  (value) => ({ value, enumerable: true, writable: true, configurable: true }),
  (value) => ({ value, enumerable: false, writable: true, configurable: true }),
  (value) => ({ get: () => value, enumerable: true, configurable: true }),
);

const keys = fc.constantFrom<string | symbol>('a', 'b', 'c', 'd', '0', '', 'length', '__proto__', 'constructor', 'valueOf', Symbol('k'));
const changes = fc.array(fc.record({ key: keys, part: parts, descriptor: descriptors, turns: fc.array(fc.nat(7), { maxLength: 4 }) }), {
  maxLength: 3,
});

/** A copy with parts that were added or replaced. */
function changed(
  value: object,
  all: readonly { key: string | symbol; part: unknown; descriptor: (value: unknown) => PropertyDescriptor; turns: readonly number[] }[],
): object {
  const copy = JSON.parse(JSON.stringify(value)) as object;
  for (const { key, part, descriptor, turns } of all) {
    let at = copy;
    for (const turn of turns) {
      const inner = Object.values(at).filter((child) => typeof child === 'object' && child !== null && Object.isExtensible(child));
      if (inner.length > 0) at = inner[turn % inner.length] as object;
    }
    if (Array.isArray(at)) at.push(part);
    else if (at !== cycle && Object.isExtensible(at) && Object.getPrototypeOf(at) !== null)
      Object.defineProperty(at, key, descriptor(part));
  }
  return copy;
}

const members = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('x', '', 1, 0.5, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.record({ a: tie('value'), b: tie('value'), c: fc.constant('z') }, { requiredKeys: ['c'] }),
})).object;
const samples = fc
  .array(fc.record({ input: members, list: fc.array(members, { maxLength: 3 }) }), { minLength: 1, maxLength: 3 })
  .map((all) => JSON.parse(JSON.stringify(all)) as object[]);

describe('a check that knows the shape of its inputs', () => {
  test('takes only values that the general check takes as they are', () => {
    fc.assert(
      fc.property(samples, changes, (given, all) => {
        const check = warm(given);
        for (const sample of given) {
          expect(check.takes(sample)).toBe(check.isQuick);
          const value = changed(sample, all);
          if (check.takes(value)) expect(isTaken(value)).toBe(true);
        }
      }),
      { numRuns: randomCases(500) },
    );
  });

  test('takes JSON of other shapes', () => {
    fc.assert(
      fc.property(samples, fc.jsonValue(), (given, value) => {
        const check = warm(given);
        if (check.isQuick) for (const other of [value, { input: value }, { list: [value] }]) expect(check.takes(other)).toBe(true);
      }),
      { numRuns: randomCases(100) },
    );
  });

  test('takes an object of the same keys in any order, and with fewer', () => {
    const check = warm([{ user: { name: 'ann', roles: ['a'] }, path: '/' }]);
    expect(check.isQuick).toBe(true);
    expect(check.takes({ path: '/', user: { roles: [], name: 'eve' } })).toBe(true);
    expect(check.takes({ user: {} })).toBe(true);
    expect(check.takes({ user: { roles: [new Date(0)] } })).toBe(false);
    expect(check.takes({ user: { name: undefined } })).toBe(false);
  });

  test('does not take a hidden property for one that is enumerable', () => {
    const check = warm([{ user: { name: 'ann', age: 1 } }]);
    const hidden = Object.defineProperty({ age: undefined }, 'name', { value: 'ann', enumerable: false });
    expect(check.takes({ user: hidden })).toBe(false);
    expect(check.takes({ user: Object.defineProperty({ born: new Date(0) }, 'name', { value: 'ann', enumerable: false }) })).toBe(false);
  });

  test('does not walk shared parts for ever', () => {
    const nested = (leaf: unknown, width: number): unknown => {
      let value = leaf;
      for (let i = 0; i < 12; i++) value = Array.from({ length: width }, () => value);
      return { value };
    };
    const check = warm([nested({ a: 1 }, 1)]);
    expect(check.takes(nested({ a: 1 }, 1))).toBe(true);
    expect(check.takes(nested({ a: 1 }, 8))).toBe(false);
  });

  test('leaves nesting that overflows the stack to the general check', () => {
    let deep: unknown = null;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(warm([{ a: { b: 1 } }]).takes({ a: { b: deep } })).toBe(false);
  });
});

describe('code for shapes is bounded', () => {
  const nestedIn = (key: string) => ({ [key]: { a: 1 } });

  test('inputs that have nothing in common get none', () => {
    const many = Array.from({ length: 100 }, (_, i) => nestedIn(`k${i}`));
    expect(warm(many).isQuick).toBe(false);
    expect(warm([Object.fromEntries(many.flatMap(Object.entries))]).isQuick).toBe(false);
    expect(warm(['text', 1, [{ a: 1 }]]).isQuick).toBe(false);
  });

  test('a shape is learned anew when inputs change, four times', () => {
    const budget = checkBudget('warm');
    const check = new InputCheck(budget);
    const before = budget.checks;
    for (let i = 0; i < 100; i++) for (let j = 0; j < 1000; j++) check.takes(nestedIn(`k${i}`));
    expect(before - budget.checks).toBe(4);
    expect(check.isQuick).toBe(false);
  });

  test('an unusual input now and then changes nothing', () => {
    const budget = checkBudget('warm');
    const check = new InputCheck(budget);
    const before = budget.checks;
    for (let i = 0; i < 20_000; i++) check.takes(i % 20 === 19 ? nestedIn(`k${i}`) : nestedIn('a'));
    expect(check.takes(nestedIn('a'))).toBe(true);
    expect(before - budget.checks).toBe(1);
  });

  test('an engine has a number of them, and none with codegen: never', () => {
    const sample = [nestedIn('a')];
    const budget = { checks: 1 };
    expect(warm(sample, budget).isQuick).toBe(true);
    expect(warm(sample, budget).isQuick).toBe(false);
    expect(warm(sample, checkBudget('never')).isQuick).toBe(false);
  });
});

test.each(['warm', 'never'] as const)('a wrong input is refused by its place at any time (codegen: %s)', async (codegen) => {
  const engine = await Engine.open({ policies: { 'p.rego': 'package p\n\nname := input.user.name' } }, { codegen });
  for (let i = 0; i < 700; i++) {
    expect(engine.decide('p/name', { user: { name: `u${i}`, tags: ['a'] } })).toEqual({ result: `u${i}` });
    if (i % 100 === 99) {
      expect(() => engine.decide('p/name', { user: { name: 'ann', tags: ['a', new Date(0)] } })).toThrow(
        'input.user.tags[1] is a Date: give its toISOString()',
      );
      expect(engine.decide('p/name', { user: { name: undefined } })).toEqual({});
    }
  }
});
