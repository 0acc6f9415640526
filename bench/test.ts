/**
 * `npm run -s bench -- test [--against ROOT] [--lines N] [--rounds N]` times `writ test` over a
 * generated repository, in turn with the command of another checkout, and reports medians and their
 * ratio.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './measure.js';
import { policyRepository } from './policy-repository.js';

export function run(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      lines: { type: 'string', default: '60000' },
      rounds: { type: 'string', default: '5' },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-test-'));
  try {
    for (const [path, text] of policyRepository({ lines: Number(values.lines), version: 'v1' })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const roots = [join(import.meta.dirname, '..'), ...(values.against === undefined ? [] : [values.against])];
    const times = roots.map((): number[] => []);
    for (let i = 0; i < Number(values.rounds); i++) for (const [r, root] of roots.entries()) times[r]!.push(timed(root, folder));
    const lines = roots.map((root, r) => `${(median(times[r]!) / 1000).toFixed(2).padStart(8)} s  ${root}`);
    if (times.length > 1)
      lines.push(
        `${median(times[0]!.map((ms, i) => ms / times[1]![i]!))
          .toFixed(2)
          .padStart(8)}    ratio`,
      );
    process.stdout.write(`${lines.join('\n')}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function timed(root: string, folder: string): number {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(join(root, 'bin/writ'), ['test', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr || stdout);
  return performance.now() - start;
}
