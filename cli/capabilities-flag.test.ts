import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../test/harness/command.js';

test.each(['check', 'test', 'fmt', 'build', 'eval'])('an empty name of a capabilities file is an error: %s', async (command) => {
  await withFiles({ 'p.rego': 'package p\n\na := 1\n' }, async (directory) => {
    const { exit, stdout, stderr } = await runCommand(command, '--capabilities', '', `${directory}/p.rego`);
    expect(exit).not.toBe(0);
    expect(stdout + stderr).toContain('no such file or capabilities version found');
  });
});

test('oracle reads policies by the capabilities that it is given', async () => {
  const policy = 'package p\n\nimport future.keywords.or\n\nallow if input.a or input.b\n';
  await withFiles({ 'p.rego': policy }, async (directory) => {
    const place = `${directory}/p.rego:${policy.indexOf('allow')}`;
    const older = await runCommand('oracle', 'find-definition', '--capabilities', 'v1.0.0', place);
    expect(older.stderr).toContain('unexpected keyword, must be one of [contains every if in]');
    expect((await runCommand('oracle', 'find-definition', place)).exit).toBe(0);
  });
});
