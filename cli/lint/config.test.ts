/** The configuration of the linter: what it means, and what is wrong with one that is refused. */
import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCommand, runWith, withFiles } from '../../test/harness/command.js';

const policy = 'package p\n\n# todo\nf(_) := 1\n';

async function linted(config: string, files: Readonly<Record<string, string>> = {}, ...args: string[]) {
  return withFiles({ 'p/p.rego': policy, ...files, '.regal/config.yaml': config }, async (directory) => {
    const { exit, stdout, stderr } = await runCommand('regal', 'lint', '-f', 'json', ...args, directory);
    const { violations = [], notices = [] } = JSON.parse(stdout || '{}') as Record<string, { title: string }[]>;
    const told = stderr.replaceAll(`${directory}/`, '').trimEnd();
    return { exit, found: violations.map(({ title }) => title), skipped: notices.map(({ title }) => title), told };
  });
}

test.each([
  ['rules:\n  style:\n', '.regal/config.yaml:2: rules.style must be a mapping: nothing is in it'],
  ['rules:\n  style:\n    todo-comment:\n', '.regal/config.yaml:3: rules.style.todo-comment must be a mapping: nothing is in it'],
  ['# text\nhello\n', '.regal/config.yaml: the configuration must be a mapping'],
  ['rules:\n  style: {}\n  style: {}\n', '.regal/config.yaml: yaml: line 3: this key stands twice'],
  ['features:\n  remote: 3\n', '.regal/config.yaml:2: features.remote must be a mapping'],
  ['project:\n  roots:\n  - path: 3\n', '.regal/config.yaml:3: project.roots.path must be a text'],
  ['ignore:\n  files:\n  - [a]\n', '.regal/config.yaml:2: ignore.files must be a text'],
  ['project:\n  rego-version: "1"\n', '.regal/config.yaml:2: project.rego-version must be 0 or 1'],
  ['features:\n  remote:\n    check-version: maybe\n', '.regal/config.yaml:3: features.remote.check-version must be true or false'],
  ['capabilities:\n  from:\n    engine: opa\n    version: 1.2\n', '.regal/config.yaml: capabilities.from.version must be a text: "v1.2.0"'],
  [
    'capabilities:\n  from:\n    engine: opa\n    version: 1.2.0\n',
    '.regal/config.yaml: capabilities: versions of OPA begin with v: v1.2.0',
  ],
  [
    'capabilities:\n  from:\n    engine: opa\n    file: a.json\n',
    '.regal/config.yaml: capabilities.from has one of file and engine, not both',
  ],
  [
    'capabilities:\n  from:\n    url: regal:///other\n',
    '.regal/config.yaml: capabilities: regal:///other must be regal:///capabilities/ENGINE/VERSION',
  ],
  [
    'rules:\n  bugs:\n    argument-always-wildcard:\n      except-function-name-pattern: "["\n',
    '.regal/config.yaml:4: rules.bugs.argument-always-wildcard.except-function-name-pattern is no regular expression: missing closing ]: `[`',
  ],
  [
    'rules:\n  custom:\n    naming-convention:\n      level: error\n      conventions:\n      - pattern: "(?<x"\n',
    '.regal/config.yaml:6: rules.custom.naming-convention.conventions.0.pattern is no regular expression: invalid named capture: `(?<x`',
  ],
])('a configuration is refused with its file and line: %j', async (config, told) => {
  expect(await linted(config)).toMatchObject({ exit: 1, told });
});

test('a name of a flag that no rule has is not a fault of the file', async () => {
  expect(await linted('rules: {}\n', {}, '-e', 'nope')).toMatchObject({ exit: 1, told: 'unknown rule: nope' });
});

const todo = { exit: 3, found: ['argument-always-wildcard', 'todo-comment'] };

test.each([
  ['an empty level is none', 'rules:\n  style:\n    todo-comment:\n      level: ""\n', todo],
  ['capabilities of nothing', 'capabilities:\n', todo],
  ['words for booleans', 'features:\n  remote:\n    check-version: no\n', todo],
  ['names of digits, and no name', 'ignore:\n  files:\n  - 2024\n  -\n', todo],
  ['no built-ins', 'capabilities:\n  plus:\n    builtins:\n', todo],
  [
    'a version that there is not has no effect, which is told',
    'project:\n  rego-version: 2\n  roots:\n  - path: p\n    rego-version: 3\n',
    {
      ...todo,
      told: 'warning: .regal/config.yaml: project.rego-version has no effect: it must be 0 or 1\nwarning: .regal/config.yaml: project.roots.rego-version has no effect: it must be 0 or 1',
    },
  ],
  [
    'patterns of a rule that does not run',
    'rules:\n  bugs:\n    argument-always-wildcard:\n      level: ignore\n      except-function-name-pattern: "["\n',
    { exit: 3, found: ['todo-comment'], told: '' },
  ],
  ['merged keys', 'x: &x\n  level: ignore\nrules:\n  style:\n    todo-comment:\n      <<: *x\n      level: warning\n', todo],
  [
    'expressions of Go',
    'rules:\n  bugs:\n    argument-always-wildcard:\n      except-function-name-pattern: "(?i)^F\\\\z"\n',
    { exit: 3, found: ['todo-comment'] },
  ],
  [
    'capabilities of the linter by their address',
    'capabilities:\n  from:\n    url: regal:///capabilities/opa/v0.58.0\n',
    { ...todo, skipped: ['use-rego-v1', 'use-strings-count'] },
  ],
  [
    'a version without an engine has no effect, which is told',
    'capabilities:\n  from:\n    version: v0.58.0\n',
    { ...todo, skipped: [], told: 'warning: .regal/config.yaml: capabilities.from.version has no effect without an engine (engine: opa)' },
  ],
])('%s', async (_title, config, wanted) => {
  expect(await linted(config)).toMatchObject(wanted);
});

test('a root without a path is the directory of the configuration', async () => {
  const config = 'project:\n  roots:\n  - rego-version: 0\n';
  expect((await linted(config, {}, '-D', '-e', 'use-rego-v1')).found).toEqual(['use-rego-v1']);
});

test('options of rules of users are what these take them for', async () => {
  const rule = `# METADATA
# description: x
package custom.regal.rules.dock.x

import data.regal.config

report contains {"title": "x", "category": "dock", "location": {"row": 1, "col": 1}} if {
	startswith("todo", trim_right(config.for_rule("dock", "x")["except-pattern"], "*"))
}
`;
  const config = 'rules:\n  dock:\n    x:\n      level: error\n      except-pattern: "[*"\n';
  const files = { '.regal/rules/x.rego': rule };
  expect(await linted(config, files, '-D')).toMatchObject({ exit: 0, told: '' });
});

test.each([
  ['without a version', '{}', '', []],
  ['with version 0', '{"rego_version": 0}', '', ['use-rego-v1']],
  ['against the configuration', '{"rego_version": 0}', 'project:\n  rego-version: 1\n', []],
])('a manifest %s states the version of the files below it', async (_title, manifest, config, found) => {
  const files = { 'p/p.rego': 'package a.p\n\nx := 1\n', 'p/.manifest': manifest };
  expect((await linted(config, files, '-D', '-e', 'use-rego-v1')).found).toEqual(found);
});

test('--debug shows the configuration and its file', async () => {
  const config = 'rules:\n  style: {}\n';
  const { exit, told } = await linted(config, {}, '-D', '--debug');
  expect({ exit, told }).toEqual({ exit: 0, told: `configuration: .regal/config.yaml\n${config.trimEnd()}` });
});

test('a home directory that cannot be looked into has no configuration', async () => {
  await withFiles({ 'p/p.rego': policy }, async (directory) => {
    symlinkSync('.config', `${directory}/.config`);
    const { exit, stderr } = await runWith({ env: { HOME: directory } }, ['regal', 'lint', '-D', `${directory}/p`]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  });
});

test('a directory with the name of a configuration is none', async () => {
  await withFiles({ 'p/p.rego': policy, 'p/.regal.yaml/x': '' }, async (directory) => {
    expect(await runCommand('regal', 'lint', '-D', `${directory}/p`)).toMatchObject({ exit: 0, stderr: '' });
  });
});
