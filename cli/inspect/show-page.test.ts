import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const files = { 'p.rego': 'package p\n\nx := input.y\n', 'none.json': '{"runs": []}', 'text.txt': 'x' };

test.each([
  [['--web', '{}/data'], 'there is no plan to show'],
  [['--web', '{}', '--profile', '{}/none.json'], 'is no profile of a plan'],
  [['--web', '{}', '--profile', '{}/text.txt'], 'text.txt: it is no JSON'],
  [['--web', '--trace', '{}/none.json'], 'invalid recording'],
  [['--web', '--trace', '{}/missing'], 'missing'],
  [['--listing', '{}', '--trace', '{}/none.json'], '--trace and --output need --web'],
  [['--web'], 'specify exactly one OPA bundle or path'],
])('inspect %j ends with an error', async (args, message) => {
  await withFiles({ ...files, 'data/d.json': '{}' }, async (directory) => {
    const given = args.map((arg) => arg.replace('{}', directory));
    const { exit, stderr } = await runCommand('inspect', ...given, '-o', join(directory, 'page.html'));
    expect(stderr).toContain(message);
    expect(exit).not.toBe(0);
  });
});
