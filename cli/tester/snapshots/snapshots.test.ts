/** Values that tests compare with a file, which `--update` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../../test/harness/command.js';

const policy = `package authz

decision := {"allow": input.level > 2, "reasons": [r | some r in input.reasons]}
`;

const tests = `package authz_test

import data.authz

test_high if authz.decision == data.snapshots.high with input as {"level": 3, "reasons": ["b", "a"]}

test_low if {
	request := {"level": 1, "reasons": []}
	data.snapshots.nested.low == authz.decision with input as request
}
`;

async function inFolder(files: Readonly<Record<string, string>>, use: (folder: string, run: Run) => Promise<void>) {
  await withFiles({ 'authz.rego': policy, 'authz_test.rego': tests, ...files }, async (folder) => {
    const snapshots = join(folder, 'snapshots.json');
    await use(folder, async (...args) => {
      const policies = ['authz.rego', 'authz_test.rego'].map((name) => join(folder, name));
      const { exit, stdout, stderr } = await runCommand('test', '--snapshots', snapshots, ...args, ...policies);
      return { exit, stdout: stdout.replaceAll(folder, ''), stderr: stderr.replaceAll(folder, '') };
    });
  });
}

type Run = (...args: string[]) => Promise<{ readonly exit: number; readonly stdout: string; readonly stderr: string }>;

const written = `{
  "high": {
    "allow": true,
    "reasons": [
      "b",
      "a"
    ]
  },
  "nested": {
    "low": {
      "allow": false,
      "reasons": []
    }
  }
}
`;

test('--update writes the values that tests compare, and the tests pass', async () => {
  await inFolder({}, async (folder, run) => {
    expect(await run('--update')).toMatchObject({
      exit: 0,
      stdout: 'PASS: 2/2\n',
      stderr: '/snapshots.json: snapshots written: 2 added\n',
    });
    expect(readFileSync(join(folder, 'snapshots.json'), 'utf8')).toBe(written);
    expect(await run()).toMatchObject({ exit: 0, stdout: 'PASS: 2/2\n', stderr: '' });
    expect((await run('--update')).stderr).toBe('/snapshots.json: no snapshot has changed\n');
  });
});

test('a file that is no JSON is named', async () => {
  await inFolder({ 'snapshots.json': '{"x":' }, async (_, run) => {
    for (const args of [[], ['--update']])
      expect(await run(...args)).toMatchObject({ exit: 1, stderr: expect.stringContaining('/snapshots.json: it is no JSON: ') });
  });
});

test('a value that has changed fails the test, until it is updated', async () => {
  await inFolder({ 'snapshots.json': written.replace('true', 'false') }, async (folder, run) => {
    expect(await run()).toMatchObject({ exit: 2, stdout: expect.stringContaining('data.authz_test.test_high: FAIL') });
    expect((await run('--update')).stderr).toBe('/snapshots.json: snapshots written: 1 changed\n');
    expect(readFileSync(join(folder, 'snapshots.json'), 'utf8')).toBe(written);
  });
});

test('snapshots that no test compares with go, unless only some tests run', async () => {
  const others = written.replace('{\n', '{\n  "old": 1,\n');
  await inFolder({ 'snapshots.json': others }, async (folder, run) => {
    expect((await run('--update', '--run', 'high')).exit).toBe(0);
    expect(readFileSync(join(folder, 'snapshots.json'), 'utf8')).toContain('"old"');
    expect((await run('--update')).stderr).toBe('/snapshots.json: snapshots written: 1 removed\n');
  });
});

test.each([
  ['a set', 'test_x if {1} == data.snapshots.x', '/authz_test.rego:3: the compared value has a set or a key that is no text'],
  ['undefined', 'test_x if input.a == data.snapshots.x', '/authz_test.rego:3: the compared value is undefined'],
  ['several values', 'test_x if {\n\tsome v in [1, 2]\n\tv == data.snapshots.x\n}', '/authz_test.rego:5: there are 2 values to compare'],
  [
    'two values of a name',
    'test_x if 1 == data.snapshots.x\n\ntest_y if 2 == data.snapshots.x',
    'is compared with another value at /authz_test.rego:3',
  ],
])('%s is no snapshot', async (_, rule, message) => {
  await inFolder({ 'authz_test.rego': `package authz_test\n\n${rule}\n` }, async (folder, run) => {
    const { exit, stderr } = await run('--update');
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining(message) });
    expect(() => readFileSync(join(folder, 'snapshots.json'))).toThrow();
  });
});

test.each([
  [{}, [], '/snapshots.json: there are no snapshots: --update writes them'],
  [{ 'snapshots.json': '[]' }, [], '/snapshots.json: snapshots are an object'],
])('a file without snapshots is an error: %j', async (files, args, message) => {
  await inFolder(files as Record<string, string>, async (_, run) => {
    expect(await run(...(args as string[]))).toMatchObject({ exit: 1, stderr: expect.stringContaining(message) });
  });
});

test('tests below a ref have snapshots, skipped ones none', async () => {
  const text = [
    'package authz_test',
    'users.test_x if input.level == data.snapshots.x with input as {"level": 1}',
    'users["a-b"].test_y if 2 == data.snapshots.y',
    'test_cases[n] if { some n, v in {"z": 3}; v == data.snapshots.z }',
    'todo_test_w if 4 == data.snapshots.w',
    'users.todo_test_v if 5 == data.snapshots.v',
  ].join('\n');
  await inFolder({ 'authz_test.rego': text }, async (folder, run) => {
    const snapshots = () => JSON.parse(readFileSync(join(folder, 'snapshots.json'), 'utf8')) as unknown;
    expect(await run('--update')).toMatchObject({ exit: 2, stderr: '/snapshots.json: snapshots written: 3 added\n' });
    expect(snapshots()).toEqual({ x: 1, y: 2, z: 3 });
    expect((await run('--update', '--run', 'users.test_x$')).stderr).toBe('/snapshots.json: no snapshot has changed\n');
  });
});

test('policies of version 0 have snapshots, too', async () => {
  const old = 'package authz_test\n\ntest_x { y := 1; y == data.snapshots.x }\n';
  await inFolder({ 'authz.rego': 'package authz\n', 'authz_test.rego': old }, async (folder, run) => {
    expect((await run('--update', '--v0-compatible')).exit).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'snapshots.json'), 'utf8'))).toEqual({ x: 1 });
  });
});
