import { describe, expect, test } from 'vitest';
import { equal } from '../../../values/equal.js';
import { ExactNumber } from '../../../values/numbers/number.js';
import { RegoObject } from '../../../values/object.js';
import { RegoSet } from '../../../values/set.js';
import type { Value } from '../../../values/value.js';
import { valueOfText, wasmValueText } from './value-text.js';

const texts: readonly (readonly [string, Value])[] = [
  ['null', null],
  ['true', true],
  ['-1.5', -1.5],
  ['1e400', new ExactNumber('1e400')],
  ['12345678901234567890', new ExactNumber('12345678901234567890')],
  ['"a\\"\\\\\\u0000ü"', 'a"\\\u0000ü'],
  ['[]', []],
  ['[1,[2]]', [1, [2]]],
  ['{}', {}],
  ['{"a":{"b":1},"__proto__":2}', JSON.parse('{"a":{"b":1},"__proto__":2}') as Value],
  ['set()', new RegoSet()],
  ['{1,{2},set()}', new RegoSet([1, new RegoSet([2]), new RegoSet()])],
  [
    '{1:"a",[true]:{"b"}}',
    new RegoObject([
      [1, 'a'],
      [[true], new RegoSet(['b'])],
    ] as [Value, Value][]),
  ],
];

test.each(texts)('%s is written and read', (text, value) => {
  expect(wasmValueText(value)).toBe(text);
  expect(equal(valueOfText(text), value)).toBe(true);
});

test.each([
  [' { "a" : [ 1 , 2 ] } ', { a: [1, 2] }],
  ['{ 1 , 2 }', new RegoSet([1, 2])],
  ['{"a", "a"}', new RegoSet(['a'])],
])('%s is read', (text, value: Value) => expect(equal(valueOfText(text), value)).toBe(true));

describe('a text that is no value', () => {
  test.each(['', '{', '[1', '{1,}', '{"a":}', '[1 2]', 'nul', '"a', '1 2', '{1:2,3}', 'set(1)'])('(%s) is an error', (text) => {
    expect(() => valueOfText(text)).toThrow(SyntaxError);
  });
});
