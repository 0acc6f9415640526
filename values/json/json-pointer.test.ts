import { expect, test } from 'vitest';
import { fragmentSegment, fragmentSegments, unescapedSegment, valueBehind } from './json-pointer.js';

test('a tilde begins an escape', () => expect(unescapedSegment('a~1b~0c~01')).toBe('a/b~c~1'));

test.each([
  ['a%20b', 'a b'],
  ['a~1b%25', 'a/b%'],
  ['100%', '100%'],
  ['%zz~0', '%zz~'],
])('the segment %s of a fragment', (text, expected) => expect(fragmentSegment(text)).toBe(expected));

test.each([
  ['#', []],
  ['', []],
  ['#/$defs/user', ['$defs', 'user']],
  ['#/a//b~1c', ['a', '', 'b/c']],
  ['#user', undefined],
  ['other.json#/a', undefined],
])('the reference %j', (reference, expected) => expect(fragmentSegments(reference)).toEqual(expected));

test.each([
  [['a', '1', 'b'], 2],
  [['a', '01'], 5],
  [['a', '-'], undefined],
  [['a', 'length'], undefined],
  [['constructor'], undefined],
  [['c', 'd'], undefined],
  [[], { a: [1, { b: 2 }], c: null }],
])('the value behind %j', (segments, expected) => {
  const root = { a: [1, segments[1] === '01' ? 5 : { b: 2 }], c: null };
  expect(valueBehind(root, segments)).toEqual(expected);
});
