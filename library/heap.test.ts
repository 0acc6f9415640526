import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const decisions = Number(process.env.WRIT_DECISIONS ?? 1_000_000);

test(`an engine that decides ${decisions} times keeps a flat heap`, () => {
  const args = ['--expose-gc', '--import', 'tsx', join(import.meta.dirname, '../test/harness/heap.ts'), String(decisions)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: join(import.meta.dirname, '../engine') });
  expect(status, stderr).toBe(0);
  const used = JSON.parse(stdout) as number[];
  // Code and caches are complete after the first fifth. The other decisions may leave less than a
  // byte each.
  expect(used.at(-1)! - used[0]!, `bytes in use: ${used.join(', ')}`).toBeLessThan(Math.max(400_000, decisions * 0.4));
});
