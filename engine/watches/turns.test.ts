import { expect, onTestFinished, test } from 'vitest';
import { onSlice } from '../../values/steps.js';
import { WatchTurns } from './turns.js';

test('each turn of the event loop takes a few, and ends a slice', async () => {
  const turns = new WatchTurns();
  let taken = 0;
  const before: number[] = [];
  onSlice(() => before.push(taken));
  onTestFinished(() => onSlice(undefined));
  for (let i = 0; i < 20; i++) turns.add({ take: () => taken++ });
  while (before.at(-1) !== 20) await new Promise((resolve) => setImmediate(resolve));
  // The first one had no others behind it.
  expect(before).toEqual([1, 9, 17, 20]);
});
