/**
 * Decisions of this state and of another commit: both are built, and their processes run in
 * alternation, since what else a machine does changes within a minute.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { measured } from './measured.js';

interface Comparison {
  readonly folders: readonly string[];
  readonly scale: string;
  readonly pairs: number;
}

const here = resolve(import.meta.dirname, '../..');

/** Prints for each workload the least time of both, and the ratio of this state to the other. */
export function compareWith(commit: string, { folders, scale, pairs }: Comparison): void {
  const other = join(mkdtempSync(join(tmpdir(), 'writ-bench-against-')), 'other');
  run('git', ['worktree', 'add', '--quiet', '--detach', other, commit], here);
  try {
    const hasSamePackages =
      spawnSync('git', ['diff', '--quiet', commit, '--', 'package-lock.json'], { cwd: here }).status === 0;
    // A link would not do: the build tells modules apart by their paths.
    if (hasSamePackages)
      cpSync(join(here, 'node_modules'), join(other, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    else run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], other);
    for (const root of [other, here]) run(process.execPath, ['--import', 'tsx', 'scripts/build/build.ts'], root);
    process.stdout.write(
      `${'workload'.padEnd(18)}${'before ns'.padStart(12)}${'now ns'.padStart(12)}   ratio  (each pair)\n`,
    );
    const ratios = folders.map((folder) => compared(resolve(folder), scale, pairs, other));
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    process.stdout.write(`geometric mean: ${mean.toFixed(2)}\n`);
  } finally {
    run('git', ['worktree', 'remove', '--force', other], here);
    rmSync(resolve(other, '..'), { recursive: true, force: true });
  }
}

function compared(folder: string, scale: string, pairs: number, other: string): number {
  const times = Array.from({ length: pairs }, () => ({
    before: measured(folder, 'writ', scale, other).ns,
    now: measured(folder, 'writ', scale, here).ns,
  }));
  const before = Math.min(...times.map((pair) => pair.before));
  const now = Math.min(...times.map((pair) => pair.now));
  const each = times.map((pair) => (pair.now / pair.before).toFixed(2)).join(' ');
  const columns = [before, now].map((ns) => ns.toFixed(0).padStart(12)).join('');
  process.stdout.write(`${basename(folder).padEnd(18)}${columns}${(now / before).toFixed(2).padStart(8)}  (${each})\n`);
  return now / before;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
