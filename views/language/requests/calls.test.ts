import { expect, test } from 'vitest';
import type { CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall } from 'vscode-languageserver-types';
import { Editor } from '../../../test/harness/language/editor.js';

const files = {
  'a.rego': `package a

limits[name].most := value if some name, value in {"x": 1}

pod := {"spec": {"size": 3}}

fits if pod.spec.size <= limits.x.most

wide(x) if x > pod.spec.size
`,
};

async function itemAt(editor: Editor, needle: string): Promise<CallHierarchyItem> {
  const [item] = await editor.at<CallHierarchyItem[]>('prepareCallHierarchy', 'a.rego', needle);
  return item!;
}

test.each([
  ['limits[name]', 'data.a.limits[_].most', ['data.a.fits']],
  ['pod :=', 'data.a.pod', ['data.a.fits', 'data.a.wide']],
  ['spec": {', 'data.a.pod', ['data.a.fits', 'data.a.wide']],
  ['wide(x)', 'data.a.wide', []],
])('the callers of %s', async (needle, name, callers) => {
  const editor = await Editor.open(files);
  const item = await itemAt(editor, needle);
  expect(item.name).toBe(name);
  const found = await editor.ask<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item });
  expect(found.map(({ from }) => from.name)).toEqual(callers);
});

test('a rule is called once, and not each field of its value', async () => {
  const editor = await Editor.open(files);
  const item = await itemAt(editor, 'fits');
  const found = await editor.ask<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item });
  expect(found.map(({ to }) => to.name)).toEqual(['data.a.pod', 'data.a.limits[_].most']);
});
