import { expect, test } from 'vitest';
import { RegoSet } from '../../../values/set.js';
import type { Value } from '../../../values/value.js';
import { CallKeys } from './call-keys.js';

test('equal arguments have one key, different arguments different keys', () => {
  const keys = new CallKeys();
  const calls: Value[][] = [
    [],
    ['a'],
    ['#0'],
    ['a,b'],
    ['a', 'b'],
    [[]],
    [{}],
    [new RegoSet([])],
    [1, [1]],
    [[1], 1],
    [[1], [1]],
    [{ a: [1], b: new RegoSet([2, 3]) }],
  ];
  const found = calls.map((args) => keys.of(args));
  expect(new Set(found).size).toBe(calls.length);
  expect(keys.of([{ b: new RegoSet([3, 2]), a: [1.0] }])).toBe(found.at(-1));
});

test('a collection that stands in many calls is read once', () => {
  let reads = 0;
  const large = new Proxy(
    Array.from({ length: 1000 }, (_, i) => i),
    {
      get(items, key, receiver) {
        reads++;
        return Reflect.get(items, key, receiver);
      },
    },
  );
  const keys = new CallKeys();
  keys.of([large]);
  const before = reads;
  for (let i = 0; i < 100; i++) keys.of([i, large]);
  expect(reads).toBe(before);
});
