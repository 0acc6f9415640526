import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

test('check --lint adds the findings of the linter, and fails for its errors', async () => {
  await withFiles({ 'p/a.rego': 'package p\n\nmoorNow := 1\n' }, async (directory) => {
    expect((await runCommand('check', directory)).exit).toBe(0);
    const { exit, stderr } = await runCommand('check', '--lint', directory);
    expect(exit).toBe(1);
    expect(stderr).toBe(`${directory}/p/a.rego:3:1: error: prefer-snake-case: Write names in small letters with underscores\n`);
  });
});

test('a configuration that makes warnings of findings does not fail the check', async () => {
  const files = { 'p/a.rego': 'package p\n\nmoorNow := 1\n', '.regal.yaml': 'rules:\n  default:\n    level: warning\n' };
  await withFiles(files, async (directory) => {
    expect(await runCommand('check', '--lint', directory)).toMatchObject({ exit: 0 });
  });
});

test('a warning of the check is no finding again', async () => {
  const files = { 'p/a.rego': 'package p\n\n# METADATA\n# entrypoint: true\nmoor if data.roles\n' };
  await withFiles(files, async (directory) => {
    const { stderr } = await runCommand('check', '--lint', directory);
    expect(stderr.match(/unresolved-reference/g)).toHaveLength(2);
    expect(stderr.split('\n').filter(Boolean)).toHaveLength(1);
  });
});
