/** Fields of documents get other names: the tests of the policies pass as before. */
import { expect, test } from 'vitest';
import type { Hover, Location, WorkspaceEdit } from 'vscode-languageserver-types';
import { Editor } from '../../../../test/harness/language/editor.js';

const files = {
  'shop/access.rego': `package shop.access

import data.lib.people as folk
import input.order as request

default decision.allow := false

decision.allow if {
	folk.is_adult(input.user)
	every item in request.items { item.price < limits.most }
	some house in data.shop.houses
	house.city == input.user.city
}

decision["reason code"] := {"kind": "refused", "whom": input.user.name} if not decision.allow

limits := {"most": 100, "least": 1}

cities contains house.city if some house in data.shop.houses

titles contains decoded.title if decoded := json.unmarshal(input.text)

owners[person].names contains n if {
	some person, account in data.accounts
	n := account.label
}

first := result(1).inner

result(n) := {"inner": n}
`,
  'lib/people.rego': `package lib.people

is_adult(person) if {
	years := person.years
	years >= 18
}
`,
  'shop/access_test.rego': `package shop.access_test

import data.shop.access
import data.shop.access.decision as answer

request := {"user": {"name": "ann", "city": "Rome", "years": 20}, "order": {"items": [{"price": 3}]}}

test_allow if access.decision.allow with input as request

test_houses if {
	not answer.allow with input as request with data.shop.houses as [{"city": "Oslo"}]
}

test_reason if {
	reason := answer["reason code"] with input as {"user": {"name": "bob", "years": 3}}
	reason.whom == "bob"
	reason.kind == "refused"
}

test_owners if access.owners.ann.names == {"a"}

test_union if access.decision.allow with input as object.union(request, {"order": {"items": []}})

test_cases if {
	every case in [{"given": {"years": 40}, "wanted": true}] { data.lib.people.is_adult(case.given) == case.wanted }
}

test_parts if {
	{"most": most, "least": _} = access.limits
	most == 100
}

test_others if {
	access.first == 1
	access.cities == {"Rome"}
	access.limits.least == 1
}
`,
  'shop/data.yaml': 'houses:\n  - city: Rome\n',
  'data.json': '{"accounts": {"ann": {"label": "a"}}}',
  'input.json': '{"user": {"name": "ann"}}',
};

async function results(editor: Editor): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of editor.texts.keys()) {
    if (!path.endsWith('.rego')) continue;
    const errors = (await editor.diagnostics(path)).filter(({ severity }) => severity === 1);
    found.push(...errors.map(({ message }) => `${path}: ${message}`));
    const uri = editor.uri(path);
    const tests = await editor.ask<{ name: string; fail?: boolean; error?: unknown }[]>('regal/runTests', { uri });
    found.push(...tests.filter(({ fail, error }) => fail || error).map(({ name }) => name));
  }
  return found;
}

test('the tests of the example pass', async () => {
  expect(await results(await Editor.open(files))).toEqual([]);
});

test.each([
  ['an input field, by a test’s literal', 'shop/access_test.rego', 'city', 'town', 2],
  ['an input field behind an alias', 'shop/access.rego', 'items {', 'lines', 3],
  ['a field of a member', 'shop/access.rego', 'price', 'cost', 2],
  ['a field of a parameter', 'lib/people.rego', 'years\n', 'age', 4],
  ['a key in a file that members of a list have', 'shop/data.yaml', 'city', 'town', 4],
  ['a document of a folder', 'shop/access.rego', 'houses', 'homes', 4],
  ['a field of a rule’s value', 'shop/access_test.rego', 'whom', 'who', 2],
  ['a field of a rule with a key in quotes', 'shop/access.rego', 'reason code', 'why', 2],
  ['a field behind the key of a rule', 'shop/access.rego', 'names contains', 'labels', 2],
  ['a field that files have below any key', 'data.json', 'label', 'name', 2],
  ['a field of a function’s value', 'shop/access.rego', 'inner', 'core', 2],
  ['a field of a pattern', 'shop/access_test.rego', 'most', 'max', 3],
  ['a field of a case', 'shop/access_test.rego', 'given', 'person', 2],
  ['a package whose folder has documents', 'shop/access.rego', 'shop', 'store', 4],
  ['the beginning of rules', 'shop/access.rego', 'decision', 'verdict', 7],
])('renaming of %s', async (_title, path, needle, newName, places) => {
  const editor = await Editor.open(files);
  const edit = await editor.at<WorkspaceEdit>('rename', path, needle, { newName });
  editor.apply(edit);
  expect(await results(editor)).toEqual([]);
  expect(Object.values(edit.changes!).flat()).toHaveLength(places);
});

test.each([
  ['a key that a rule computes', 'shop/access_test.rego', 'ann.names', 'policies have the keys of data.shop.access.owners as values'],
  ['a field that a built-in gives', 'shop/access.rego', 'title if', 'the value with the field title is computed'],
  ['a key that variables have', 'data.json', 'ann', 'policies have the keys of data.accounts as values'],
])('%s keeps its name', async (_title, path, needle, reason) => {
  const editor = await Editor.open(files);
  await expect(editor.at('rename', path, needle, { newName: 'other' })).rejects.toThrow(reason);
});

test('a field of a parameter leads to the documents that calls give', async () => {
  const editor = await Editor.open({ ...files, 'input.json': '{"user": {"years": 20}}' });
  const found = await editor.at<Location[]>('definition', 'lib/people.rego', 'years\n');
  expect([found].flat().map(({ uri }) => editor.path(uri))).toEqual(['input.json']);
  const text = await editor.at<Hover>('hover', 'lib/people.rego', 'years\n');
  expect((text.contents as { value: string }).value).toContain('input.user.years');
});
