/** The texts of `--help`, and that their examples do what they say. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand, runWith } from '../test/harness/command.js';
import { entry } from '../test/harness/command-helpers.js';
import { parseArguments } from './args.js';
import type { Command } from './command.js';
import { commands, groups } from './command-table.js';
import { helpText } from './help.js';

const all: readonly Command[] = await Promise.all(Object.values(commands).map((entry) => entry.load()));
const named = all.map((command) => [command.name, command] as const);

describe.each(named)('the help of %s', (name, command) => {
  test.each([80, 100, 120])('fits into %i columns', (columns) => {
    const lines = helpText(command, columns).split('\n');
    const tooLong = lines.filter((line) => line.length > columns);
    // Lines to copy, heads of flags and forms of output stay whole.
    expect(tooLong.filter((line) => !/^ {2}(?:[$#]|writ )|^ {2,6}-|^ {4}\S/.test(line))).toEqual([]);
  });

  test('shows each flag once, in groups where there are many', () => {
    const text = helpText(command, 100);
    for (const flag of command.flags) expect(text.match(new RegExp(`^ {2}.{4}--${flag.name}(?=[ \\[\\n])`, 'gm'))).toHaveLength(1);
    const ungrouped = command.flags.filter(({ group }) => group === undefined);
    expect(ungrouped.length === 0 || ungrouped.length === command.flags.length).toBe(true);
    if (command.flags.length > 8) expect(ungrouped).toEqual([]);
  });

  test('is what `help` and `--help` print', async () => {
    const printed = await runCommand(...name.split(' '), '--help');
    expect(printed).toEqual({ exit: 0, stdout: helpText(command, undefined), stderr: '' });
    expect(await runCommand('help', ...name.split(' '))).toEqual(printed);
  });

  test('has at least two examples, one for each purpose', () => {
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    expect(new Set(command.examples.map(([does]) => does)).size).toBe(command.examples.length);
  });
});

test('the help of writ fits into 80 columns and names all commands', async () => {
  const { stdout } = await runWith({ columns: 80 }, ['--help']);
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  for (const name of [...Object.keys(commands), ...Object.keys(groups)]) expect(stdout).toContain(`  ${name.split(' ')[0]!}`);
});

const authz = `# METADATA
# entrypoint: true
package authz

default allow := false

allow if input.user == input.document.owner

allow if "admin" in data.roles[input.user]
`;

const authzTest = `package authz_test

import data.authz

test_owner if authz.allow with input as {"user": "bob", "document": {"owner": "bob"}}

test_admin if authz.allow with input as {"user": "ada"}

test_others if not authz.allow with input as {"user": "bob", "document": {"owner": "eve"}}
`;

const schema = {
  type: 'object',
  properties: { user: { type: 'string' }, document: { type: 'object', properties: { owner: { type: 'string' } } } },
};
const input = { user: 'bob', document: { owner: 'bob' } };
const roles = { ada: ['admin'], bob: ['writer'] };

/** The files that examples read. Those of `build` and of imports write files for the others. */
function workspace(directory: string): Readonly<Record<string, string>> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const bundle = { resource: `file://${directory}/bundle.tar.gz` };
  return {
    'policies/authz.rego': authz,
    'policies/authz_test.rego': authzTest,
    'policies/lib.rego': 'package lib\n\nnames contains input.user\n',
    'draft.rego': authz,
    'policy/pods.rego': 'package main\n\ndeny contains "job" if input.kind == "Job"\n\ntest_pod if count(deny) == 0\n',
    'deploy/web.yaml': 'kind: Pod\n',
    Dockerfile: 'FROM alpine\n',
    'old/old.rego': 'package old\n\nallow {\n  input.user == "ada"\n}\n',
    'data.json': JSON.stringify({ roles }),
    'roles.json': JSON.stringify(roles),
    'input.json': JSON.stringify(input),
    'inputs/bob.json': JSON.stringify(input),
    'inputs/ada.json': JSON.stringify({ user: 'ada', document: { owner: 'bob' } }),
    'schemas/input.json': JSON.stringify(schema),
    'config.yaml': JSON.stringify({ bundles: { authz: bundle }, storage: { file: { directory: 'writes' } } }),
    'key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    'cert.pem': 'read by a server alone',
    'event.json': JSON.stringify({ decision_id: '1', path: 'authz/allow', input, result: true }),
    'logs/authz.log': ['17', '18']
      .map((revision) => ({ decision_id: revision, path: 'authz/allow', input, result: true, bundles: { authz: { revision } } }))
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
    'signed/.keep': '',
  };
}

/** What ends only by a signal, needs other machines, or reads the terminal itself. */
const endless = /\bwrit (?:(?:run|debug) |playground)| --watch |postgres:\/\/|language-server/;

describe('the examples of the help', () => {
  const before = process.cwd();
  let directory: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'writ-examples-'));
    for (const [path, text] of Object.entries(workspace(directory))) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    process.chdir(directory);
    const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args]);
    git('init', '-q');
    git('add', 'policies');
    git('commit', '-qm', 'policies');
    writeFileSync('capabilities.json', (await runCommand('capabilities', '--current')).stdout);
  });

  afterAll(() => {
    process.chdir(before);
    rmSync(directory, { recursive: true, force: true });
  });

  const builds = all.filter(({ name }) => ['build', 'storage export', 'logs import'].includes(name));
  const inOrder = [...builds, ...all.filter((command) => !builds.includes(command))];
  const examples = inOrder.flatMap((command) => command.examples.map(([does, line]) => [command.name, does, line, command] as const));

  test.each(examples)('%s: %s: %s', async (name, _does, line, command) => {
    const { stdin, argv } = commandOf(line);
    const words = name.split(' ');
    expect(argv.slice(0, words.length)).toEqual(words);
    const { positionals } = parseArguments(name, command.flags, argv.slice(words.length), {});
    if (endless.test(line)) {
      // The paths of a server are opened when it starts.
      for (const path of name === 'run' ? positionals : [])
        expect(path.startsWith('https://') || existsSync(path.split(':').at(-1)!)).toBe(true);
      return;
    }
    if (name === 'bench') hurry();
    const { exit, stdout, stderr } = await runWith({ stdin: () => Buffer.from(stdin), entry }, [...argv]);
    const isDifference = argv.includes('--diff') && name === 'inspect';
    // The policies of the examples have findings for the linter.
    const hasFindings = name === 'lint' && !argv.includes('-D');
    expect({ exit, stderr }).toEqual({ exit: isDifference ? 1 : hasFindings ? 3 : 0, stderr: '' });
    if (name.startsWith('oracle')) expect(JSON.parse(stdout)).toHaveProperty('result');
    save(line, stdout);
  });
});

/** A benchmark takes a second of the clock, which goes faster until the end of the test. */
function hurry(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => 50 * now());
}

/** The command of writ in a line of shell, and what the command before it prints. */
function commandOf(line: string): { readonly stdin: string; readonly argv: readonly string[] } {
  const parts = line.split(' | ');
  const own = parts.findIndex((part) => /(?:^|\()writ /.test(part));
  const shown = /writ (.*?)(?:\)| > \S+)?$/.exec(parts[own]!)![1]!;
  const argv = shown.match(/'[^']*'|\S+/g)!.map((word) => word.replace(/^'|'$/g, ''));
  return { stdin: own === 0 ? '' : printed(parts[0]!), argv };
}

function printed(command: string): string {
  const [, program, argument] = /^(cat|gunzip -c|printf) (.*)$/.exec(command)!;
  return program === 'printf' ? argument!.slice(1, -1).replaceAll('\\n', '\n') : readFileSync(argument!.replace(/\.gz$/, ''), 'utf8');
}

/** Writes what a line redirects; without compressing it, see `printed`. */
function save(line: string, stdout: string): void {
  const path = / > (\S+)$/.exec(line)?.[1];
  if (path !== undefined) writeFileSync(path.replace(/\.gz$/, ''), stdout);
}
