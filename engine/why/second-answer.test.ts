import { describe, expect, test } from 'vitest';
import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { createContext } from '../shared-context.js';
import { type ComparedAnswer, compareAnswers, type Order } from './second-answer.js';

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

const ended = (code: string): ComparedAnswer => ({ value: undefined, error: new EvaluationError(code, 'for a reason') });

describe('an answer that ended with an error', () => {
  test.each<readonly [string, ComparedAnswer, ComparedAnswer, Order | undefined]>([
    ['a value and a conflict', { value: 1 }, ended('eval_conflict_error'), undefined],
    ['undefined and a conflict', { value: undefined }, ended('eval_conflict_error'), undefined],
    ['a value and an internal error', { value: 1 }, ended('eval_internal_error'), 'other'],
    ['an error of types and a value', ended('eval_type_error'), { value: 1 }, 'other'],
  ])('is another one: %s', (_title, decided, explained, order) => {
    expect(() => compareAnswers('data.p.x', decided, explained, context, order)).toThrow(
      /^internal fault: .* comes to (?:undefined|sha256:\w{64}|eval_\w+), the program decided (?:undefined|sha256:\w{64}|eval_\w+)$/,
    );
  });

  test.each<readonly [string, ComparedAnswer, ComparedAnswer, Order | undefined]>([
    ['two errors', ended('eval_conflict_error'), ended('eval_internal_error'), undefined],
    ['a limit', { value: 1 }, ended('eval_cancel_error'), undefined],
    ['a limit of the decision', ended('eval_cancel_error'), { value: 1 }, undefined],
    ['a strict error of a built-in', { value: 1 }, ended('eval_builtin_error'), undefined],
    ['a conflict at keys that are not asked for', ended('eval_conflict_error'), { value: 1 }, undefined],
    ['a conflict in another order', { value: 1 }, ended('eval_conflict_error'), 'other'],
  ])('may be the same: %s', (_title, decided, explained, order) => {
    compareAnswers('data.p.x', decided, explained, context, order);
  });
});

test('the same answer is none', () => {
  compareAnswers('data.p.x', { value: { a: [1, 'x'] } }, { value: { a: [1, 'x'] } }, context);
  compareAnswers('data.p.x', { value: undefined }, { value: undefined }, context);
});
