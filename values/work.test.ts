import { afterEach, describe, expect, test } from 'vitest';
import { compare } from './compare.js';
import { equal } from './equal.js';
import { keyOf } from './hash.js';
import { toJson } from './json/json.js';
import { RegoSet } from './set.js';
import { termText } from './text/term-text.js';
import type { Value } from './value.js';
import { watchWork } from './work.js';

/** A value of few objects whose traversal takes exponential time. */
function folded(innermost: Value, fold: (value: Value) => Value): Value {
  let value = innermost;
  for (let i = 0; i < 60; i++) value = fold(value);
  return value;
}

afterEach(() => void watchWork(undefined));

describe.each<[string, (value: Value) => Value]>([
  ['arrays', (value) => [value, value]],
  ['objects', (value) => ({ a: value, b: value })],
])('endless %s', (_title, fold) => {
  test.each<[string, () => unknown]>([
    ['comparing', () => compare(folded(1, fold), folded(1, fold))],
    ['equality', () => equal(folded(1, fold), folded(1, fold))],
    ['keys of maps', () => keyOf(folded(1, fold))],
    ['members of sets', () => new RegoSet([folded(1, fold), folded(1, fold)])],
    ['JSON', () => toJson(folded(1, fold))],
    ['terms', () => termText(folded(1, fold))],
  ])('%s can be ended', (_what, walk) => {
    let looks = 0;
    watchWork({
      tick() {
        if (++looks === 3) throw new Error('out of time');
      },
    });
    expect(walk).toThrow('out of time');
  });
});
