import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disguised, hostileKeys, strings, values } from '../test/generators/values.js';
import { randomCases } from '../test/harness/set-up/random-cases.js';
import {
  compare,
  compareStrings,
  lookup,
  makeObject,
  objectGet,
  objectSize,
  sortedEntries,
  sortedKeys,
  sortedMembers,
  sortStrings,
} from './compare.js';
import { equal } from './equal.js';
import { keyOf, keyText } from './hash.js';
import { parseJson, toJson } from './json/json.js';
import { numberFromText } from './numbers/number.js';
import { RegoObject } from './object.js';
import { RegoSet } from './set.js';
import { typeName, type Value } from './value.js';

const runs = { numRuns: randomCases(500) };
const sign = (n: number) => Math.sign(n);

describe('the order of values', () => {
  test('is total: of any two one comes first, unless they are equal', () => {
    fc.assert(
      fc.property(values(), values(), (a, b) => {
        expect(sign(compare(a, b))).toBe(-sign(compare(b, a)) + 0);
        expect(compare(a, b) === 0).toBe(equal(a, b));
      }),
      runs,
    );
  });

  test('is transitive', () => {
    fc.assert(
      fc.property(fc.array(values(2), { minLength: 3, maxLength: 6 }), (list) => {
        const sorted = [...list].sort(compare);
        sorted.forEach((a, i) => {
          for (const b of sorted.slice(i)) expect(compare(a, b)).toBeLessThanOrEqual(0);
        });
      }),
      runs,
    );
  });

  test('and equality do not depend on how a value came about', () => {
    fc.assert(
      fc.property(values(), values(), (a, b) => {
        const other = disguised(a);
        expect(equal(a, other)).toBe(true);
        expect(compare(a, other)).toBe(0);
        expect(sign(compare(other, b))).toBe(sign(compare(a, b)));
        expect(typeName(other)).toBe(typeName(a));
      }),
      runs,
    );
  });

  test('goes by type first, then by code point, element, key', () => {
    const ascending = [
      'null',
      'false',
      'true',
      '-1e400',
      '-1',
      '0',
      '1e-400',
      '0.1',
      '1',
      '1.1',
      '9007199254740992',
      '9007199254740993',
      '1e400',
      '""',
      '"a"',
      '"aa"',
      '"\ue000"',
      '"\uffff"',
      '"\ud83d\ude00"',
      '[]',
      '[1]',
      '[1, 0]',
      '[2]',
      '{}',
      '{"a": 1}',
      '{"a": 1, "b": 0}',
      '{"a": 2}',
      '{"b": 0}',
    ].map(parseJson);
    ascending.push(new RegoSet(), new RegoSet([1]), new RegoSet([2, 1]), new RegoSet([2]));
    for (let i = 1; i < ascending.length; i++)
      expect(compare(ascending[i - 1]!, ascending[i]!), toJson([ascending[i - 1]!, ascending[i]!])).toBeLessThan(0);
  });

  test('of strings is that of their code points', () => {
    const points = (text: string) => [...text].map((c) => c.codePointAt(0)!);
    fc.assert(
      fc.property(strings, strings, (a, b) => {
        const [x, y] = [points(a), points(b)];
        const at = x.findIndex((c, i) => c !== y[i]);
        const wanted = at < 0 ? x.length - y.length : y[at] === undefined ? 1 : x[at]! - y[at]!;
        expect(sign(compareStrings(a, b))).toBe(sign(wanted));
        expect(sortStrings([a, b])).toEqual(compareStrings(a, b) <= 0 ? [a, b] : [b, a]);
      }),
      runs,
    );
  });

  test('of many strings is that of each two of them', () => {
    fc.assert(
      fc.property(fc.array(strings, { maxLength: 40 }), (list) => {
        expect(sortStrings([...list])).toEqual([...list].sort(compareStrings));
      }),
      runs,
    );
  });
});

describe('keys of values in a map', () => {
  test('is the same for equal values and for no others', () => {
    fc.assert(
      fc.property(values(), values(), (a, b) => {
        expect(new Set([keyOf(a), keyOf(b)]).size === 1).toBe(equal(a, b));
        expect(keyText(a) === keyText(b)).toBe(equal(a, b));
        expect(keyOf(disguised(a)) === keyOf(a) || (keyOf(a) === 0 && keyOf(disguised(a)) === 0)).toBe(true);
      }),
      runs,
    );
  });

  test('many objects with the same keys are sorted as any two of them', () => {
    const row = fc.record({ a: values(1), b: fc.constantFrom<Value>(1, 2, 'x', 'y', '\u{1f600}', '\ufffd'), c: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(row, { minLength: 17, maxLength: 60 }), (rows) => {
        const members = sortedMembers(new RegoSet(rows));
        expect(members).toEqual([...new RegoSet(rows)].sort(compare));
      }),
      runs,
    );
  });

  test('a set never holds equal members, and has each of them in any form', () => {
    fc.assert(
      fc.property(fc.array(values(2), { maxLength: 8 }), (list) => {
        const set = new RegoSet([...list, ...list.map(disguised)]);
        const members = sortedMembers(set);
        members.slice(1).forEach((member, i) => {
          expect(compare(members[i]!, member)).toBeLessThan(0);
        });
        for (const value of list) expect(set.has(disguised(value))).toBe(true);
        expect(set.size).toBe(list.filter((value, i) => list.findIndex((other) => equal(other, value)) === i).length);
      }),
      runs,
    );
  });

  test('an object holds one value a key, the last one given', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(values(1), values(1)), { maxLength: 8 }), (entries) => {
        const object = makeObject(entries);
        const distinct = new RegoSet(entries.map(([key]) => key));
        expect(objectSize(object)).toBe(distinct.size);
        for (const [key] of entries) {
          const last = entries.findLast(([other]) => equal(other, key))![1];
          expect(equal(objectGet(object, disguised(key))!, last)).toBe(true);
        }
        expect([...sortedEntries(object)].map(([key]) => key)).toEqual(sortedKeys(object));
      }),
      runs,
    );
  });
});

describe('a look-up', () => {
  const sources: readonly (readonly [string, Value])[] = [
    ['an array', ['x']],
    ['an object', { a: 1 }],
    ['a set', new RegoSet(['x'])],
    ['an object with any keys', new RegoObject([[1, 'x']])],
    ['a string', 'text'],
    ['a number', numberFromText('1e400')],
  ];
  test.each(sources)('in %s finds nothing that JavaScript gave it', (_title, source) => {
    for (const key of [...hostileKeys, 'values', 'map', 'text', 'toJSON', 'valueOf', '__defineGetter__']) {
      expect(lookup(source, key), key).toBeUndefined();
    }
  });

  test('finds hostile keys that are there', () => {
    for (const key of hostileKeys) {
      const object = parseJson(`{${JSON.stringify(key)}: {"deep": 1}}`);
      expect(lookup(lookup(object, key)!, 'deep'), key).toBe(1);
      expect(lookup(new RegoObject([[key, 2]]), key)).toBe(2);
    }
  });

  test('ignores additions to Object.prototype', () => {
    const polluted = Object.prototype as { [key: string]: unknown };
    polluted.admin = true;
    try {
      expect(lookup({}, 'admin')).toBeUndefined();
      expect(objectSize({})).toBe(0);
      expect(equal({}, {})).toBe(true);
      expect(compare({ a: 1 }, { a: 1 })).toBe(0);
      expect(toJson({ a: {} })).toBe('{"a":{}}');
    } finally {
      delete polluted.admin;
    }
  });

  test('takes whole numbers in any form as positions, and nothing else', () => {
    const array = ['a', 'b'];
    for (const text of ['1', '1.0', '1e0', '10e-1']) expect(lookup(array, numberFromText(text)), text).toBe('b');
    for (const text of ['-1', '2', '0.5', '1e400', '1e999999999', '18446744073709551616'])
      expect(lookup(array, numberFromText(text)), text).toBeUndefined();
    for (const key of ['0', true, null, [0]] as Value[]) expect(lookup(array, key)).toBeUndefined();
    expect(lookup({ 1: 'x' }, 1)).toBeUndefined();
    expect(lookup(new RegoObject([[1, 'x']]), '1')).toBeUndefined();
  });
});
