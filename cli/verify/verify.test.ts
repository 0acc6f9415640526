import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, runWith, withFiles } from '../../test/harness/command.js';
import { runCommandLine } from '../run.js';

const policy = `package main

deny contains msg if {
	not input.name
	msg := "a lamp needs a name"
}

warn contains "bright" if input.watts > 30
`;

async function verify(files: Record<string, string>, ...args: string[]) {
  return await withFiles({ 'policy/a.rego': policy, ...files }, async (folder) => {
    const given = args.map((arg) => (arg.startsWith('@') ? join(folder, arg.slice(1)) : arg));
    const { exit, stdout, stderr } = await runCommand('verify', '-p', join(folder, 'policy'), ...given);
    return { exit, stdout: stdout.replaceAll(`${folder}/`, ''), stderr: stderr.replaceAll(`${folder}/`, '') };
  });
}

describe('writ verify', () => {
  test('names the line, the rule, and what would make it pass', async () => {
    const { exit, stdout } = await verify({ 'a.yaml': 'room: hall\nwatts: 40\n' }, '@a.yaml');
    expect(stdout).toBe(`a.yaml:1:1: failure: a lamp needs a name
  1 | room: hall
  main.deny, policy/a.rego:4: not input.name, which lacks input.name
  passes if input.name is there
a.yaml:2:1: warning: bright
  2 | watts: 40
  main.warn, policy/a.rego:8: input.watts > 30
  passes if input.watts <= 30

2 tests, 0 passed, 1 warning, 1 failure, 0 exceptions
`);
    expect(exit).toBe(1);
  });

  test('shows the part of a long line around the place', async () => {
    const lamps = Array.from({ length: 100 }, (_, i) => ({ id: i, watts: 10 }));
    const text = JSON.stringify({ name: 'x', lamps, watts: 40, last: 'y'.repeat(300) });
    const { stdout } = await verify({ 'a.json': text }, '@a.json');
    const [place = '', line = ''] = stdout.split('\n');
    expect(place).toBe(`a.json:1:${text.indexOf('"watts":40') + 1}: warning: bright`);
    expect(line).toMatch(/^ {2}1 \| ….{30,50}"watts":40,"last":"y+…$/);
    expect(line.length).toBeLessThan(180);
  });

  test('tells each of many failures of a large file its place', async () => {
    const lamps = Array.from({ length: 20_000 }, (_, i) => ({ name: `lamp ${i}`, note: 'x'.repeat(60), ok: i % 5000 !== 7 }));
    const text = JSON.stringify({ name: 'x', lamps }, null, 1);
    expect(text.length).toBeGreaterThan(1_000_000);
    const rule = 'package main\n\ndeny contains l.name if {\n\tsome l in input.lamps\n\tnot l.ok\n}\n';
    const { stdout } = await verify({ 'a.json': text, 'policy/b.rego': rule }, '-o', 'json', '@a.json');
    const [{ failures }] = JSON.parse(stdout) as [{ failures: { msg: string; loc: { line: number; path: string } }[] }];
    const lines = text.split('\n');
    expect(failures.map(({ msg }) => msg).sort()).toEqual([10_007, 15_007, 5007, 7].map((i) => `lamp ${i}`));
    for (const { msg, loc } of failures) {
      expect(loc.path).toBe(`input.lamps[${msg.slice(5)}].ok`);
      expect(lines[loc.line - 1]).toContain('"ok": false');
      expect(lines[loc.line - 3]).toContain(`"${msg}"`);
    }
  });

  test.each([
    ['b.yaml', 'a: [1\n', 1],
    ['b.json', '{"a": 1,\n}', 2],
    ['b.toml', 'a = 1\na = 2\n', 2],
    ['Dockerfile', 'FROM a\nRNU x\n', 2],
    ['b.tf', 'a {\n b = 1 +\n}\n', 2],
    ['nginx.conf', 'http {\n', 2],
  ])('reports %s, which is broken, and checks the other files', async (name, text, line) => {
    const { exit, stdout, stderr } = await verify({ 'f/a.yaml': 'name: x\n', [`f/${name}`]: text }, '@f');
    expect(stderr).toMatch(new RegExp(`^f/${name.replace('.', '\\.')}:${line}:\\d+: error: .+\\n`));
    expect(stdout).toContain('2 tests, 2 passed');
    expect(exit).toBe(1);
  });

  test.each([
    [['--no-fail'], 0],
    [['--fail-on-warn'], 2],
    [[], 1],
  ])('exits by %j with %i', async (flags, exit) => {
    expect((await verify({ 'a.yaml': 'watts: 40\n' }, ...flags, '@a.yaml')).exit).toBe(exit);
  });

  test('gives places to GitHub and to SARIF', async () => {
    const files = { 'a.yaml': '# lamp\nname: x\nwatts: 40\n' };
    const github = await verify(files, '-o', 'github', '@a.yaml');
    expect(github.stdout).toContain('::warning file=a.yaml,line=3,endLine=3,col=1::bright\n');
    const sarif = await verify(files, '-o', 'sarif', '@a.yaml');
    expect(sarif.stdout).toContain('"region":{"startLine":3,"startColumn":1,"endLine":3}');
  });

  test('runs the tests of policies of all packages', async () => {
    const files = { 'policy/b_test.rego': 'package b\n\ntest_a if true\n\ntest_b if false\n' };
    const { exit, stdout } = await verify(files, '--tests');
    expect(stdout).toContain('FAIL - policy/b_test.rego -  - data.b.test_b\n');
    expect(exit).toBe(1);
  });

  test('types the input by a schema', async () => {
    const schema =
      '{"type": "object", "properties": {"name": {"type": "string"}, "watts": {"type": "number"}}, "additionalProperties": false}';
    const files = { 'policy/b.rego': 'package main\n\ndeny contains "x" if input.colour\n', 's.json': schema, 'a.yaml': 'name: x\n' };
    const { exit, stderr } = await verify(files, '--schema', '@s.json', '@a.yaml');
    expect(stderr).toContain('undefined ref: input.colour');
    expect(exit).toBe(1);
  });

  test.each([
    [
      'plan.json',
      '{"resource_changes": [\n{"type": "db", "address": "a", "change": {"actions": ["delete"]}}]}',
      'deny contains sprintf("%s: %s is deleted", [r.type, r.address]) if {\n\tsome r in input.resource_changes\n\t"delete" in r.change.actions\n}',
      'plan.json:2:',
    ],
    [
      'pods.json',
      '{"kind": "List", "items": [\n{"metadata": {"name": "a"}}]}',
      'deny contains sprintf("%s has no owner", [p.metadata.name]) if {\n\tsome p in input.items\n\tnot p.metadata.labels.owner\n}',
      'pods.json:2:',
    ],
    ['out.yaml', '---\n# Source: a\nkind: A\n---\n# Source: b\nkind: B\n', 'deny contains "b" if input.kind == "B"', 'out.yaml:6:1:'],
  ])('finds the place in %s', async (name, text, rule, place) => {
    const files = { [name]: text, 'policy/r.rego': `package r\n\n${rule}\n` };
    expect((await verify(files, '-n', 'r', `@${name}`)).stdout).toContain(place);
  });

  test('keeps digits where that is asked for', async () => {
    const files = {
      'a.json': '{"n": 12345678901234567890}',
      'policy/r.rego': 'package r\n\ndeny contains sprintf("%d", [input.n]) if true\n',
    };
    expect((await verify(files, '-n', 'r', '--exact', '@a.json')).stdout).toContain('failure: 12345678901234567890\n');
    expect((await verify(files, '-n', 'r', '@a.json')).stdout).toContain('failure: 12345678901234567');
  });

  test('lets a command read a format', async () => {
    const command = `${process.execPath} -e console.log(JSON.stringify({watts:40}))`;
    const { stdout } = await verify({ 'a.cue': 'watts: 40\n' }, '--parser', command, '@a.cue');
    expect(stdout).toContain('a lamp needs a name');
    const present = { 'a.cue': 'x', 'policy/r.rego': 'package r\n\ndeny contains "no" if input.watts == 40\n' };
    expect((await verify(present, '-n', 'r', '--parser', command, '@a.cue')).stdout).not.toContain('lacks');
  });
});

test('writ parse-config prints what policies see', async () => {
  const stdin = () => new TextEncoder().encode('a = 12345678901234567\n');
  const { stdout } = await runWith({ stdin }, ['parse-config', '--parser', 'toml', '-']);
  expect(stdout).toBe('{\n  "a": 12345678901234567\n}\n');
});

test('--watch checks again when a file changes, also one that is broken meanwhile', async () => {
  await withFiles({ 'policy/a.rego': policy, 'a.yaml': 'name: x\n' }, async (folder) => {
    const changes = ['name: [\n', 'watts: 40\n'];
    const runs: string[] = [];
    let text = '';
    const stdout = (part: string): void => {
      text += part;
      if (!text.endsWith('Watching for changes ...\n')) return;
      runs.push(text.replaceAll(`${folder}/`, ''));
      text = '';
      setTimeout(() => {
        const change = changes.shift();
        if (change === undefined) process.emit('SIGINT');
        else writeFileSync(join(folder, 'a.yaml'), change);
      }, 50);
    };
    const io = { stdin: () => new Uint8Array(), stdout, stderr: stdout, env: {}, color: false };
    expect(await runCommandLine(['verify', '--watch', '-p', join(folder, 'policy'), join(folder, 'a.yaml')], io)).toBe(0);
    expect(runs[0]).toContain('2 tests, 2 passed');
    expect(runs[1]).toMatch(/^a\.yaml:\d+:\d+: error: /m);
    expect(runs.at(-1)).toContain('2 tests, 0 passed, 1 warning, 1 failure');
  });
});

test('--watch fetches policies once, and watches them', async () => {
  await withFiles({ 'shared/a.rego': policy, 'policy/b.rego': 'package main\n', 'a.yaml': 'name: x\n' }, async (folder) => {
    const changes = ['a.yaml', 'policy/b.rego'];
    let runs = 0;
    const stdout = (part: string): void => {
      if (!part.endsWith('Watching for changes ...\n')) return;
      runs++;
      // A run that writes policies would be followed by another before this.
      setTimeout(() => {
        const change = changes.shift();
        if (change === undefined) process.emit('SIGINT');
        else appendFileSync(join(folder, change), '\n');
      }, 400);
    };
    const io = { stdin: () => new Uint8Array(), stdout, stderr: stdout, env: {}, color: false };
    const paths = ['-u', join(folder, 'shared'), '-p', join(folder, 'policy'), join(folder, 'a.yaml')];
    expect(await runCommandLine(['verify', '--watch', ...paths], io)).toBe(0);
    expect(runs).toBe(3);
  });
});
