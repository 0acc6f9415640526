import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { inSlices, type Steps } from '../../values/steps.js';
import { collectYoung } from './young-collector.js';

const MB = 2 ** 20;

function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!.space_used_size;
}

/** Makes about 100 MB of arrays that stay in use. Returns the most young bytes that it sees. */
function* allocate(): Steps<number> {
  const kept: unknown[] = [];
  let most = 0;
  for (let i = 0; i < 600; i++) {
    kept.push(Array.from({ length: 10_000 }, () => []));
    most = Math.max(most, youngBytes());
    yield;
  }
  return most;
}

test('long work keeps the young generation small', async () => {
  const stop = collectYoung();
  try {
    // What earlier tests left is young until the first slice ends.
    await inSlices(allocate());
    expect(await inSlices(allocate())).toBeLessThan(24 * MB);
  } finally {
    stop();
  }
});
