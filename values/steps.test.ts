import { stat } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { inSlices, nextTurn, type Steps } from './steps.js';

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
  const isOver = () => waited.length === 40;
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
  // One that is read in the moment before a slice waits for it, as many are on a loaded machine.
  // All would wait if the next slice came first.
  expect(waited.filter((count) => count === 0).length).toBeGreaterThan(3);
});

/** Steps of half a millisecond. */
function* work(steps: number): Steps<number> {
  for (let i = 0; i < steps; i++) {
    const until = performance.now() + 0.5;
    while (performance.now() < until);
    yield;
  }
  return steps;
}

/** Counts the turns of the event loop until a promise is settled. */
async function turnsDuring(promise: Promise<unknown>): Promise<number> {
  let isOver = false;
  void promise.finally(() => (isOver = true));
  let turns = 0;
  for (; !isOver; turns++) await nextTurn();
  return turns;
}

/** Steps that take no time. */
function* twoSteps(done: () => void): Steps {
  yield;
  done();
}

test('a short job ends without a turn, a longer one lets others run', async () => {
  let isDone = false;
  // The turn of the test before has used its slice.
  await nextTurn();
  void inSlices(twoSteps(() => (isDone = true)));
  expect(isDone).toBe(true);
  expect(await turnsDuring(inSlices(work(20)))).toBeGreaterThan(5);
});

test('jobs that follow each other share the slice of a turn', async () => {
  await nextTurn();
  const chain = async () => {
    for (let i = 0; i < 20; i++) await inSlices(work(1));
  };
  expect(await turnsDuring(chain())).toBeGreaterThan(5);
});

test('jobs that wait together run in one turn while there is time, and errors reject', async () => {
  const fails = function* (): Steps {
    yield;
    throw new Error('a step');
  };
  const all = [inSlices(work(4)), inSlices(work(0)), inSlices(work(0)), inSlices(fails())];
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
});

test('a process without other tasks runs steps to their end at once', async () => {
  vi.resetModules();
  const alone = await import('./steps.js');
  alone.runAlone();
  let hasTurned = false;
  setImmediate(() => (hasTurned = true));
  await expect(alone.inSlices(work(20))).resolves.toBe(20);
  expect(hasTurned).toBe(false);
  const failing = (function* (): Steps {
    yield;
    throw new Error('fault');
  })();
  await expect(alone.inSlices(failing)).rejects.toThrow('fault');
});
