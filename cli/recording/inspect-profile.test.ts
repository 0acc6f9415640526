/** `inspect --profile`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

const policies = {
  'p/p.rego': 'package p\n\nallow if {\n  some x in input.xs\n  f(x)\n}\n\nf(x) if x > 2\n\nother if input.other\n',
  'input.json': '{"xs": [1, 3]}',
};

/** Inspects with the profile that the flag of `eval` makes. */
async function overlaid(flag: 'plan-profile' | 'record', query: string, ...args: string[]) {
  return await withFiles(policies, async (directory) => {
    const file = `${directory}/profile`;
    const wanted = flag === 'record' ? [`--record=${file}`] : ['--plan-profile=json'];
    const { stdout } = await runCommand('eval', '-d', `${directory}/p`, '-i', `${directory}/input.json`, ...wanted, query);
    if (flag === 'plan-profile') writeFileSync(file, stdout);
    return await runCommand('inspect', `${directory}/p`, '--profile', file, ...args);
  });
}

const row = /^ *(\d+|-) +(\d+)? *(\d+→\d+)? *(?:[\d.]+ (?:ns|µs|ms|s))? {2,}\d+(?:\.\d+)+ {2,}(\S+)/;

describe('inspect --profile', () => {
  test.each(['plan-profile', 'record'] as const)('shows the counts of --%s before the statements', async (flag) => {
    const { stdout, exit } = await overlaid(flag, 'data.p.allow');
    expect(exit).toBe(0);
    const [titles] = stdout.split('\n');
    expect(titles!.trim().split(/ +/)).toEqual(['count', 'fails', 'rows', 'self']);
    expect(stdout).toContain('plan "p/allow"');
    expect(stdout).not.toContain('data.p.other');
    const rows = stdout.split('\n').flatMap((line) => {
      const found = row.exec(line);
      return found === null ? [] : [found.slice(1)];
    });
    expect(rows.length).toBeGreaterThan(8);
    // The break leaves the loop in its second round, before the end of the block.
    expect(rows.filter(([, , , type]) => type === 'Scan')).toEqual([['1', undefined, '2→0', 'Scan']]);
    expect(rows.filter(([, fails]) => fails !== undefined).length).toBeGreaterThan(0);
  });

  test.each(['--program', '--js'])('before the lines of %s too', async (view) => {
    const { stdout } = await overlaid('plan-profile', 'data.p.allow', view);
    expect(stdout).toMatch(/^count +fails +rows +self\n/);
    expect(stdout).toMatch(/\n +1 +[\d.]+ (?:ns|µs|ms) +\S/);
    expect(stdout).not.toContain('block 0\n');
  });

  test('marks statements that did not run', async () => {
    expect((await overlaid('plan-profile', 'data.p.other')).stdout).toMatch(/\n +- +0\.\d/);
  });

  test('has the statements as JSON', async () => {
    const { stdout } = await overlaid('plan-profile', 'data.p.allow', '-f', 'json');
    const { listing, profile } = JSON.parse(stdout) as {
      listing: readonly { statements: readonly { address: string }[] }[];
      profile: readonly { address: string; count: number }[];
    };
    const addresses = new Set(listing.flatMap(({ statements }) => statements.map(({ address }) => address)));
    expect(profile.length).toBeGreaterThan(8);
    expect(profile.every(({ address, count }) => addresses.has(address) && count > 0)).toBe(true);
  });

  test('adds up the runs of several entrypoints of a plan', async () => {
    const plan = compile({ policies: { 'p.rego': policies['p/p.rego'] }, entrypoints: ['p/allow', 'p/other'] });
    await withFiles({ ...policies, 'b/plan.json': JSON.stringify(plan) }, async (directory) => {
      const [bundle, file] = [`${directory}/b`, `${directory}/r.writtrace`];
      await runCommand('eval', '-b', bundle, '-i', `${directory}/input.json`, '--record', file, 'data.p');
      const { runs } = JSON.parse(readFileSync(file, 'utf8')) as { runs: readonly object[] };
      expect(runs).toHaveLength(2);
      const { stdout } = await runCommand('inspect', bundle, '--profile', file);
      expect(stdout).toMatch(/\n +1 .*0\.0 +Call l\d+ := g0\.data\.p\.allow/);
      expect(stdout).toMatch(/\n +1 .*0\.0 +Call l\d+ := g0\.data\.p\.other/);
    });
  });

  test.each([
    [
      'of another plan',
      async () => (await runCommand('eval', '--plan-profile=json', '-b', 'fixtures/bundles/example', 'data.authz.allow')).stdout,
    ],
    ['that is none', () => Promise.resolve('{"format": "x"}')],
    ['that is no JSON', () => Promise.resolve('x')],
    ['of a later version', () => Promise.resolve('{"format": "writ-plan-profile", "version": 2}')],
    ['without runs', () => Promise.resolve('{"format": "writ-plan-profile", "version": 1}')],
    [
      'with other statements',
      () => Promise.resolve('{"format": "writ-plan-profile", "version": 1, "runs": [{"profile": {"statements": [1]}}]}'),
    ],
  ])('refuses a profile %s', async (_title, make) => {
    await withFiles({ ...policies, profile: await make() }, async (directory) => {
      const { stderr, exit } = await runCommand('inspect', `${directory}/p`, '--listing', '--profile', `${directory}/profile`, 'p/allow');
      expect(exit).toBe(1);
      expect(stderr).toMatch(/^error: .*(?:the profile is of another plan|invalid recording)/);
    });
  });

  test('a file that is not there is an error', async () => {
    const { stderr, exit } = await runCommand('inspect', 'fixtures/example', '--profile', 'nowhere.json');
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: 'error: open nowhere.json: no such file or directory\n' });
  });
});
