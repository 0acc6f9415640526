/**
 * `npm run -s bench -- test [--against ROOT] [--lines N] [--rounds N]` times `writ test` over a
 * generated repository, in turn with the command of another checkout, and reports medians of wall
 * and processor time, and their ratios. A round is ten runs: `--lines 1` gives a small suite.
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
    const times = roots.map((): Time[] => []);
    for (let i = 0; i < Number(values.rounds); i++)
      for (const [r, root] of roots.entries()) times[r]!.push(timed(root, folder));
    const lines = roots.map((root, r) => `${seconds(times[r]!, 'wall')} ${seconds(times[r]!, 'processor')}  ${root}`);
    if (times.length > 1) lines.push(`${ratio(times, 'wall')} ${ratio(times, 'processor')}  ratio`);
    process.stdout.write(`    wall  processor\n${lines.join('\n')}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Seconds of one run. */
interface Time {
  readonly wall: number;
  /** User and system, of all threads. */
  readonly processor: number;
}

function seconds(times: readonly Time[], kind: keyof Time): string {
  return `${median(times.map((time) => time[kind])).toFixed(3)} s`.padStart(10);
}

/** Of runs that followed each other: the machine was as busy for both. */
function ratio([own, other]: readonly (readonly Time[])[], kind: keyof Time): string {
  return median(own!.map((time, i) => time[kind] / other![i]![kind]))
    .toFixed(2)
    .padStart(8);
}

/** Node does not tell the processor time of a child: the shell does, to a hundredth of a second. */
const runs = 10;
const script = `i=0; while [ $i -lt ${runs} ]; do "$0" test "$1" >&2 || exit 1; i=$((i + 1)); done; times`;

function timed(root: string, folder: string): Time {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, join(root, 'bin/writ'), folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const ofChildren = stdout.trim().split('\n').at(-1)!;
  const processor = Array.from(
    ofChildren.matchAll(/(\d+)m([\d.]+)s/g),
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return {
    wall: (performance.now() - start) / 1000 / runs,
    processor: processor.reduce((sum, part) => sum + part, 0) / runs,
  };
}
