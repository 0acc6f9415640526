import { describe, expect, test } from 'vitest';
import { slowestOf, spreadOf } from './time-spread.js';

describe('the spread of times', () => {
  test.each([
    [[1], { median_ns: 1e6, low_ns: 1e6, high_ns: 1e6 }],
    [[5, 1, 3, 2, 4], { median_ns: 3e6, low_ns: 2e6, high_ns: 4e6 }],
    // One evaluation among others that was interrupted.
    [[1, 1, 1, 1, 900], { median_ns: 1e6, low_ns: 1e6, high_ns: 1e6 }],
  ])('of %j', (times, spread) => expect(spreadOf(times)).toEqual(spread));
});

describe('the slowest statement', () => {
  const slowest = (all: Readonly<Record<string, readonly number[]>>) =>
    slowestOf(Object.entries(all).map(([name, times]) => [name, spreadOf(times)] as const));

  test('has a name where its times are above those of the others', () =>
    expect(slowest({ a: [1, 1, 1, 1, 1], b: [3, 3, 4, 5, 3] })).toBe('b'));
  test('has none where times overlap', () => expect(slowest({ a: [1, 5, 3, 3, 6], b: [3, 6, 7, 4, 2] })).toBeUndefined());
  test('has none where two take nearly the same', () =>
    expect(slowest({ a: [10, 10, 10, 10, 10], b: [11, 11, 11, 11, 11] })).toBeUndefined());
  test('is the only one', () => expect(slowest({ a: [1, 2, 3, 4, 5] })).toBe('a'));
  test('of none', () => expect(slowest({})).toBeUndefined());
});
