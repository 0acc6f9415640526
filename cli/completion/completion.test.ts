import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { commands } from '../command-table.js';

/** The words that bash offers at the end of a command line that it has split. */
async function bashWords(line: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await runCommand('completion', 'bash');
  return withFiles({}, async (directory) => {
    const file = join(directory, 'writ.bash');
    writeFileSync(file, `${script}\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(( $# - 1 ))\n_writ\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`);
    const { stdout, stderr } = spawnSync('bash', ['--norc', file, ...line], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').filter((word) => word !== '');
  });
}

test.each([
  ['commands', ['writ', 'ev'], ['eval']],
  ['groups', ['writ', 'ref'], ['refactor']],
  ['commands of a group', ['writ', 'refactor', ''], ['move']],
  ['flags', ['writ', 'eval', 'data', '--fo'], ['--format']],
  ['flags of a command of a group', ['writ', 'refactor', 'move', '--wr'], ['--write']],
  ['values of a flag', ['writ', 'check', '-f', ''], ['pretty', 'json', 'github']],
  ['values behind an equals sign', ['writ', 'eval', '--format', '=', 'ra'], ['raw']],
  ['values just after an equals sign', ['writ', 'check', '--format', '='], ['pretty', 'json', 'github']],
  ['paths, which bash completes itself, for a flag', ['writ', 'eval', '--data', ''], []],
  ['paths for arguments', ['writ', 'fmt', ''], []],
  ['shells', ['writ', 'completion', 'p'], ['powershell']],
  ['topics of help', ['writ', 'help', 'ins'], ['inspect']],
  ['nothing for an unknown command', ['writ', 'nosuch', '--'], []],
])('bash completes %s', async (_note, line, words) => {
  expect(await bashWords(line)).toEqual(words);
});

test.each(['bash', 'fish', 'powershell', 'zsh'])('the script for %s has all flags of all commands', async (shell) => {
  const { stdout } = await runCommand('completion', shell);
  for (const [name, entry] of Object.entries(commands)) {
    expect(stdout).toContain(name.split(' ').at(-1));
    for (const flag of (await entry.load()).flags)
      if (flag.refused === undefined) expect(stdout).toContain(shell === 'fish' ? `-l ${flag.name}` : `--${flag.name}`);
  }
});

test('a link named opa has a script of its name', async () => {
  const { stdout } = await runCommand('opa', 'completion', 'bash');
  expect(stdout).toContain('complete -o default -F _opa opa');
  expect((await runCommand('opa', 'completion')).stdout).toContain('opa completion {bash,fish,powershell,zsh}');
});

test('descriptions can be left out', async () => {
  for (const shell of ['fish', 'powershell', 'zsh']) {
    expect((await runCommand('completion', shell)).stdout).toContain('Evaluate a query');
    expect((await runCommand('completion', shell, '--no-descriptions')).stdout).not.toContain('Evaluate a query');
  }
});

test('without a shell the command shows how it is used', async () => {
  expect(await runCommand('completion')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('writ completion {bash,fish,powershell,zsh}'),
  });
});

test('other shells are refused', async () => {
  expect(await runCommand('completion', 'tcsh')).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('Error: unknown shell "tcsh": specify one of bash, fish, powershell, zsh'),
  });
});

// A hash table of PowerShell ignores case, and refuses a key that stands twice.
test('the tables for PowerShell have no keys that differ only in case', async () => {
  const { stdout } = await runCommand('completion', 'powershell');
  for (const table of stdout.match(/@\{[^}]*\}/g) ?? []) {
    const keys = [...table.matchAll(/^\s*'((?:[^']|'')*)' = |(?<=[{;] )'((?:[^']|'')*)' = /gm)].map(([, own, other]) =>
      (own ?? other)!.toLowerCase(),
    );
    expect(new Set(keys).size).toBe(keys.length);
  }
  const values = [...stdout.matchAll(/^ {4}'([a-z -]+ -[^']*)' = @\(/gim)].map(([, key]) => key!.toLowerCase());
  expect(values.length).toBeGreaterThan(20);
  expect(new Set(values).size).toBe(values.length);
});
