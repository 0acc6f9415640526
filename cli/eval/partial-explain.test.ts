/** `--explain` beside `--partial`: the trace of the partial evaluation. */
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';
import { temporaryDirectory, writeFiles } from '../../test/harness/disk.js';

const rules = `package p

allow if {
	trace("asked")
	input.user == "x"
	not bad
	level == 2
}

bad if input.bad

level := 1 if input.l < 3

else := 2

default d := false

d if input.q

top if d

sent if http.send({"method": "get", "url": "http://127.0.0.1:1/"}).status_code == 200

known if data.k == 2

member if {1, input.m} == {1, 2}
`;

async function traced(mode: string, query: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const folder = writeFiles(temporaryDirectory(), { 'p.rego': rules, 'd.json': '{"k": 2}' });
  const files = ['-d', `${folder}/p.rego`, '-d', `${folder}/d.json`];
  const { stdout, exit } = await runCommand('eval', '-p', '-f', 'pretty', '--explain', mode, ...files, ...flags, query);
  expect(exit).toBe(0);
  const lines = stdout.slice(0, stdout.indexOf('┌')).trimEnd().split('\n');
  return lines.map((line) => line.replace(/^\S+:(\d+) +/, '$1 '));
}

describe('eval --partial --explain', () => {
  test('full shows what is evaluated, saved and tried again', async () => {
    expect(await traced('full', 'data.p.allow')).toEqual([
      '1 Enter data.p.allow',
      '1 | Eval data.p.allow',
      '1 | Index data.p.allow (matched 1 rule, early exit)',
      '3 | Enter data.p.allow',
      '4 | | Eval trace("asked")',
      '4 | | Note "asked"',
      '5 | | Eval input.user = "x"',
      '5 | | Save input.user = "x"',
      '6 | | Eval not data.p.bad',
      '6 | | | Eval data.p.bad',
      '6 | | | Index data.p.bad (matched 1 rule, early exit)',
      '10 | | | Enter data.p.bad',
      '10 | | | | Eval input.bad',
      '10 | | | | Save input.bad = _',
      '10 | | | | Save _',
      '10 | | | | Exit data.p.bad',
      '6 | | | Redo data.p.bad',
      '10 | | | Redo data.p.bad',
      '10 | | | | Fail input.bad',
      '6 | | Save not input.bad',
      '7 | | Eval data.p.level = 2',
      '7 | | Save data.p.level = 2',
      '3 | | Exit data.p.allow',
      '1 | Exit data.p.allow',
      '1 Redo data.p.allow',
      '1 | Redo data.p.allow',
      '3 | Redo data.p.allow',
      '7 | | Redo data.p.level = 2',
      '5 | | Redo input.user = "x"',
      '4 | | Redo trace("asked")',
    ]);
  });

  test('notes and fails show the way to these', async () => {
    expect(await traced('notes', 'data.p.allow')).toEqual(['1 Enter data.p.allow', '3 | Enter data.p.allow', '4 | | Note "asked"']);
    expect(await traced('fails', 'data.p.allow')).toEqual(['10 Redo data.p.bad', '10 | Fail input.bad']);
  });

  test('a rule that stays a rule is entered, and the ref to it is saved', async () => {
    const found = await traced('full', 'data.p.top');
    expect(found.filter((line) => /Enter|Save/.test(line))).toEqual([
      '1 Enter data.p.top',
      '20 | Enter data.p.top',
      '18 | | Enter data.p.d',
      '18 | | | Save input.q = _',
      '18 | | | Save _',
      '16 | | Enter data.p.d',
      '20 | | Save data.partial.p.d = _',
      '20 | | Save _',
    ]);
  });

  test('the flags of partial evaluation count', async () => {
    const saved = async (...args: readonly [string, ...string[]]) =>
      (await traced('full', ...args)).filter((line) => line.includes('Save'));
    expect(await saved('data.p.known')).toEqual([]);
    expect(await saved('data.p.known', '--unknowns', 'data.k')).toEqual(['24 | | Save data.k = 2']);
    expect(await saved('data.p.known', '--disable-inlining', 'data.p.known')).toEqual(['1 | Save data.partial.p.known = _', '1 | Save _']);
    // Nothing is sent.
    expect((await saved('data.p.sent'))[0]).toContain('Save http.send(');
  });

  test('debug shows unifications', async () => {
    const found = await traced('debug', 'data.p.known', '--unknowns', 'data.k');
    expect(found.filter((line) => line.includes('Unify'))).toEqual([
      '1 | Unify data.p.known = _',
      '24 | | Unify data.k = 2',
      '1 | Unify true = _',
    ]);
  });

  test('debug shows sets with unknown members as they are written', async () => {
    const found = await traced('debug', 'data.p.member');
    expect(found.filter((line) => line.includes('Unify')).at(-2)).toMatch(/^26 \| \| Unify \{1, __local\d+__\} = \{1, 2\}$/);
  });

  test('a query that always holds has an empty row', async () => {
    const { stdout } = await runCommand('eval', '-p', '-f', 'pretty', '1 == 1');
    expect(stdout).toContain('│ Query 1 │  │');
  });
});
