/** The command line of Regal: its commands, their help and their refusals. */
import { expect, test } from 'vitest';
import { runCommand } from '../../test/harness/command.js';

const commands = ['lint', 'fix', 'parse', 'test', 'debug', 'language-server'];

test.each(commands)('regal %s has a help of its own', async (name) => {
  for (const args of [
    [name, '--help'],
    [name, '-h'],
    ['help', name],
  ]) {
    const { exit, stdout, stderr } = await runCommand('regal', ...args);
    expect([args, exit, stderr]).toEqual([args, 0, '']);
    expect(stdout).toContain(`\n  regal ${name} `);
  }
});

test.each([
  [['debug', '--nope'], "Error: unknown flag: --nope\nRun 'regal debug --help' for usage.\n"],
  [['debug', 'data.a'], "Error: debug takes no arguments\nRun 'regal debug --help' for usage.\n"],
  [['parse'], "Error: parse takes one file\nRun 'regal parse --help' for usage.\n"],
  [['nope'], `Error: unknown command "nope" for "regal"\nRun 'regal --help' for usage.\n`],
])('regal %j is refused', async (args, stderr) => {
  expect(await runCommand('regal', ...args)).toMatchObject({ exit: 1, stdout: '', stderr });
});

test('regal --help lists the commands', async () => {
  const { stdout } = await runCommand('regal', '--help');
  for (const name of commands) expect(stdout).toContain(`\n  ${name}`);
});
