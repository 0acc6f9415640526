import { describe, expect, test } from 'vitest';
import { keyOf } from '../../values/hash.js';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { ArrayIndexes } from './array-indexes.js';

const path = ['user'];

/** The first positions of the groups of an array of these users. */
function groupsOf(users: string): readonly number[] | undefined {
  const list = parseJson(users) as readonly Value[];
  return new ArrayIndexes().groups(list.map((user) => (user === 'none' ? {} : { user })) as readonly Value[], path);
}

describe('groups of elements', () => {
  test('are the first positions of each value, in order', () => {
    expect(groupsOf('["b","a","b",null,1,true,1,"a",2,null]')).toEqual([0, 1, 3, 4, 5, 8]);
  });

  test.each([
    ['short arrays', '["a","a"]'],
    ['arrays with an element without the value', '["a","a","a","a","none","b","b","b"]'],
    ['arrays with a value that is no scalar', '["a","a","a","a",["b"],"b","b","b"]'],
    ['arrays with numbers that print otherwise', '[1,1,1,1,1.0,2,2,2]'],
  ])('are not found of %s', (_title, users) => {
    expect(groupsOf(users)).toBeUndefined();
  });

  test('are those of an array that grew', () => {
    const indexes = new ArrayIndexes();
    const list = Array.from({ length: 8 }, (_, i) => ({ user: i % 2 }));
    expect(indexes.groups(list, path)).toEqual([0, 1]);
    list.push({ user: 2 });
    expect(indexes.groups(list, path)).toEqual([0, 1, 8]);
  });
});

describe('positions of elements', () => {
  /** The positions of a value, by an index. */
  function positionsOf(users: readonly Value[], wanted: Value): readonly number[] | undefined {
    const indexes = new ArrayIndexes();
    const list = users.map((user) => ({ user }));
    for (let i = 0; i < 2; i++) expect(indexes.index(list, path)?.positionsOf(wanted)).toBeUndefined();
    return indexes.index(list, path)?.positionsOf(wanted);
  }

  const plain = ['a', 'b', 'a', 1, true, null, 'c', 'd'];
  const composite = [...plain, [1]];

  test.each<[string, readonly Value[], Value, readonly number[]]>([
    ['a string', plain, 'a', [0, 2]],
    ['a string, beside an array', composite, 'a', [0, 2]],
    ['an array', composite, [1], [8]],
    ['a string that is the key of an array', composite, keyOf([1]), []],
    ['a string that begins with NUL', [...plain, '\0cx'], '\0cx', [8]],
    ['a string that begins with NUL, in no element', plain, '\0cx', []],
  ])('are found by their value: %s', (_title, users, wanted, positions) => {
    expect(positionsOf(users, wanted)).toEqual(positions);
  });
});
