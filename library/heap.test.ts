import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { threadScript } from '../test/harness/engine-thread.js';

const decisions = Number(process.env.WRIT_DECISIONS ?? 1_000_000);

test(`an engine that decides ${decisions} times keeps a flat heap`, () => {
  const script = threadScript('heap', `await import('./test/harness/heap.js');`);
  const args = ['--expose-gc', script, String(decisions), join(import.meta.dirname, '../fixtures/bundles/example')];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const used = JSON.parse(stdout) as number[];
  // Code and caches are complete after the first fifth. The other decisions may leave less than a
  // byte each.
  expect(used.at(-1)! - used[0]!, `bytes in use: ${used.join(', ')}`).toBeLessThan(Math.max(400_000, decisions * 0.4));
});
