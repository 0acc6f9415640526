import { expect, test } from 'vitest';
import { Workspace } from './workspace.js';

async function workspaceOf(files: Map<string, string>, folders: readonly string[]): Promise<Workspace> {
  const host = {
    async *list(folder: string) {
      for (const uri of files.keys()) if (uri.startsWith(`${folder}/`)) yield uri;
    },
    read: async (uri: string) => files.get(uri),
  };
  const workspace = new Workspace(host, { folders });
  await workspace.load();
  return workspace;
}

const names = (workspace: Workspace) => [...workspace.policies].map(({ name }) => name);
const compiled = (workspace: Workspace) => [...workspace.compiled.modules.keys()].sort();

test('policies of several folders with one path are all there', async () => {
  const files = new Map([
    ['file:///a/svc/policy.rego', 'package a\n\nx := 1\n'],
    ['file:///b/svc/policy.rego', 'package b\n\ny := data.a.x + data.c.z\n'],
    ['file:///c/other/policy.rego', 'package c\n\nz := 2\n'],
  ]);
  const workspace = await workspaceOf(files, ['file:///a/svc', 'file:///b/svc', 'file:///c/other']);
  expect(names(workspace)).toEqual(['policy.rego', 'svc/policy.rego', 'other/policy.rego']);
  expect(compiled(workspace)).toEqual(['other/policy.rego', 'policy.rego', 'svc/policy.rego']);
  expect(workspace.policyNamed('svc/policy.rego')?.uri).toBe('file:///b/svc/policy.rego');
  files.delete('file:///a/svc/policy.rego');
  await workspace.reread('file:///a/svc/policy.rego');
  expect(compiled(workspace)).toEqual(['other/policy.rego', 'svc/policy.rego']);
  files.set('file:///a/svc/policy.rego', 'package a\n\nx := 3\n');
  await workspace.reread('file:///a/svc/policy.rego');
  expect(compiled(workspace)).toEqual(['other/policy.rego', 'policy.rego', 'svc/policy.rego']);
  await workspace.changeFolders([], ['file:///a/svc']);
  expect(compiled(workspace)).toEqual(['other/policy.rego', 'policy.rego']);
});

test('a file of another name is a policy as long as the editor shows it', async () => {
  const uri = 'file:///a/draft.txt';
  const workspace = await workspaceOf(new Map([[uri, 'package a\n']]), []);
  workspace.open({ uri, version: 1, text: 'package a\n\nx := 1\n' });
  expect(compiled(workspace)).toEqual(['/a/draft.txt']);
  await workspace.close(uri);
  expect(compiled(workspace)).toEqual([]);
  expect([...workspace.dataFiles]).toEqual([]);
});
