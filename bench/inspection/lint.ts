/**
 * `npm run -s bench -- lint [--lines N] [--rounds N]` times `writ lint` of the build over a
 * generated repository: the first run, a second one that finds the first one's cache, and four
 * files. It reports medians of processor time.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../measure.js';
import { policyRepository } from '../policy-repository.js';

export function run(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { lines: { type: 'string', default: '10500' }, rounds: { type: 'string', default: '5' } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-lint-'));
  try {
    const files = [...policyRepository({ lines: Number(values.lines), version: 'v0' })].filter(([path]) =>
      path.endsWith('.rego'),
    );
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const few = files.slice(0, 4).map(([path]) => path);
    const times = { first: [] as number[], second: [] as number[], few: [] as number[] };
    for (let i = 0; i < Number(values.rounds); i++) {
      const cache = join(folder, `.cache-${i}`);
      times.first.push(seconds(folder, ['.'], cache));
      times.second.push(seconds(folder, ['.'], cache));
      times.few.push(seconds(folder, [...few, '--no-cache'], cache));
    }
    process.stdout.write(
      `${files.length} files: first run ${median(times.first).toFixed(2)} s, second run ${median(times.second).toFixed(2)} s; ` +
        `${few.length} files: ${median(times.few).toFixed(2)} s of processor time\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Processor time of a run, with that of its children. */
function seconds(cwd: string, args: readonly string[], cache: string): number {
  const command = join(import.meta.dirname, '../../bin/writ');
  const script = `TIMEFORMAT='%U %S'; time "$0" "$@" > /dev/null 2> /dev/null`;
  const { stderr } = spawnSync('bash', ['-c', script, command, 'lint', '--format', 'json', ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(/\s+/).map(Number);
  return user + system;
}
