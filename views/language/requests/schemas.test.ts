/** Schemas that METADATA names: errors, types, texts, places, and names of their fields. */
import { expect, test } from 'vitest';
import type { CompletionItem, Hover, Location, TextEdit, WorkspaceEdit } from 'vscode-languageserver-types';
import { Editor } from '../../../test/harness/language/editor.js';

const policy = `# METADATA
# schemas:
#   - input: schema.request
#   - data.acl: schema.lists.acl
package app.authz

allow if {
	input.user.name == "ann"
	some right in data.acl[input.user.name]
	right == "read"
}

# METADATA
# schemas:
#   - input: {type: object, properties: {color: {type: string, description: The colour}}}
paint if input.color == "red"
`;

const request = {
  type: 'object',
  properties: {
    user: { $ref: '#/definitions/user' },
    method: { enum: ['GET', 'POST'], description: 'The HTTP method' },
    path: { type: 'array', items: { type: 'object', properties: { part: { type: 'string' } } } },
  },
  definitions: {
    user: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', description: 'Who asks' }, age: { type: 'integer' } },
    },
  },
};

const files = {
  'app/authz.rego': policy,
  'schemas/request.json': JSON.stringify(request, undefined, 2),
  'schemas/lists/acl.json': '{"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}}',
};

const errorsOf = async (editor: Editor): Promise<readonly unknown[]> =>
  (await editor.diagnostics('app/authz.rego')).filter(({ severity }) => severity === 1).map(({ message }) => message);

test('a field that no schema has is an error, until the schema has it', async () => {
  const editor = await Editor.open({ ...files, 'app/authz.rego': policy.replace('user.name ==', 'user.nme ==') });
  expect(await errorsOf(editor)).toEqual([expect.stringContaining('undefined ref: input.user.nme')]);
  editor.texts.set('schemas/request.json', files['schemas/request.json'].replace('"name": {', '"nme": {"type": "string"}, "name": {'));
  editor.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: editor.uri('schemas/request.json'), type: 2 }] });
  await expect.poll(() => errorsOf(editor)).toEqual([]);
});

test('policies that were there before the first schema are compiled with it', async () => {
  const lib = 'package lib\n\nf(x) := x\n';
  const plain = 'package app.authz\n\nallow if data.lib.f(input.color) == "red"\n';
  const editor = await Editor.open({ 'app/authz.rego': plain, 'lib.rego': lib });
  expect(await errorsOf(editor)).toEqual([]);
  const typed = (field: string): string =>
    `# METADATA\n# schemas:\n#   - input: {type: object, properties: {color: {type: string}}}\n${plain.replace('color', field)}`;
  editor.type('app/authz.rego', typed('colour'));
  expect(await errorsOf(editor)).toEqual([expect.stringContaining('undefined ref: input.colour')]);
  editor.type('app/authz.rego', typed('color'));
  expect(await errorsOf(editor)).toEqual([]);
});

test('a schema that is not there admits all documents', async () => {
  const editor = await Editor.open({ ...files, 'app/authz.rego': policy.replace('schema.request', 'schema.other') });
  expect(await errorsOf(editor)).toEqual([]);
});

test.each([
  ['name ==', ['input.user.name: string', 'Who asks', 'schemas/request.json']],
  ['color ==', ['input.color: string', 'The colour']],
  ['acl[', ['data.acl: object', 'schemas/lists/acl.json']],
])('the hover of %s tells type and text', async (needle, parts) => {
  const found = await (await Editor.open(files)).at<Hover>('hover', 'app/authz.rego', needle);
  for (const part of parts) expect((found.contents as { value: string }).value).toContain(part);
});

test('the type of a field is defined in its schema', async () => {
  const editor = await Editor.open(files);
  const [first] = await editor.at<Location[]>('typeDefinition', 'app/authz.rego', 'name ==');
  const line = editor.texts.get('schemas/request.json')!.split('\n')[first!.range.start.line]!;
  expect([editor.path(first!.uri), line.trim()]).toEqual(['schemas/request.json', '"name": {']);
});

test('completion has the fields of a schema, with types and texts', async () => {
  const editor = await Editor.open(files);
  const text = policy.replace('some right', 'input.user.\n\tsome right');
  editor.type('app/authz.rego', text);
  const { items } = await editor.at<{ items: CompletionItem[] }>('completion', 'app/authz.rego', 'input.user.\n', {}, 'input.user.'.length);
  expect(items.filter(({ kind }) => kind === 5).map(({ label, detail }) => [label, detail])).toEqual([
    ['input.user.age', 'number'],
    ['input.user.name', 'string'],
  ]);
  expect(items.find(({ label }) => label === 'input.user.name')?.documentation).toMatchObject({ value: 'Who asks' });
});

test('a field is renamed in its schema, too', async () => {
  const editor = await Editor.open(files);
  editor.apply(await editor.at<WorkspaceEdit>('rename', 'app/authz.rego', 'name ==', { newName: 'login' }));
  expect(editor.texts.get('schemas/request.json')).toBe(files['schemas/request.json'].replaceAll('"name"', '"login"'));
  await expect.poll(() => errorsOf(editor)).toEqual([]);
});

test('variables have the fields of their documents', async () => {
  const text = 'package a\n\np if {\n\tsome host in data.hosts\n\thost.\n}\n';
  const editor = await Editor.open({ 'a.rego': text, 'data.json': '{"hosts": [{"name": "x", "port": 1}]}' });
  const { items } = await editor.at<{ items: CompletionItem[] }>('completion', 'a.rego', 'host.\n', {}, 'host.'.length);
  expect(items.map(({ label }) => label)).toEqual(expect.arrayContaining(['host.name', 'host.port']));
});

test('a built-in is told in a sentence, with an example', async () => {
  const editor = await Editor.open({ 'a.rego': 'package a\n\np := strings.reverse("x")\n' });
  const found = await editor.at<Hover>('hover', 'a.rego', 'reverse');
  expect((found.contents as { value: string }).value).toContain('The characters from last to first.');
  expect((found.contents as { value: string }).value).toContain('strings.reverse("abc")');
});

const compared = (line: string): string => `# METADATA
# scope: package
# schemas:
#   - input: schema.request
package app.authz

import input.method

import data.settings

other if input.user.name == "ann"

# METADATA
# schemas:
#   - input.mode: {oneOf: [{const: fast}, {const: slow}]}
allow if {
	some each in input.parts
	kind := each.kind
	${line}
}

last := 1
`;

const parts = {
  type: 'object',
  properties: {
    method: { enum: ['GET', 'POST', null, 7] },
    dry: { type: 'boolean' },
    mode: { type: 'string' },
    parts: { type: 'array', items: { $ref: '#/definitions/part' } },
  },
  definitions: { part: { type: 'object', properties: { kind: { $ref: '#/definitions/kind' } } }, kind: { enum: ['head', 'tail'] } },
};

test.each([
  ['input.method == ', ['"GET"', '"POST"', 'null', '7']],
  ['input.method == "', ['"GET"', '"POST"']],
  ['input.method != "po', ['"POST"']],
  ['method == ', ['"GET"', '"POST"', 'null', '7']],
  ['input["method"] == ', ['"GET"', '"POST"', 'null', '7']],
  ['input.method in {', ['"GET"', '"POST"', 'null', '7']],
  ['input.method in {"GET", "', ['"GET"', '"POST"']],
  ['input.method in ["', ['"GET"', '"POST"']],
  ['not input.dry == ', ['true', 'false']],
  ['input.mode == ', ['"fast"', '"slow"']],
  ['each.kind == ', ['"head"', '"tail"']],
  ['kind == ', ['"head"', '"tail"']],
  ['kind in {', ['"head"', '"tail"']],
  ['input.parts[_].kind == "', ['"head"', '"tail"']],
  ['input.parts[0].kind == ', ['"head"', '"tail"']],
  ['input.method in {\n\t\t"GET",\n\t\t"', ['"GET"', '"POST"']],
  ['settings.level == ', ['"strict"']],
  ['x := input.method + ', []],
  ['# input.method == "', []],
])('the values that a schema lists are offered behind %s', async (line, values) => {
  const editor = await Editor.open({
    'app/authz.rego': compared(line),
    'schemas/request.json': JSON.stringify(parts),
    'data.json': '{"settings": {"level": "strict"}}',
  });
  const { items } = await editor.at<{ items: CompletionItem[] }>('completion', 'app/authz.rego', line, {}, line.length);
  expect(items.filter(({ kind }) => kind === 20).map(({ label }) => label)).toEqual(values);
});

test.each([
  ['input.loop == ', ['"a"']],
  ['input.loop.x == ', []],
])('a choice that is the schema around it adds nothing: %s', async (line, values) => {
  const loop = { anyOf: [{ const: 'a' }, { $ref: '#/definitions/loop' }] };
  const editor = await Editor.open({
    'app/authz.rego': compared(line),
    'schemas/request.json': JSON.stringify({ ...parts, properties: { loop: { $ref: '#/definitions/loop' } }, definitions: { loop } }),
  });
  const { items } = await editor.at<{ items: CompletionItem[] }>('completion', 'app/authz.rego', line, {}, line.length);
  expect(items.filter(({ kind }) => kind === 20).map(({ label }) => label)).toEqual(values);
});

test('a value takes the place of the quotes that an editor has closed', async () => {
  const line = 'input.method in {"P"}';
  const editor = await Editor.open({ 'app/authz.rego': compared(line), 'schemas/request.json': JSON.stringify(parts) });
  const { items } = await editor.at<{ items: CompletionItem[] }>('completion', 'app/authz.rego', line, {}, line.length - 2);
  editor.apply({ changes: { [editor.uri('app/authz.rego')]: [items[0]!.textEdit as TextEdit] } });
  expect(editor.texts.get('app/authz.rego')).toBe(compared('input.method in {"POST"}'));
});
