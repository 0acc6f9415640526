/** One workload in a process of its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * The time of a decision and of opening.
 * @param root the checkout whose build is measured
 */
export function measured(
  folder: string,
  engine: string,
  scale: string,
  root = join(import.meta.dirname, '../..'),
): { ns: number; openMs: number } {
  const args = ['--import', 'tsx', join(import.meta.dirname, '../worker.ts'), folder, engine, scale, root];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as { ns: number; openMs: number };
}
