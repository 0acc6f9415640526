/** Fields that built-ins pass on, or name in texts, are fields of the documents behind them. */
import { expect, test } from 'vitest';
import type { Hover, WorkspaceEdit } from 'vscode-languageserver-types';
import { Editor } from '../../../../test/harness/language/editor.js';

const files = {
  'main.rego': `package main

import data.lib

pod := input.object

containers := array.concat(pod.spec.main, pod.spec.init)

images contains container.image if some container in containers

privileged if object.get(pod, ["security", "level"], "low") == "high"

named if lib.label(pod) == "a"

hidden := object.remove(pod, ["secret"])

parsed := json.unmarshal(input.text)

kinds contains part.kind if some part in lib.parts(parsed.list)
`,
  'lib.rego': `package lib

label(thing) := object.get(thing, "name", "none")

parts(list) := [{"kind": item.sort} | some item in list]
`,
  'main_test.rego': `package main_test

import data.main

base := {"object": {"name": "a", "secret": 1, "security": {"level": "high"}, "spec": {"main": [{"image": "x"}], "init": []}}}

test_images if main.images == {"x"} with input as base

test_patched if {
	given := json.patch(base, [{"op": "add", "path": "/object/spec/init/-", "value": {"image": "y"}}])
	main.images == {"x", "y"} with input as given
}

test_union if {
	given := object.union(base, {"object": {"security": {"level": "low"}}})
	not main.privileged with input as given
}

test_privileged if main.privileged with input as base

test_named if main.named with input as base

test_hidden if not main.hidden.secret with input as base

test_kinds if main.kinds == {"k"} with input.text as "{\\"list\\": [{\\"sort\\": \\"k\\"}]}"
`,
};

async function failures(editor: Editor): Promise<readonly string[]> {
  const uri = editor.uri('main_test.rego');
  const tests = await editor.ask<{ name: string; fail?: boolean }[]>('regal/runTests', { uri });
  return tests.filter(({ fail }) => fail).map(({ name }) => name);
}

test.each([
  ['a field of a rule that is another document', 'main.rego', 'spec.main', 4],
  ['a field of elements of two lists', 'main.rego', 'image if', 3],
  ['a field that a patch has in its path', 'main_test.rego', 'init', 3],
  ['a field that object.get names', 'lib.rego', 'name"', 2],
  ['a field inside of one that object.get names', 'main.rego', 'level', 3],
  ['a field of a union', 'main_test.rego', 'security', 3],
  ['a field that object.remove names', 'main.rego', 'secret', 3],
  ['a field in the path of a patch', 'main_test.rego', 'spec/init', 4],
])('%s is renamed everywhere', async (_title, path, needle, places) => {
  const editor = await Editor.open(files);
  expect(await failures(editor)).toEqual([]);
  const edit = await editor.at<WorkspaceEdit>('rename', path, needle, { newName: 'zz' });
  expect(Object.values(edit.changes!).flat()).toHaveLength(places);
  editor.apply(edit);
  expect(await failures(editor)).toEqual([]);
});

test.each([
  ['a field of a rule that a built-in computes', 'main.rego', 'list', 'data.main.parsed computes its fields'],
  ['a field of an argument that a built-in computes', 'lib.rego', 'sort', 'data.main.parsed computes its fields'],
])('%s keeps its name', async (_title, path, needle, reason) => {
  const editor = await Editor.open(files);
  await expect(editor.at('rename', path, needle, { newName: 'zz' })).rejects.toThrow(reason);
});

test('words of texts are no keywords', async () => {
  const editor = await Editor.open({ 'a.rego': 'package a\n\nx := "this is not some `default`"\n\ny := `not`\n\nz := $"if {x}"\n' });
  for (const needle of ['not some', 'some', 'default', 'not`', 'if {'])
    expect(await editor.at<Hover | null>('hover', 'a.rego', needle), needle).toBeNull();
});
