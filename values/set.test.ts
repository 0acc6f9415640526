import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { values as arbitrary, disguised } from '../test/generators/values.js';
import { compare, sortedMembers } from './compare.js';
import { equal } from './equal.js';
import { keyText } from './hash.js';
import { parseJson, toJson } from './json/json.js';
import { RegoObject } from './object.js';
import { roughHash } from './rough-hash.js';
import { RegoSet } from './set.js';
import type { Value } from './value.js';
import { watchWork } from './work.js';

const setOf = (text: string) => new RegoSet(parseJson(text) as readonly Value[]);

describe('a set', () => {
  test.each([
    ['of scalars', '["b",null,1,true,"a","b",1]', '[null,true,1,"a","b"]'],
    ['of composites', '[[2],{"a":1},[1],[2],"x"]', '["x",[1],[2],{"a":1}]'],
    ['of strings that begin with NUL', '["\\u0000b","b","\\u0000b"]', '["\\u0000b","b"]'],
    ['keeps the first of numbers that print otherwise', '[1.0,1,2,2.0]', '[1.0,2]'],
  ])('%s', (_title, members, sorted) => {
    const set = setOf(members);
    expect(toJson(sortedMembers(set) as Value)).toBe(sorted);
    expect([...set]).toEqual(set.toArray());
    expect(set.size).toBe((JSON.parse(sorted) as unknown[]).length);
    for (const member of parseJson(members) as readonly Value[]) expect(set.has(member)).toBe(true);
  });

  test.each([
    ['texts only', Array.from({ length: 12 }, (_, i) => `t${i % 7}`)],
    ['texts that begin with NUL', ['a', '\u0000b', 'b', '\u0000b', 'c', 'd', 'e', '\u0000b']],
    ['values of other kinds behind texts', ['a', 'b', 1, 'a', null, [1], 'c', [1]]],
    ['values of other kinds before texts', [true, 'a', 'b', 'c', 'd', 'e', 'a']],
  ] satisfies [string, Value[]][])('grows by %s', (_title, members) => {
    const set = new RegoSet();
    const expected: Value[] = [];
    for (const member of members) {
      if (!expected.some((known) => equal(known, member))) expected.push(member);
      set.add(member);
      expect(set.size).toBe(expected.length);
      expect(sortedMembers(set)).toEqual([...expected].sort(compare));
      expect([...set].sort(compare)).toEqual([...expected].sort(compare));
      for (const known of expected) expect(set.get(known)).toEqual(known);
      expect(set.has('other')).toBe(false);
    }
  });

  test('finds the member that is equal to a value', () => {
    const set = setOf('[1.0,null,"\\u0000b",[1]]');
    const found = (text: string) => {
      const member = set.get(parseJson(text));
      return member === undefined ? undefined : toJson(member);
    };
    expect(['1', 'null', '"\\u0000b"', '[1.0]', '"b"'].map(found)).toEqual(['1.0', 'null', '"\\u0000b"', '[1]', undefined]);
  });
});

describe('composite members', () => {
  let made = 0;

  test.each([
    ['that differ in the levels of which their numbers are made', (i: number) => ({ id: i, in: { name: `n${i}` } })],
    ['that differ only in deeper levels, so that all have one number', (i: number) => [[[[i]]]]],
    ['that differ behind the elements that are read', (i: number) => [...Array<number>(16).fill(0), i]],
    ['that are equal to objects of another class', (i: number) => (made++ % 3 === 0 ? { a: i } : new RegoObject([['a', i]]))],
  ])('%s', (_title, make) => {
    const count = 100;
    const set = new RegoSet();
    for (let round = 0; round < 2; round++) for (let i = 0; i < count; i++) set.add(make(i));
    expect(set.size).toBe(count);
    expect(sortedMembers(set)).toHaveLength(count);
    for (let i = 0; i < count; i++) expect(equal(set.get(make(i))!, make(i))).toBe(true);
    expect(set.has(make(count))).toBe(false);
  });

  test('the work for members that all have one number grows as their number does', () => {
    const workOf = (count: number) => {
      let work = 0;
      const before = watchWork({ tick: (units) => (work += units) });
      expect(new RegoSet(Array.from({ length: count }, (_, i) => [[[[i]]]])).size).toBe(count);
      watchWork(before);
      return work;
    };
    expect(workOf(8000)).toBeLessThan(3 * workOf(4000));
  });

  test.each([
    ['texts', (i: number, j: number) => ({ user: `user${i}`, item: `item${j}` })],
    ['integers', (i: number, j: number) => ({ x: i, y: j })],
    ['fractions', (i: number, j: number) => ({ x: i / 10, y: j / 10 })],
    ['texts in arrays', (i: number, j: number) => [`n${i}`, `n${j}`]],
    ['integers in arrays', (i: number, j: number) => [i, j]],
    ['integers in objects', (i: number, j: number) => ({ from: { id: i }, to: { id: j } })],
  ])('pairs of %s seldom have one number', (_title, pair) => {
    const groups = new Map<number, number>();
    for (let i = 0; i < 100; i++) {
      for (let j = 0; j < 100; j++) {
        const hash = roughHash(pair(i, j), 2);
        groups.set(hash, (groups.get(hash) ?? 0) + 1);
      }
    }
    expect(Math.max(...groups.values())).toBeLessThanOrEqual(4);
  });

  test('a set that is made of the members of another one, a larger one, and one that loses its order', () => {
    const small = new RegoSet([{ a: 1 }, 'x', 2]);
    expect(toJson(sortedMembers(small) as Value)).toBe('[2,"x",{"a":1}]');
    for (let i = 0; i < 20; i++) small.add([i]);
    expect(toJson(sortedMembers(small) as Value)).toMatch(/^\[2,"x",\[0\],\[1\],.*\{"a":1\}\]$/);
    expect(equal(new RegoSet(small), small)).toBe(true);
  });
});

describe('random sets', () => {
  const arbitraryValue = arbitrary();
  const lists = fc.array(arbitraryValue, { maxLength: 30 });

  test('have the members that differ from all earlier ones', () => {
    fc.assert(
      fc.property(lists, lists, (values, others) => {
        const set = new RegoSet(values);
        const distinct = values.filter((value, i) => values.findIndex((earlier) => compare(earlier, value) === 0) === i);
        expect(set.size).toBe(distinct.length);
        expect(sortedMembers(set)).toEqual([...distinct].sort(compare));
        for (const other of [...values, ...others]) {
          expect(set.get(other)).toBe(distinct.find((member) => compare(member, other) === 0));
          expect(set.has(other)).toBe(distinct.some((member) => compare(member, other) === 0));
        }
      }),
    );
  });

  test('objects with the same keys are in the order of all values', () => {
    const rows = fc.array(fc.record({ b: arbitraryValue, a: fc.constantFrom(1, 2, '\ud83d\ude00', '\uffff') }));
    fc.assert(
      fc.property(rows, fc.boolean(), (objects, isMixed) => {
        const members = (isMixed ? [...objects, { a: 1 }, { b: 1, a: 1 }] : objects) as unknown as Value[];
        const sorted = sortedMembers(new RegoSet(members));
        for (let i = 1; i < sorted.length; i++) expect(compare(sorted[i - 1]!, sorted[i]!)).toBeLessThan(0);
      }),
    );
  });

  test('objects with other keys are in the order of all values', () => {
    const key = fc.constantFrom('a', 'b', '__proto__', '\ud83d\ude00', '\uffff');
    const rows = fc.array(fc.array(fc.tuple(key, arbitraryValue), { maxLength: 4 }), { maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.constantFrom(1, 1, 1, 1100), (entries, copies) => {
        const objects = Array.from({ length: copies }, (_, i) => (copies === 1 ? [] : [{ a: i }, { b: i }])).flat() as Value[];
        const set = new RegoSet([...objects, ...entries.map((list) => Object.fromEntries(list) as Value)]);
        const sorted = sortedMembers(set);
        expect(sorted).toHaveLength(set.size);
        for (let i = 1; i < sorted.length; i++) expect(compare(sorted[i - 1]!, sorted[i]!)).toBeLessThan(0);
      }),
    );
  });

  test('equal values have the same number and text', () => {
    fc.assert(
      fc.property(arbitraryValue, fc.option(arbitraryValue, { nil: undefined }), (a, other) => {
        const b = other === undefined ? disguised(a) : other;
        expect(equal(a, b)).toBe(compare(a, b) === 0);
        expect(equal(a, b)).toBe(keyText(a) === keyText(b));
        if (equal(a, b)) for (const levels of [0, 1, 2, 5]) expect(roughHash(a, levels)).toBe(roughHash(b, levels));
      }),
    );
  });
});
