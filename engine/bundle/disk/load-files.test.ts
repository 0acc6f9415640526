import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf } from '../../../test/harness/archives.js';
import { writeFiles } from '../../../test/harness/disk.js';
import { loadFiles } from './load-files.js';

let root: string;
const put = (name: string, content: Uint8Array) => writeFileSync(join(root, name), content);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'writ-loose-'));
  put('bundle.tar.gz', await archiveOf({ '/data.json': '{"a":1}', '/.hidden/p.rego': 'package h', '/p.rego': 'package p' }));
  writeFiles(root, {
    'text.txt': 'hello',
    'loose/a/one.json': '{"x":1}',
    'loose/a/two.yaml': 'w: 2\n',
    'loose/p.rego': 'package p\n',
    'loose/notes.txt': 'nothing',
    'other.json': '{"x":1}',
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('loose files stand at the place of their directory', async () => {
  const { data, modules } = await loadFiles([join(root, 'loose'), `b.c:${join(root, 'other.json')}`]);
  expect(data).toEqual({ a: { x: 1, w: 2 }, b: { c: { x: 1 } } });
  expect(modules.map(({ path }) => path)).toEqual([join(root, 'loose/p.rego')]);
});

test('an archive among loose files brings its data and modules', async () => {
  const { data, modules } = await loadFiles([join(root, 'bundle.tar.gz')], ['.*']);
  expect(data).toEqual({ a: 1 });
  expect(modules).toHaveLength(2);
});

test('of an archive with plans these stand for its modules', async () => {
  put('planned.tar.gz', await archiveOf({ '/plan.json': '{"plans":{}}', '/p.rego': 'package p' }));
  const { modules, plans } = await loadFiles([join(root, 'planned.tar.gz')]);
  expect([modules.length, plans.length]).toEqual([0, 1]);
});

test('all that cannot be loaded is listed', async () => {
  await expect(loadFiles([join(root, 'missing.json'), join(root, 'other.json'), join(root, 'loose/a/one.json')])).rejects.toThrow(
    /^2 errors occurred during loading:\nstat .*missing\.json: no such file or directory\n.*one\.json: merge error$/,
  );
  await expect(loadFiles([join(root, 'text.txt')])).rejects.toThrow(/^1 error occurred during loading: .*text\.txt: /);
});

test('links to directories are followed, but not to one that contains them', async () => {
  writeFiles(root, { 'linking/a/x.json': '{"x":1}', 'linked/y.json': '{"y":1}' });
  symlinkSync(join(root, 'linked'), join(root, 'linking/b'));
  expect((await loadFiles([join(root, 'linking')])).data).toEqual({ a: { x: 1 }, b: { y: 1 } });
  for (const name of ['c', 'd']) symlinkSync(join(root, 'linking'), join(root, 'linking/a', name));
  const circle = (name: string) => `${join(root, 'linking/a', name)}: link to a directory that contains it: ${join(root, 'linking')}`;
  await expect(loadFiles([join(root, 'linking')])).rejects.toMatchObject({
    problems: [{ message: circle('c') }, { message: circle('d') }],
  });
});
