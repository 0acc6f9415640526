import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBundle } from './disk.js';
import { loadFiles } from './load.js';
import { archiveOf, expectBundleError } from './testing.js';

let root: string;
const put = (name: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'writ-bundle-'));
  put('dir/.manifest', '{"revision":"on disk"}');
  put('dir/data.json', '{"a":1}');
  put('dir/x/data.yaml', 'b: 2\n');
  put('dir/x/p.rego', 'package x\n');
  put('dir/.git/data.json', 'broken');
  put('bundle.tar.gz', await archiveOf({ '/data.json': '{"a":1}', '/.hidden/p.rego': 'package h', '/p.rego': 'package p' }));
  put('plan.json', '{"static":{},"plans":{"plans":[]}}');
  put('not-a-plan.json', '{"a":1}');
  put('text.txt', 'hello');
  put('outside.json', '{"secret":true}');
  put('links/a/data.json', '{"c":3}');
  symlinkSync(join(root, 'outside.json'), join(root, 'links/data.json'));
  symlinkSync(join(root, 'dir'), join(root, 'link-to-dir'));
  put('loose/a/one.json', '{"x":1}');
  put('loose/a/two.yaml', 'w: 2\n');
  put('loose/p.rego', 'package p\n');
  put('loose/notes.txt', 'nothing');
  put('other.json', '{"x":1}');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a directory is a bundle whose files are named with it', async () => {
  const bundle = await readBundle(join(root, 'dir'), { ignore: ['.git'] });
  expect(bundle.manifest.revision).toBe('on disk');
  expect(bundle.data).toEqual({ a: 1, x: { b: 2 } });
  expect(bundle.modules.map(({ path, bundlePath }) => [path, bundlePath])).toEqual([[join(root, 'dir/x/p.rego'), '/x/p.rego']]);
  expect((await readBundle(join(root, 'link-to-dir'), { ignore: ['.git'] })).data).toEqual(bundle.data);
});

test('an archive is a bundle whose files are named as in it', async () => {
  const bundle = await readBundle(`file://${join(root, 'bundle.tar.gz')}`, { ignore: ['.*'] });
  expect(bundle.modules.map(({ path, url }) => [path, url])).toEqual([['/p.rego', join(root, 'bundle.tar.gz/p.rego')]]);
});

test('a plan alone is a bundle', async () => {
  const bundle = await readBundle(join(root, 'plan.json'));
  expect(bundle.plans).toHaveLength(1);
  expect(bundle.data).toEqual({});
});

test('links are left out unless they are to be followed', async () => {
  expect((await readBundle(join(root, 'links'))).data).toEqual({ a: { c: 3 } });
  expect((await readBundle(join(root, 'links'), { followSymlinks: true })).data).toEqual({ a: { c: 3 }, secret: true });
});

test.each([
  ['missing', 'not_found', 'stat '],
  ['not-a-plan.json', 'syntax', 'expected a bundle archive, a directory, or a plan'],
  ['text.txt', 'archive', 'gzip: invalid header'],
  ['dir', 'syntax', '.git/data.json'],
] as const)('reading %s says what is wrong', async (name, code, message) => {
  await expectBundleError(readBundle(join(root, name)), code, message);
});

test.each([
  ['//host/share', 'UNC path read is not allowed'],
  ['http://x/bundle.tar.gz', 'unsupported URL scheme'],
])('%s is no path', async (path, message) => {
  await expectBundleError(readBundle(path), 'not_found', message);
});

test('a directory with larger files than allowed is refused', async () => {
  await expectBundleError(readBundle(join(root, 'dir'), { limits: { size: 3 } }), 'limit', 'exceeded max size (3 bytes)');
});

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
