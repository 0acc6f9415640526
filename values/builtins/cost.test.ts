import { expect, test } from 'vitest';
import { builtins } from './registry.js';

test('every built-in states what a call costs', () => {
  const silent = [...builtins.values()].filter(({ cost }) => cost === undefined).map(({ name }) => name);
  expect(silent).toEqual([]);
});
