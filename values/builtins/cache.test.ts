import { expect, test } from 'vitest';
import { LruCache } from './cache.js';

function kept(cache: LruCache<number>, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => cache.get(key) !== undefined);
}

test('the entries used last are kept', () => {
  const cache = new LruCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect(kept(cache, ['a', 'b', 'c'])).toEqual(['a', 'c']);
});

test('of entries with long keys fewer are kept, the newest in any case', () => {
  const cache = new LruCache<number>(100);
  const [first, second, third] = ['a', 'b', 'c'].map((text) => text.repeat(800_000)) as [string, string, string];
  for (const key of [first, second, third, third]) cache.set(key, 1);
  expect(kept(cache, [first, second, third])).toEqual([second, third]);
  cache.delete(second);
  cache.set(first, 1);
  expect(kept(cache, [first, third])).toEqual([first, third]);
  const longest = 'd'.repeat(3_000_000);
  cache.set(longest, 1);
  expect(kept(cache, [first, third, longest])).toEqual([longest]);
});
