import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../test/harness/command.js';

test('fmt follows no links to directories, so a link to the directory above ends', async () => {
  await withFiles({ 'd/a.rego': 'package a\np:=1\n' }, async (directory) => {
    symlinkSync('..', `${directory}/d/up`);
    symlinkSync('a.rego', `${directory}/d/b.rego`);
    const listed = [`${directory}/d/a.rego\n`, `${directory}/d/b.rego\n`];
    expect(await runCommand('fmt', '-l', directory)).toEqual({ exit: 0, stdout: listed.join(''), stderr: '' });
  });
});
