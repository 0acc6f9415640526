import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const read = (directory: string, path: string): string => readFileSync(join(directory, path), 'utf8');

test('a dry run prints a patch and changes nothing', async () => {
  const text = 'package p\n\n#x\na := 1\n';
  await withFiles({ 'p/a.rego': text }, async (directory) => {
    const { exit, stdout } = await runCommand('fix', '--dry-run', directory);
    expect(exit).toBe(0);
    expect(stdout).toContain('--- a/p/a.rego\n+++ b/p/a.rego\n@@ -1,4 +1,4 @@\n package p\n \n-#x\n+# x\n a := 1\n');
    expect(stdout).toContain('1 fix to apply:');
    expect(read(directory, 'p/a.rego')).toBe(text);
  });
});

test('git applies the patch of a dry run to what the fix writes', async () => {
  const files = {
    'p/a.rego': 'package p\n\n#x\na := 1',
    'b.rego': 'package q.r\r\n\r\na = "日本" { 1 == 1; input.x }\r\n',
    '.regal/config.yaml': '',
  };
  await withFiles(files, async (directory) => {
    const { stdout } = await runCommand('fix', '--dry-run', directory);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: directory, input: stdout });
    git('init', '-q');
    git('apply', '-');
    const applied = ['p/a.rego', 'q/r/b.rego'].map((path) => read(directory, path));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(directory, path), text);
    rmSync(join(directory, 'q'), { recursive: true });
    await runCommand('fix', '--force', directory);
    expect(['p/a.rego', 'q/r/b.rego'].map((path) => read(directory, path))).toEqual(applied);
    expect(existsSync(join(directory, 'b.rego'))).toBe(false);
  });
});

test.each([
  ['main.rego', { 'q/main.rego': '', 'q/main_1.rego': '' }, 'q/main_2.rego'],
  ['a_1_9.rego', { 'q/a_1_9.rego': '' }, 'q/a_1_10.rego'],
  ['a_9_test.rego', { 'q/a_9_test.rego': '' }, 'q/a_10_test.rego'],
])('%s gets the next number of its row', async (name, taken, wanted) => {
  const others = Object.fromEntries(Object.keys(taken).map((path) => [path, 'package q\n\nb := 1\n']));
  await withFiles({ [name]: 'package q\n\na := 1\n', ...others }, async (directory) => {
    const { exit } = await runCommand('fix', '--on-conflict', 'rename', '--force', directory);
    expect([exit, existsSync(join(directory, wanted)), existsSync(join(directory, name))]).toEqual([0, true, false]);
  });
});

test.each(['..', 'a/b', '../../x', 'a b', ''])('a package with %j in its path moves no file', async (part) => {
  const text = `package q[${JSON.stringify(part)}].r\n\n#x\na := 1\n`;
  await withFiles({ 'd/p.rego': text }, async (directory) => {
    const { exit, stderr } = await runCommand('fix', '--force', join(directory, 'd'));
    expect(exit).toBe(1);
    expect(stderr).toContain(`can only handle [a-zA-Z0-9_-] characters in package name, got: ${part}`);
    expect(read(directory, 'd/p.rego')).toBe(text);
  });
});

const broken = `package p

// who may
default allow false

allow == true if {
	let u := inptu.user
	!u.blocked
	u.role == 'admin'
	startwith(u.name, "a");
}

roles[r] { r := input.roles[_] }
`;

const mended = `package p

# who may
default allow := false

allow if {
	u := input.user
	not u.blocked
	u.role == "admin"
	startswith(u.name, "a")
}

roles contains r if r := input.roles[_]
`;

test('errors are mended as their hints say, where that is asked for', async () => {
  await withFiles({ 'p/a.rego': broken }, async (directory) => {
    expect((await runCommand('fix', directory)).exit).toBe(1);
    expect(read(directory, 'p/a.rego')).toBe(broken);
    const { exit, stdout } = await runCommand('fix', '--hints', directory);
    expect(exit).toBe(0);
    expect(stdout).toContain('- hint: Change to input\n');
    expect(stdout).toContain('- hint: Add the word contains\n');
    expect(read(directory, 'p/a.rego')).toBe(mended);
    expect((await runCommand('check', directory)).exit).toBe(0);
  });
});

test.each([
  ['an error without a hint', 'package p\n\na if {\n\tinput.x &&& input.y\n}\n', 1],
  ['a policy of version 0', 'package p\n\na { input.x }\n', 0],
  ['a name without another that is like it', 'package p\n\na if zzzzzz\n', 0],
])('%s is not mended', async (_title, text, exit) => {
  await withFiles({ 'p/a.rego': text }, async (directory) => {
    const found = await runCommand('fix', '--hints', '-D', '-e', 'no-whitespace-comment', directory);
    expect(found.exit).toBe(exit);
    expect(read(directory, 'p/a.rego')).toBe(text);
  });
});

test('a file moves to the directories of its package, and empty directories go', async () => {
  await withFiles({ 'x/y/a.rego': 'package p.q\n\na := 1\n' }, async (directory) => {
    expect((await runCommand('fix', directory)).exit).toBe(0);
    expect(read(directory, 'p/q/a.rego')).toBe('package p.q\n\na := 1\n');
    expect(existsSync(join(directory, 'x'))).toBe(false);
  });
});

test('a file that would replace another one is not moved', async () => {
  const files = { 'a.rego': 'package p\n\na := 1\n', 'p/a.rego': 'package p\n\nb := 1\n' };
  await withFiles(files, async (directory) => {
    const { exit, stdout } = await runCommand('fix', directory);
    expect(exit).toBe(1);
    expect(stdout).toContain('Cannot overwrite existing file: p/a.rego\n- a.rego\n');
    for (const [path, text] of Object.entries(files)) expect(read(directory, path)).toBe(text);
  });
});

test.each([
  ['a condition that never holds', 'a if {\n\t1 == 2\n\tinput.x\n}'],
  ['a check of a value that may be false', 'a if {\n\tinput.x\n\tinput.x == false\n}'],
  ['a check of an argument', 'f(x) if {\n\tx\n\tinput.y\n}'],
  ['a check of an argument that may be false', 'f(x) if {\n\tx\n\tx == input.y\n}'],
  ['a check of the value of the head', 'a := input.x if {\n\tinput.x\n\tinput.y\n}'],
  ['a check above else', 'a := input.x.y if {\n\tinput.x\n\tinput.z\n} else := 1'],
  ['a check of an argument of a call within a call', 'f(x) if {\n\tx\n\tlower(x) == "a"\n}'],
  ['a check of a value that a print shows', 'a if {\n\tinput.x\n\tprint(input.x.y)\n}'],
  ['a check that is the whole body', 'a := input.x.y if input.x'],
  ['a pattern with a back tick', 'a if regex.match("`", input.x)'],
])('%s stays', async (_title, rule) => {
  const text = `package p\n\n${rule}\n`;
  await withFiles({ 'p/a.rego': text }, async (directory) => {
    expect((await runCommand('fix', directory)).stdout).toBe('No fixes applied.\n');
    expect(read(directory, 'p/a.rego')).toBe(text);
  });
});

test.each([
  ['an argument', 'f(x) if {\n\tx\n\t"a" in x.b\n}', 'f(x) if {\n\t"a" in x.b\n}'],
  ['what the head looks into', 'a := input.x.y if {\n\tinput.x\n\tinput.z\n}', 'a := input.x.y if {\n\tinput.z\n}'],
  ['an argument of a built-in', 'f(x) if {\n\tx\n\tstartswith(x, "a")\n}', 'f(x) if {\n\tstartswith(x, "a")\n}'],
  ['what is compared with a constant', 'a if {\n\tinput.x\n\tinput.x == "b"\n}', 'a if {\n\tinput.x == "b"\n}'],
  ['what is compared with false', 'a if {\n\tinput.x\n\tinput.x == false\n}', 'a if {\n\tinput.x\n\tinput.x == false\n}'],
  ['a comparison above', 'a if {\n\t[1] == input.x\n\tinput.x\n}', 'a if {\n\t[1] == input.x\n}'],
])('a redundant check of %s goes', async (_title, before, after) => {
  await withFiles({ 'p/p.rego': `package p\n\n${before}\n` }, async (directory) => {
    await runCommand('fix', '-D', '-e', 'redundant-existence-check', '--force', directory);
    expect(read(directory, 'p/p.rego')).toBe(`package p\n\n${after}\n`);
  });
});

test.each([
  ['behind a semicolon', 'a if { input.x; true }', 'a if { input.x }'],
  ['before a semicolon', 'a if { true; input.x }', 'a if { input.x }'],
  ['several in a row', 'a if { 1; true; input.x; 2; "b"; 3 }', 'a if { input.x }'],
  ['in a closure', 'a := [x | some x in input.y; true]', 'a := [x | some x in input.y]'],
  ['a line with a semicolon at its end', 'a if {\n\tinput.x;\n\ttrue\n}', 'a if {\n\tinput.x\n}'],
  ['below a comment', 'a if {\n\tinput.x # note;\n\ttrue\n}', 'a if {\n\tinput.x # note;\n}'],
  ['behind a comment', 'a if {\n\tinput.x; # note;\n\ttrue\n}', 'a if {\n\tinput.x # note;\n}'],
  ['before a brace', 'a if { input.x; # note\n\ttrue }', 'a if { input.x # note\n\t }'],
  ['all but one', 'a if {\n\t1\n\ttrue\n}\n\nb if {\n\tinput.x\n\t1 == 1\n}', 'a if {\n\ttrue\n}\n\nb if {\n\tinput.x\n}'],
])('conditions that always hold go: %s', async (_title, before, after) => {
  await withFiles({ 'p/p.rego': `package p\n\n${before}\n` }, async (directory) => {
    await runCommand('fix', '-D', '-e', 'constant-condition', '--force', directory);
    expect(read(directory, 'p/p.rego')).toBe(`package p\n\n${after}\n`);
  });
});

test.each([
  ['a ref with an index', 'a if {\n\tsome i\n\tinput.xs[i] = 1\n\ti > 2\n}', '=='],
  ['a ref with a wildcard', 'a(x) if {\n\tx = input.xs[_].y\n}', '=='],
  ['a name that nothing has', 'a if {\n\tinput.xs = y.z\n}', '='],
])('an equals sign between known values becomes two: %s', async (_title, text, sign) => {
  await withFiles({ 'p/p.rego': `package p\n\n${text}\n` }, async (directory) => {
    await runCommand('fix', '-D', '-e', 'prefer-equals-comparison', '--force', directory);
    expect(read(directory, 'p/p.rego')).toBe(`package p\n\n${text.replace(' = ', ` ${sign} `)}\n`);
  });
});

test('a fix whose text would not be a policy is not made', async () => {
  const text = 'package p\n\n#METADATA\na := 1\n';
  await withFiles({ 'p/a.rego': text }, async (directory) => {
    const { exit, stderr } = await runCommand('fix', directory);
    expect({ exit, stderr }).toMatchObject({ exit: 1 });
    expect(read(directory, 'p/a.rego')).toBe(text);
  });
});

test('lint --fix fixes, and reports what is left', async () => {
  await withFiles({ 'p/a.rego': 'package p\n\n#x\nmoorNow := 1\n' }, async (directory) => {
    const { exit, stdout, stderr } = await runCommand('lint', '--fix', '--no-color', directory);
    expect(exit).toBe(3);
    expect(stdout).toContain('prefer-snake-case');
    expect(stdout).toContain('1 violation found.');
    expect(stderr).toContain('1 fix applied:');
    expect(read(directory, 'p/a.rego')).toBe('package p\n\n# x\nmoorNow := 1\n');
  });
});

/** Runs git in a folder, with an identity. */
function git(dir: string, ...args: string[]): void {
  execFileSync('git', ['-C', dir, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { stdio: 'ignore' });
}

test('files with changes that are not committed are fixed by force only', async () => {
  await withFiles({ 'p/a.rego': 'package p\n\nx := 1\n', 'p/b.rego': 'package p\n\ny = 1\n' }, async (dir) => {
    git(dir, 'init', '-q');
    git(dir, 'add', '.');
    git(dir, 'commit', '-qm', 'first');
    expect((await runCommand('fix', dir)).stdout).toContain('1 fix applied');
    writeFileSync(join(dir, 'p/a.rego'), 'package p\n\nx = 1\n');
    const { exit, stderr } = await runCommand('fix', dir);
    expect({ exit, text: readFileSync(join(dir, 'p/a.rego'), 'utf8') }).toEqual({ exit: 1, text: 'package p\n\nx = 1\n' });
    expect(stderr).toContain('a.rego');
    expect((await runCommand('fix', '--dry-run', dir)).exit).toBe(0);
    expect((await runCommand('fix', '--force', dir)).exit).toBe(0);
    expect(readFileSync(join(dir, 'p/a.rego'), 'utf8')).toBe('package p\n\nx := 1\n');
  });
});
