import { expect, test } from 'vitest';
import { runCommand, withFiles } from './testing.js';

test.each(['check', 'test', 'fmt', 'build', 'eval'])('an empty name of a capabilities file is an error: %s', async (command) => {
  await withFiles({ 'p.rego': 'package p\n\na := 1\n' }, async (directory) => {
    const { exit, stdout, stderr } = await runCommand(command, '--capabilities', '', `${directory}/p.rego`);
    expect(exit).not.toBe(0);
    expect(stdout + stderr).toContain('no such file or capabilities version found');
  });
});
