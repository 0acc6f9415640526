import { describe, expect, test } from 'vitest';
import { sortedMembers } from './compare.js';
import { parseJson, toJson } from './json/json.js';
import { RegoSet } from './set.js';
import type { Value } from './value.js';

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

  test('finds the member that is equal to a value', () => {
    const set = setOf('[1.0,null,"\\u0000b",[1]]');
    const found = (text: string) => {
      const member = set.get(parseJson(text));
      return member === undefined ? undefined : toJson(member);
    };
    expect(['1', 'null', '"\\u0000b"', '[1.0]', '"b"'].map(found)).toEqual(['1.0', 'null', '"\\u0000b"', '[1]', undefined]);
  });
});
