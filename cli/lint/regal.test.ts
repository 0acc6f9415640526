/** The command line of Regal: its commands, their help and their refusals. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const commands = ['lint', 'fix', 'parse', 'test', 'new', 'capabilities', 'debug', 'language-server', 'completion', 'version'];

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
  [['new'], "Error: new makes one thing: a rule\nRun 'regal new --help' for usage.\n"],
  [['new', 'rule', '-c', 'Naming', '-n', 'a'], "Error: --category must be a word of small letters\nRun 'regal new --help' for usage.\n"],
  [['--version'], "Error: unknown flag: --version\nRun 'regal --help' for usage.\n"],
  [['version', '--format', 'xml'], expect.stringContaining('xml')],
  [['completion', 'tcsh'], expect.stringContaining("Run 'regal completion --help' for usage.")],
  [['nope'], `Error: unknown command "nope" for "regal"\nRun 'regal --help' for usage.\n`],
])('regal %j is refused', async (args, stderr) => {
  expect(await runCommand('regal', ...args)).toMatchObject({ exit: 1, stdout: '', stderr });
});

test('regal new rule writes a rule of the bundle, its page and its level', async () => {
  const config = 'bundle/regal/config/provided/data.yaml';
  await withFiles({ [config]: '# levels\nrules:\n  style:\n    a:\n      level: error\n' }, async (directory) => {
    const args = ['new', 'rule', '-t', 'builtin', '-c', 'naming', '-n', 'foo-bar', '-o', directory];
    const { exit, stdout } = await runCommand('regal', ...args);
    expect({ exit, lines: stdout.replaceAll(`${directory}/`, '').split('\n') }).toEqual({
      exit: 0,
      lines: [
        'Created builtin rule "foo-bar" in bundle/regal/rules/naming/foo-bar',
        'Created doc template for builtin rule "foo-bar" at docs/rules/naming/foo-bar.md',
        `Wrote configuration update to ${config}`,
        '',
      ],
    });
    expect(readFileSync(`${directory}/${config}`, 'utf8')).toBe(
      '# levels\nrules:\n  style:\n    a:\n      level: error\n  naming:\n    foo-bar:\n      level: error\n',
    );
    const rules = `${directory}/bundle/regal/rules`;
    expect(readFileSync(`${rules}/naming/foo-bar/foo_bar.rego`, 'utf8')).toContain('package regal.rules.naming["foo-bar"]\n');
    expect(await runCommand('regal', 'test', rules)).toMatchObject({ exit: 0, stdout: 'PASS: 2/2\n' });
  });
});

test('regal capabilities prints what policies may use', async () => {
  const { exit, stdout } = await runCommand('regal', 'capabilities');
  expect({ exit, document: JSON.parse(stdout) }).toMatchObject({ exit: 0, document: { features: expect.arrayContaining(['rego_v1']) } });
});

test.each(['bash', 'fish', 'powershell', 'zsh'])('regal completion %s completes the commands of regal', async (shell) => {
  const { exit, stdout } = await runCommand('regal', 'completion', shell);
  expect(exit).toBe(0);
  expect(stdout).not.toMatch(/_writ|-c writ|CommandName 'writ|#compdef writ/);
  for (const name of commands) expect(stdout).toContain(name);
  if (shell !== 'bash') return;
  const words = `COMP_WORDS=(regal l); COMP_CWORD=1; _regal; echo "\${COMPREPLY[@]}"; complete -p regal`;
  const { stdout: found } = spawnSync('bash', ['--norc', '-c', `${stdout}\n${words}`], { encoding: 'utf8' });
  expect(found).toBe('lint language-server\ncomplete -o default -F _regal regal\n');
});

test('regal --help lists the commands', async () => {
  const { stdout } = await runCommand('regal', '--help');
  for (const name of commands) expect(stdout).toContain(`\n  ${name}`);
});

test.each([
  ['camel-case', 'camel_case', '["camel-case"]'],
  ['short', 'short', '.short'],
])('regal new rule writes the rule %s, whose tests pass and which lints', async (name, file, last) => {
  await withFiles({ 'p/p.rego': 'package p\n\nrename_me := 1\n' }, async (directory) => {
    const args = ['regal', 'new', 'rule', '-c', 'naming', '-n', name, '-o', directory];
    const folder = `${directory}/.regal/rules/custom/regal/rules/naming/${name}`;
    expect(await runCommand(...args)).toMatchObject({
      exit: 0,
      stdout: `Created custom rule "${name}" in ${folder}\n`,
    });
    expect(readFileSync(`${folder}/${file}.rego`, 'utf8')).toContain(`package custom.regal.rules.naming${last}\n`);
    expect(await runCommand('regal', 'test', `${directory}/.regal/rules`)).toMatchObject({ exit: 0 });
    const report = await runCommand('regal', 'lint', '-D', '-e', name, '-f', 'compact', `${directory}/p`);
    expect(report).toMatchObject({ exit: 3, stdout: expect.stringContaining('p.rego:3:1') });
    // The linter's libraries are not linted with the rule.
    const off = ['-d', 'no-defined-entrypoint', '-d', 'unresolved-reference'];
    const own = await runCommand('regal', 'lint', ...off, '-f', 'compact', folder);
    expect(own).toMatchObject({ exit: 0, stdout: '\n' });
    expect(await runCommand(...args)).toMatchObject({ exit: 1, stderr: expect.stringContaining('exists') });
  });
});
