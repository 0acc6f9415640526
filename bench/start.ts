/**
 * `npm run -s bench -- start [--rounds N] [--against ROOT]` times short commands as whole
 * processes, in turn with `node -e 0` of the same Node, and reports medians and their ratio to it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './measure.js';

const policy = `package app

default allow := false

allow if {
	input.method == "GET"
	some role in data.roles
	role == input.user.role
}
`;
const test = `package app_test

import data.app

test_reader_may_read if app.allow with input as {"method": "GET", "user": {"role": "reader"}} with data.roles as ["reader"]
`;

export function run(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '25' }, against: { type: 'string' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-start-'));
  try {
    writeCase(folder);
    const roots = [join(import.meta.dirname, '..'), ...(values.against === undefined ? [] : [values.against])];
    const runs = [
      [process.execPath, '-e', '0'],
      ...commands.flatMap((command) => roots.map((root) => [join(root, 'bin/writ'), ...command])),
    ];
    for (const command of runs) timed(command, folder);
    const times = runs.map((): number[] => []);
    for (let i = 0; i < Number(values.rounds); i++)
      for (const [r, command] of runs.entries()) times[r]!.push(timed(command, folder));
    process.stdout.write('  median  minimum   ratio  (of minima)\n');
    for (const [r, command] of runs.entries()) {
      const ratio = median(times[r]!.map((ms, i) => ms / times[0]![i]!));
      const minima = Math.min(...times[r]!) / Math.min(...times[0]!);
      const cells = [
        median(times[r]!).toFixed(1).padStart(5),
        Math.min(...times[r]!)
          .toFixed(1)
          .padStart(5),
      ];
      process.stdout.write(
        `${cells[0]} ms ${cells[1]} ms ${ratio.toFixed(2).padStart(7)} ${minima.toFixed(2).padStart(7)}   ${command.join(' ')}\n`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const commands: readonly (readonly string[])[] = [
  ['eval', '-b', 'plan', '-i', 'input.json', 'data.app.allow'],
  ['eval', '-b', 'plan.tar.gz', '-i', 'input.json', 'data.app.allow'],
  ['exec', '-b', 'alone', '--decision', 'app/allow', 'input.json'],
  ['exec', '-b', 'alone.tar.gz', '--decision', 'app/allow', 'input.json'],
  ['inspect', 'plan.tar.gz'],
  ['eval', '1 + 1'],
  ['eval', '-d', 'app.rego', '-i', 'input.json', 'data.app.allow'],
  ['check', 'app.rego'],
  ['fmt', 'app.rego'],
  ['test', 'app.rego', 'app_test.rego'],
];

/**
 * The policy, its test, its input, and its plan as an archive and as a directory: with the policy,
 * as `build` writes it, and alone.
 */
function writeCase(folder: string): void {
  writeFileSync(join(folder, 'app.rego'), policy);
  writeFileSync(join(folder, 'app_test.rego'), test);
  writeFileSync(join(folder, 'input.json'), '{"method": "GET", "user": {"role": "reader"}}');
  const writ = join(import.meta.dirname, '../bin/writ');
  timed([writ, 'build', '-t', 'plan', '-e', 'app/allow', '-o', 'plan.tar.gz', 'app.rego'], folder);
  mkdirSync(join(folder, 'plan'));
  timed(['tar', '-xzf', 'plan.tar.gz', '-C', 'plan'], folder);
  cpSync(join(folder, 'plan'), join(folder, 'alone'), { recursive: true });
  rmSync(join(folder, 'alone/app.rego'));
  timed(['tar', '-czf', 'alone.tar.gz', '-C', 'alone', '.'], folder);
}

function timed([file, ...args]: readonly string[], cwd: string): number {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(file!, args, { cwd, encoding: 'utf8' });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${file} ${args.join(' ')}: ${stderr || stdout}`);
  return ms;
}
