import { expect, test } from 'vitest';
import { nodeHost } from '../../builtins/host/node.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { createContext } from '../context.js';
import { compareAnswers } from './second-answer.js';

const context = createContext({ host: nodeHost });

test.each<readonly [string, Value | undefined, Value | undefined]>([
  ['true and undefined', true, undefined],
  ['undefined and false', undefined, false],
  ['sets of different members', new RegoSet([1]), new RegoSet([2])],
  ['objects with other values', { a: { b: 1 } }, { a: { b: 2 } }],
])('an explanation that comes to another answer is a fault: %s', (_title, decided, explained) => {
  expect(() => compareAnswers('data.p.x', { value: decided }, { value: explained }, context)).toThrow(
    /^internal fault: the explanation of data\.p\.x comes to (?:undefined|sha256:\w{64}), the program decided (?:undefined|sha256:\w{64})$/,
  );
});

test('the same answer is none, nor is one that ended with an error', () => {
  compareAnswers('data.p.x', { value: { a: [1, 'x'] } }, { value: { a: [1, 'x'] } }, context);
  compareAnswers('data.p.x', { value: undefined }, { value: undefined }, context);
});
