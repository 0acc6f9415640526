import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveOf, expectBundleError } from '../../../test/harness/archives.js';
import { temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { writeArchive } from '../../../test/harness/process/tar-archive.js';
import { BundleError } from '../bundle-error.js';
import { FileSource, type InMemory, readBundle } from './file-source.js';

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

describe('the memory of a bundle', () => {
  const document = `{"plans":[${'[],'.repeat(100_000)}0]}`;
  const memory = (limit: number) => {
    let taken = 0;
    let most = 0;
    const inMemory: InMemory = async (read) => {
      let own = 0;
      try {
        return await read((bytes) => {
          if (taken + bytes > limit) throw new BundleError('limit', 'too much');
          taken += bytes;
          own += bytes;
          most = Math.max(most, taken);
        });
      } finally {
        taken -= own;
      }
    };
    return { inMemory, taken: () => taken, most: () => most };
  };

  test.each([
    ['a directory', () => writeFiles(temporaryDirectory(), { 'data.json': document })],
    ['a directory with YAML', () => writeFiles(temporaryDirectory(), { 'data.yaml': document })],
    ['a directory with a plan', () => writeFiles(temporaryDirectory(), { 'plan.json': document })],
    ['an archive', () => writeArchive(join(temporaryDirectory(), 'b.tar.gz'), { 'data.json': document })],
    ['a plan alone', () => join(writeFiles(temporaryDirectory(), { 'p.json': document }), 'p.json')],
  ] as const)('of %s is taken while it is read, or the bundle is refused', async (_title, write) => {
    const path = await write();
    const { inMemory, taken, most } = memory(Number.POSITIVE_INFINITY);
    await new FileSource(path, { inSlices: true, inMemory }).fetch();
    expect([most() > document.length, taken()]).toEqual([true, 0]);
    const short = memory(document.length);
    await expectBundleError(new FileSource(path, { inSlices: true, inMemory: short.inMemory }).fetch(), 'limit', 'too much');
    expect(short.taken()).toBe(0);
  });
});

describe('a source', () => {
  const files = { 'data.json': '{"a":1}', '.manifest': '{"revision":"1"}' };

  test('says that a version is unchanged, as long as no file is written, added or removed', async () => {
    const directory = writeFiles(temporaryDirectory(), files);
    const source = new FileSource(directory, { ignore: ['.git'] });
    let etag = await etagOf(source);
    expect(await source.fetch(etag)).toBe('unchanged');
    writeFiles(directory, { '.git/x': 'ignored' });
    expect(await source.fetch(etag)).toBe('unchanged');
    for (const change of [
      () => writeFiles(directory, { 'data.json': '{"a":22}' }),
      () => writeFiles(directory, { 'x/data.json': '{}' }),
      () => rmSync(join(directory, 'x'), { recursive: true }),
    ]) {
      change();
      expect(await source.fetch(etag)).toMatchObject({ baseDir: directory, size: undefined });
      etag = await etagOf(source);
      expect(await source.fetch(etag)).toBe('unchanged');
    }
  });

  test('of an archive has its size', async () => {
    const archive = writeArchive(join(temporaryDirectory(), 'b.tar.gz'), files);
    const source = new FileSource(archive);
    expect(await source.fetch()).toMatchObject({ baseDir: undefined, size: statSync(archive).size });
    expect(await source.fetch(await etagOf(source))).toBe('unchanged');
  });

  test('rejects where there is nothing to fetch, whatever was there before', async () => {
    const directory = writeFiles(temporaryDirectory(), files);
    const source = new FileSource(directory);
    const etag = await etagOf(source);
    rmSync(directory, { recursive: true });
    await expectBundleError(source.fetch(etag), 'not_found', 'no such file or directory');
  });

  test('stops when the caller gives up', async () => {
    const source = new FileSource(writeFiles(temporaryDirectory(), files));
    const reason = new Error('enough');
    await expect(source.fetch(undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

async function etagOf(source: FileSource): Promise<string | undefined> {
  const fetched = await source.fetch();
  if (fetched === 'unchanged') throw new Error('no version was named');
  return fetched.etag;
}
