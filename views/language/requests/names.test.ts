import { expect, test } from 'vitest';
import type { Hover, Location, Range, WorkspaceEdit } from 'vscode-languageserver-types';
import { compileModules } from '../../../compiler/pipeline.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { Editor } from '../../../test/harness/language/editor.js';

const files = {
  'lib/teams.rego': `# METADATA
# title: Teams
# description: Who belongs to what
package lib.teams

# The members of a team
members(team) := {name | some name in data.teams[team].members}

lead[team] := person if some team, {"lead": person} in data.teams

leading[person] if some person in lead
`,
  'app/access.rego': `package app.access

import data.lib.teams
import data.lib.teams as groups
import input.user

default allow := false

allow if user.name in teams.members("ops")

allow if {
	some team
	groups.lead[team] == user.name
	every item in input.items { item.owner == team }
}

count_of := count(data.lib["teams"].members(input.team))
`,
  'app/access_test.rego': `package app.access_test

import data.app.access

test_allow if access.allow with input as {"user": {"name": "ann"}} with data.teams as {"ops": {"members": ["ann"]}}
`,
  'data.json': '{"teams": {"ops": {"members": ["ann"], "lead": "bob"}}}',
  'input.yaml': 'user:\n  name: ann\nteam: ops\n',
};

/** The errors of all policies together. */
function errorsOf(texts: ReadonlyMap<string, string>): readonly string[] {
  const modules = new Map([...texts].flatMap(([path, text]) => (path.endsWith('.rego') ? [[path, parseModule(path, text)] as const] : [])));
  return compileModules({ modules }).diagnostics.map(({ message }) => message);
}

const shown = (editor: Editor, places: Location | readonly Location[] | null): string[] =>
  [places ?? []].flat().map(({ uri, range: { start, end } }) => {
    const line = editor.texts.get(editor.path(uri))!.split('\n')[start.line]!;
    return `${editor.path(uri)}:${start.line + 1} ${line.slice(start.character, start.line === end.line ? end.character : undefined)}`;
  });

test.each([
  ['a function of another package', 'app/access.rego', 'members("ops")', ['lib/teams.rego:7 members']],
  ['a package by its import', 'app/access.rego', 'teams.members("ops")', ['lib/teams.rego:4 teams']],
  ['a package by the alias', 'app/access.rego', 'groups.lead', ['lib/teams.rego:4 teams']],
  [
    'a rule of all its bodies',
    'app/access_test.rego',
    'allow with',
    ['app/access.rego:7 allow', 'app/access.rego:9 allow', 'app/access.rego:11 allow'],
  ],
  ['a document of a file', 'lib/teams.rego', 'teams[team].members', ['data.json:1 teams']],
  ['a field of the input', 'app/access.rego', 'name in teams', ['input.yaml:2 name']],
  ['a variable', 'lib/teams.rego', 'name |', ['lib/teams.rego:7 name']],
  ['a parameter', 'lib/teams.rego', 'team].members', ['lib/teams.rego:7 team']],
  ['a key of a document', 'data.json', 'teams', ['data.json:1 teams']],
])('the definition of %s', async (_title, path, needle, places) => {
  const editor = await Editor.open(files);
  expect(shown(editor, await editor.at('definition', path, needle))).toEqual(places);
});

test.each([
  ['a package', 'lib/teams.rego', 'teams\n\n#', 'groups'],
  ['a package by the middle of its path', 'app/access.rego', 'app.access', 'service'],
  ['a function', 'lib/teams.rego', 'members(team)', 'people'],
  ['a rule', 'app/access.rego', 'allow if user', 'permit'],
  ['a rule with keys', 'lib/teams.rego', 'lead[team]', 'head'],
  ['a document of a file', 'lib/teams.rego', 'teams[team].members', 'units'],
  ['a key in a file', 'data.json', 'teams', 'units'],
  ['a field of the input', 'app/access.rego', 'user\n', 'subject'],
  ['an alias', 'app/access.rego', 'groups.lead', 'units'],
  ['a variable', 'app/access.rego', 'team\n\tgroups', 'unit'],
  ['a parameter', 'lib/teams.rego', 'team) :=', 'unit'],
  ['a variable in the ref of a head', 'lib/teams.rego', 'team] := person', 'unit'],
  ['a key of a rule without a value', 'lib/teams.rego', 'person] if', 'member'],
])('renaming of %s keeps the policies right', async (_title, path, needle, newName) => {
  const editor = await Editor.open(
    path === 'lib/teams.rego' && newName === 'groups'
      ? { ...files, 'app/access.rego': files['app/access.rego'].replaceAll('groups', 'others') }
      : files,
  );
  const before = [...editor.texts.values()].join('');
  editor.apply(await editor.at<WorkspaceEdit>('rename', path, needle, { newName }));
  expect([...editor.texts.values()].join('')).not.toBe(before);
  expect(errorsOf(editor.texts)).toEqual([]);
  for (const name of editor.texts.keys()) {
    if (!name.endsWith('.rego')) continue;
    const found = await editor.diagnostics(name);
    expect(found.filter(({ severity }) => severity === 1)).toEqual([]);
  }
});

test.each([
  ['an import hides it', 'app/access.rego', 'allow if user', 'teams'],
  ['another rule has it', 'app/access.rego', 'allow if user', 'count_of'],
  ['it is a keyword', 'app/access.rego', 'allow if user', 'some'],
  ['a built-in has it', 'app/access.rego', 'allow if user', 'count'],
  ['it is no name', 'app/access.rego', 'allow if user', 'a-b'],
  ['a variable of the rule has it', 'app/access.rego', 'team\n\tgroups', 'item'],
])('a new name is refused where %s', async (_title, path, needle, newName) => {
  const editor = await Editor.open(files);
  await expect(editor.at('rename', path, needle, { newName })).rejects.toThrow(newName);
});

test('references are those of all files, with documents', async () => {
  const editor = await Editor.open(files);
  const places = await editor.at<Location[]>('references', 'lib/teams.rego', 'teams[team].members', {
    context: { includeDeclaration: true },
  });
  expect(shown(editor, places)).toEqual([
    'lib/teams.rego:7 teams',
    'lib/teams.rego:9 teams',
    'app/access_test.rego:5 teams',
    'data.json:1 teams',
  ]);
});

test.each([
  ['a built-in', 'app/access.rego', 'count(', 'count(collection: any<'],
  ['a function', 'app/access.rego', 'members("ops")', 'data.lib.teams.members(team: any'],
  ['a comment above', 'app/access.rego', 'members("ops")', 'The members of a team'],
  ['metadata of a package', 'app/access.rego', 'teams\n', '**Teams**'],
  ['a rule', 'app/access_test.rego', 'allow with', 'data.app.access.allow: boolean'],
  ['a default', 'app/access_test.rego', 'allow with', 'Default: `false`'],
  ['a document', 'lib/teams.rego', 'teams[team].members', '"lead":"bob"'],
  ['a field of the input', 'app/access.rego', 'team))', '"ops"'],
  ['a keyword', 'app/access.rego', 'every', 'for all members'],
  ['a variable', 'lib/teams.rego', 'person if', 'person'],
])('the hover of %s', async (_title, path, needle, text) => {
  const editor = await Editor.open(files);
  const found = await editor.at<Hover | null>('hover', path, needle);
  expect((found!.contents as { value: string }).value).toContain(text);
});

test('the statement with an error has names, too', async () => {
  const editor = await Editor.open({
    ...files,
    'app/broken.rego': 'package app.broken\n\nimport data.lib.teams\n\nbad if {\n\tteams.lead == input.user.name\n\tcount(x ==\n}\n',
  });
  expect(shown(editor, await editor.at('definition', 'app/broken.rego', 'lead =='))).toEqual(['lib/teams.rego:9 lead']);
  expect(shown(editor, await editor.at('definition', 'app/broken.rego', 'name'))).toEqual(['input.yaml:2 name']);
  const found = await editor.at<Hover | null>('hover', 'app/broken.rego', 'count(');
  expect((found!.contents as { value: string }).value).toContain('count(collection');
});

test('the places of a variable change together, those of a rule do not', async () => {
  const editor = await Editor.open(files);
  const linked = await editor.at<{ ranges: Range[] }>('linkedEditingRange', 'lib/teams.rego', 'team)');
  expect(linked.ranges.map(({ start }) => start)).toEqual([
    editor.place('lib/teams.rego', 'team)'),
    editor.place('lib/teams.rego', 'team].members'),
  ]);
  expect(await editor.at('linkedEditingRange', 'lib/teams.rego', 'members(')).toEqual({ ranges: [] });
});
