import { stat } from 'node:fs';
import { expect, test } from 'vitest';
import { inSlices, type Steps } from './steps.js';

/** Steps as long as a slice, until a condition holds. */
function* busy(count: () => void, isOver: () => boolean): Steps {
  while (!isOver()) {
    const until = performance.now() + 5;
    while (performance.now() < until);
    count();
    yield;
  }
}

test('a task that was read between two slices goes on before the next one', async () => {
  let slices = 0;
  const waited: number[] = [];
  const isOver = () => waited.length === 20;
  const work = inSlices(busy(() => slices++, isOver));
  const ask = () => {
    // The answer comes as a request does: in the phase of the event loop that reads.
    stat('.', () => {
      const before = slices;
      setImmediate(() => {
        waited.push(slices - before);
        if (!isOver()) ask();
      });
    });
  };
  ask();
  await work;
  // One that is read in the moment before a slice waits for it.
  expect(waited.filter((count) => count === 0).length).toBeGreaterThan(10);
});
