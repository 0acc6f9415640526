import { expect, test } from 'vitest';
import { RegoSet } from '../values/set.js';
import { anyOf, array, number, set, string } from '../values/type.js';
import type { Value } from '../values/value.js';
import { arg, type Operand } from './builtin.js';
import { checked, readersOf, readOperands, unchecked } from './operands.js';
import { testContext } from './testing.js';
import { int64, stringAsFirst } from './value-operands.js';

function read(args: readonly Operand[], operands: readonly Value[]): readonly unknown[] {
  return readOperands(readersOf(args), operands, testContext());
}

const strings = anyOf(array(string), set(string));

test('operands are read in their order, each by its reader or by the check of its type', () => {
  const args = [arg('a', string), arg('b', number, int64), arg('c', string, unchecked)];
  expect(read(args, ['x', 3, null])).toEqual(['x', 3, null]);
  expect(() => read(args, [1, 'x', null])).toThrow('operand 1 must be string but got number');
  expect(() => read(args, ['x', 1.5, null])).toThrow('operand 2 must be integer number but got floating-point number');
});

test('a message names types in the order of the row, and a position that its reader chooses', () => {
  expect(() => read([arg('a', strings)], [1])).toThrow('operand 1 must be one of {array, set} but got number');
  expect(() => read([arg('a', strings, checked(strings, 'set', 'array'))], [1])).toThrow('must be one of {set, array} but got number');
  expect(() => read([arg('a', string), arg('b', string, stringAsFirst)], ['x', 1])).toThrow('operand 1 must be string');
});

test('of a set with several wrong members a message names the first in order', () => {
  const wrong = new RegoSet(['b', [1], 2]);
  expect(() => read([arg('a', strings)], [wrong])).toThrow('operand 1 must be set of strings but got set containing number');
  expect(() => read([arg('a', strings)], [['b', [1], 2]])).toThrow('operand 1 must be array of strings but got array containing array');
});

test('of a union of arrays the elements may be of the types of any', () => {
  const args = [arg('a', anyOf(array(string), array(number)))];
  expect(read(args, [['x']])).toEqual([['x']]);
  expect(read(args, [[1]])).toEqual([[1]]);
});
