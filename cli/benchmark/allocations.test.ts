import { expect, test } from 'vitest';
import { allocationsOf } from './allocations.js';

let kept: unknown;

test('allocations are counted for one run, without those of measuring', async () => {
  const few = await allocationsOf(async () => {
    kept = Array.from({ length: 10 }, () => ({ a: kept === undefined }));
  });
  const many = await allocationsOf(async () => {
    kept = Array.from({ length: 1000 }, () => ({ a: kept === undefined }));
  });
  expect(few.count).toBeGreaterThan(8);
  expect(few.count).toBeLessThan(100);
  expect(many.count).toBeGreaterThan(990);
  expect(many.bytes).toBeGreaterThan(8 * 1000);
});
