import { chmodSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAtTerminal, runCommand, withFiles } from '../../test/harness/command.js';

const files = {
  'closed.rego': 'package p',
  'closed.json': '{}',
  'shut/a.rego': 'package p',
  'open.rego': 'package p\n',
  'open_test.rego': 'package p_test\n\ntest_p if true\n',
  'dir/a.rego': 'package p\n',
  'key.pem': 'no key\n',
};

/** A command line in which `@` stands for the directory, and the words of its error. */
const rows: readonly (readonly [string, string])[] = [
  ['check @/closed.rego', 'open @/closed.rego: permission denied'],
  ['check @/shut', 'open @/shut: permission denied'],
  ['test @/closed.rego', 'open @/closed.rego: permission denied'],
  ['fmt @/closed.rego', 'open @/closed.rego: permission denied'],
  ['fmt @/shut', 'open @/shut: permission denied'],
  ['parse @/closed.rego', 'open @/closed.rego: permission denied'],
  ['deps -d @/closed.rego data', 'open @/closed.rego: permission denied'],
  ['types @/closed.rego', 'open @/closed.rego: permission denied'],
  ['bench -d @/closed.rego data', 'open @/closed.rego: permission denied'],
  ['eval -d @/closed.rego data', 'open @/closed.rego: permission denied'],
  ['eval -b @/shut data', 'open @/shut: permission denied'],
  ['eval -i @/closed.json data', 'open @/closed.json: permission denied'],
  ['exec --decision p @/closed.json', 'open @/closed.json: permission denied'],
  ['build @/closed.rego -o @/out.tar.gz', 'open @/closed.rego: permission denied'],
  ['build @/open.rego -o @/none/out.tar.gz', 'open @/none/out.tar.gz: no such file or directory'],
  ['build @/open.rego -o @', 'open @: is a directory'],
  ['test @/open_test.rego --coverage -f lcov -o @/none/lcov', 'open @/none/lcov: no such file or directory'],
  ['inspect @/closed.json', 'open @/closed.json: permission denied'],
  ['fmt @/none.rego', 'lstat @/none.rego: no such file or directory'],
  // As the reference; at a terminal it is told that there is no such file.
  ['sign -b @/dir --signing-key @/none.pem', 'failed to parse PEM block containing the key'],
  ['sign -b @/dir --signing-key @/key.pem --claims-file @/none.json', 'open @/none.json: no such file or directory'],
  ['build -b @/dir --verification-key @/none.pem', 'open @/none.pem: no such file or directory'],
  ['build -b @/dir --verification-key @/closed.json', 'open @/closed.json: permission denied'],
  ['run --server --addr unix://@/open.rego/socket', 'cannot listen on unix://@/open.rego/socket: not a directory'],
  ['run --server -b @/dir --verification-key none.pem', 'open none.pem: no such file or directory'],
];

// The superuser may read all files.
const isSuperuser = process.getuid?.() === 0;

test.each(rows.filter(([, words]) => !isSuperuser || !words.includes('permission')))('%s: %s', (line, words) =>
  withFiles(files, async (directory) => {
    const closed = ['closed.rego', 'closed.json', 'shut'].map((name) => join(directory, name));
    if (!isSuperuser) for (const path of closed) chmodSync(path, 0);
    const { stdout, stderr } = await runCommand(...line.replaceAll('@', directory).split(' '));
    for (const path of closed) if (existsSync(path)) chmodSync(path, 0o700);
    expect(stdout + stderr).toContain(words.replaceAll('@', directory));
    expect(stdout + stderr).not.toMatch(/\bE[A-Z]{4,}\b|--help/);
  }),
);

test('a port in use is named, with the cure', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { exit, stdout, stderr } = await runCommand('run', '--server', '--addr', `127.0.0.1:${port}`);
  other.close();
  expect(exit).toBe(1);
  expect(stdout + stderr).toContain(`cannot listen on 127.0.0.1:${port}: the address is in use by another program: choose another`);
});

const broken = '{\n  "a": 1,\n  "ä": tru\n}\n';
const fault = "invalid character '\\n' in literal true (expecting 'e')";

test.each([
  ['check -b', ['check', '-b'], 'd', `bundle d: bundle load failed on d/data.json:3:11: ${fault}\n`],
  ['test', ['test'], 'd', `1 error occurred during loading: d/data.json:3:11: ${fault}\n`],
])('%s names the file and the line of JSON that is wrong', async (_title, command, folder, stderr) => {
  await withFiles({ 'd/data.json': broken, 'd/p.rego': 'package p\n' }, async (dir) => {
    const ran = await runCommand(...command, `${dir}/${folder}`);
    expect(ran.stderr.replaceAll(`${dir}/`, '')).toBe(stderr);
  });
});

test('eval names the line in its errors, and at a terminal that of an input', async () => {
  await withFiles({ 'data.json': broken, 'in.json': '{"a": 1 "b": 2}' }, async (dir) => {
    const { stdout } = await runCommand('eval', '-d', `${dir}/data.json`, 'data');
    expect(JSON.parse(stdout).errors[0].message).toBe(`${dir}/data.json:3:11: ${fault}`);
    const { stderr } = await runAtTerminal('eval', '-i', `${dir}/in.json`, 'input');
    expect(stderr).toContain(`hint: ${dir}/in.json:1:9: invalid character '"' after object key:value pair`);
  });
});

test('a file of another ending that is no policy says so at a terminal', async () => {
  await withFiles({ 'p.reg': 'allow if input.a\n' }, async (dir) => {
    const { stderr } = await runAtTerminal('eval', '-d', `${dir}/p.reg`, 'data');
    expect(stderr).toContain(`hint: ${dir}/p.reg was not read as a policy: policies end in .rego, and begin with \`package\``);
  });
});
