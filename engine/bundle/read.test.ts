import { crc32, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveOf, expectBundleError, tarOf } from '../../test/harness/archives.js';
import { toJson } from '../../values/json/json.js';
import type { Inflate } from './archive/archive.js';
import { inflateByStream } from './archive/archive.js';
import type { Bundle } from './bundle.js';
import { inflateByZlib } from './disk/gunzip.js';
import { readArchive, readFiles } from './read.js';

const plan = '{"static":{"strings":[]},"plans":{"plans":[]},"funcs":{"funcs":[]}}';

test('files of a bundle are told apart by their names', async () => {
  const bundle = await readArchive(
    await archiveOf({
      '/data.json': '{"a":{"b":1}}',
      '/.manifest': '{"revision":"r1","metadata":{"k":"v"},"rego_version":1}',
      '/x/policy.rego': 'package x',
      '/plan.json': plan,
      '/policy.wasm': new Uint8Array([0, 97, 115, 109]),
      '/README.md': 'ignored',
      '/other.json': 'not even JSON',
    }),
  );
  expect(bundle.manifest).toEqual({ revision: 'r1', roots: [''], wasm: [], metadata: { k: 'v' }, regoVersion: 1 });
  expect(bundle.data).toEqual({ a: { b: 1 } });
  expect(bundle.modules.map(({ path, text }) => [path, text])).toEqual([['/x/policy.rego', 'package x']]);
  expect(bundle.plans.map(({ path, policy }) => [path, policy])).toEqual([['/plan.json', JSON.parse(plan)]]);
  expect(bundle.wasm.map(({ path, bytes }) => [path, bytes.length])).toEqual([['/policy.wasm', 4]]);
  expect([...bundle.files.keys()]).toContain('/README.md');
});

test('a data file stands at the path of its directory, whatever its format and depth', async () => {
  const { data } = await readArchive(
    await archiveOf({ 'data.json': '{"a":{"x":1}}', './a/b/data.yaml': 'w: [2, no]\n', '/a/c/d/data.yml': 'z: 3\n' }),
  );
  expect(toJson(data)).toBe('{"a":{"b":{"w":[2,"no"]},"c":{"d":{"z":3}},"x":1}}');
});

test('data keeps every digit and every key', async () => {
  const text = '{"__proto__":{"constructor":1},"big":12345678901234567890,"exact":1.10}';
  expect(toJson((await readArchive(await archiveOf({ '/data.json': text, '/__proto__/data.json': '{"more":1}' }))).data)).toBe(
    '{"__proto__":{"constructor":1,"more":1},"big":12345678901234567890,"exact":1.10}',
  );
});

test.each([
  ['two files that define one value', { 'data.json': '{"a":{"b":1}}', 'a/data.json': '{"b":2}' }, 'failed to insert data file from path a'],
  [
    'an array below another file’s object',
    { 'data.json': '{"a":{"b":1}}', 'a/data.yaml': '[1]' },
    'failed to insert data file from path a',
  ],
  ['a root document that is no object', { 'data.json': '[1]' }, 'bundle load failed on data.json: root value must be object'],
])('%s is a conflict', async (_title, files, message) => {
  await expectBundleError(readArchive(await archiveOf(files as Record<string, string>)), 'conflict', message);
});

test.each([
  ['data.json', '{', 'bundle load failed on data.json:1:2: '],
  ['data.yaml', 'a: [', 'bundle load failed on data.yaml: '],
  ['plan.json', 'plan', 'bundle load failed on plan.json:1:1: '],
  ['.manifest', '{"roots":"a"}', 'bundle load failed on manifest decode: roots must be array but got string'],
  ['.manifest', 'revision: x', 'bundle load failed on manifest decode: '],
  ['.signatures.json', '{"signatures":"x"}', 'bundle load failed on signatures decode: '],
  ['patch.json', '{"data":{}}', 'bundle load failed on patch decode: '],
])('%s that holds %j is reported with its name', async (name, text, message) => {
  await expectBundleError(readArchive(await archiveOf({ [name]: text })), 'syntax', message);
});

describe.each<[string, Inflate]>([
  ['zlib', inflateByZlib],
  ['the platform’s stream', inflateByStream],
])('inflating by %s', (_name, inflate) => {
  test('an archive that is none is refused', async () => {
    const plainTar = await tarOf([['data.json', '{}']]);
    await expectBundleError(readArchive(plainTar, { inflate }), 'archive', 'bundle read failed: archive read failed: gzip: invalid header');
  });

  test('a gzip cut off anywhere is refused', async () => {
    const whole = await archiveOf({ 'data.json': JSON.stringify({ a: [...'some longer text'] }) });
    for (let length = 12; length < whole.length; length += 17) {
      await expectBundleError(readArchive(whole.subarray(0, length), { inflate }), 'archive', 'unexpected EOF');
    }
  });

  test('changed bytes are found by the checksum', async () => {
    const archive = Uint8Array.from(await archiveOf({ 'data.json': '{}' }));
    archive[archive.length - 6]! ^= 0xff;
    await expectBundleError(readArchive(archive, { inflate }), 'archive', 'bundle read failed: ');
  });

  test('a bomb is stopped at the limit', async () => {
    const bomb = gzipSync(new Uint8Array(20_000_000));
    expect(bomb.length).toBeLessThan(30_000);
    await expectBundleError(readArchive(bomb, { inflate, limits: { size: 1_000_000 } }), 'limit', 'exceeded max size (1000000 bytes)');
  });

  test.each<[string, readonly number[]]>([
    ['zeros', [0, 0, 0]],
    ['a line', [...Buffer.from('-- end --\n')]],
    ['what looks like another gzip', [0x1f, 0x8b, 8, 0]],
  ])('bytes behind the gzip are none of it: %s', async (_title, more) => {
    const archive = Buffer.concat([await archiveOf({ 'data.json': '{"a":1}' }), Buffer.from(more)]);
    expect((await readArchive(archive, { inflate })).data).toEqual({ a: 1 });
    const open = gzipSync((await tarOf([['data.json', JSON.stringify('x'.repeat(2000))]])).subarray(0, 700));
    await expectBundleError(readArchive(Buffer.concat([open, Buffer.from(more)]), { inflate }), 'archive', 'unexpected EOF');
  });

  test('the header of a gzip may hold a name, a comment and more', async () => {
    const plain = await archiveOf({ 'data.json': '{"a":1}' });
    const fields = [...[3, 0, 1, 2, 3], ...Buffer.from('name\0comment\0')];
    const sum = crc32(Buffer.from([...plain.subarray(0, 3), 4 + 8 + 16 + 2, ...plain.subarray(4, 10), ...fields])) & 0xffff;
    const header = [...plain.subarray(0, 3), 4 + 8 + 16 + 2, ...plain.subarray(4, 10), ...fields, sum & 255, sum >> 8];
    expect((await readArchive(Buffer.concat([Buffer.from(header), plain.subarray(10)]), { inflate })).data).toEqual({ a: 1 });
  });

  test('an archive reads the same', async () => {
    expect((await readArchive(await archiveOf({ 'data.json': '{"a":1}' }), { inflate })).data).toEqual({ a: 1 });
  });
});

test('a policy may climb out of the bundle, as those of opa build ../policies do', async () => {
  const names = ['/../pol/a.rego', '../../b.rego', 'x/../../c.rego'];
  const { modules } = await readArchive(await archiveOf(Object.fromEntries(names.map((name) => [name, 'package a\n']))));
  expect(modules.map(({ bundlePath }) => bundlePath)).toEqual(['/../pol/a.rego', '/../../b.rego', '/../c.rego']);
});

test.each([
  ['climbs out of the bundle', '../data.json'],
  ['climbs out of the bundle twice', '../../plan.json'],
  ['climbs out after going down', 'a/../../data.json'],
  ['climbs out of the root', '/../data.json'],
])('a file name that %s is refused', async (_title, name) => {
  await expectBundleError(readArchive(await archiveOf({ [name]: '{}' })), 'path', 'leaves the bundle');
});

test('a file that occurs twice is refused, also under another spelling', async () => {
  const twice = await tarOf([
    ['/a/p.rego', 'package a'],
    ['./a/p.rego', 'package b'],
  ]);
  await expectBundleError(readArchive(gzipSync(twice)), 'duplicate', 'file "/a/p.rego" occurs twice');
});

test.each([
  ['a tar cut off in a file', 700],
  ['a tar cut off in a header', 300],
])('%s is refused', async (_title, length) => {
  const tar = await tarOf([['data.json', JSON.stringify('x'.repeat(2000))]]);
  await expectBundleError(readArchive(gzipSync(tar.subarray(0, length))), 'archive', 'bundle read failed: ');
});

test('an archive in several gzip members is one', async () => {
  const tar = await tarOf([['data.json', '{"a":1}']]);
  const members = [tar.subarray(0, 512), tar.subarray(512, 600), tar.subarray(600)].map((part) => gzipSync(part));
  expect((await readArchive(Buffer.concat(members), { inflate: inflateByZlib })).data).toEqual({ a: 1 });
});

test('an archive may have more than 100,000 entries', async () => {
  const others = Array.from({ length: 100_001 }, (_, i) => [`notes/${i}`, ''] as const);
  const tar = await tarOf([...others, ['data.json', '{"a":1}']]);
  expect((await readArchive(gzipSync(tar, { level: 1 }), { inflate: inflateByZlib })).data).toEqual({ a: 1 });
});

test('a damaged header is refused', async () => {
  const tar = await tarOf([['data.json', '{}']]);
  tar[3]! ^= 1;
  await expectBundleError(readArchive(gzipSync(tar)), 'archive', 'invalid tar header');
});

test.each([
  ['one file', { size: 3000 }, ''],
  ['a name', { nameLength: 3 }, 'is longer than 3 characters'],
])('%s beyond its limit is refused', async (_title, limits, message) => {
  const files = { 'a.txt': '1', 'b.txt': '2', 'c.txt': 'x'.repeat(3001) };
  await expectBundleError(readArchive(await archiveOf(files), { limits }), 'limit', message);
});

test('what is ignored is not read, nor what stands in an ignored directory', async () => {
  const files = { 'data.json': '{"a":1}', 'skip/data.json': 'broken', 'x/skip/p.rego': 'broken', 'skip.rego': 'package x' };
  const bundle = await readArchive(await archiveOf(files), { ignore: (name) => name.endsWith('/skip') });
  expect([...bundle.files.keys()]).toEqual(['/data.json', '/skip.rego']);
});

describe('roots', () => {
  const read = async (roots: readonly string[], files: Record<string, string>) =>
    readArchive(await archiveOf({ '/.manifest': JSON.stringify({ roots }), ...files }));

  test('data and modules within them pass', async () => {
    const bundle = await read(['/a/b/', 'c'], {
      '/data.json': '{"a":{"b":{"x":1}},"c":2}',
      '/p.rego': '# METADATA\n# title: x\npackage a.b["d"]\np := 1',
      '/q.rego': 'package c',
    });
    expect(bundle.manifest.roots).toEqual(['a/b', 'c']);
  });

  test.each([
    [
      'data',
      ['a'],
      { '/data.json': '{"a":1,"b":2}' },
      "manifest roots [a] do not permit data at path '/b' (hint: check bundle directory structure)",
    ],
    ['data deep below', ['a/b'], { '/a/data.json': '{"c":{"d":1}}' }, "do not permit data at path '/a/c/d'"],
    ['a value above a root', ['a/b'], { '/data.json': '{"a":1}' }, "manifest roots [a/b] do not permit data at path '/a'"],
    ['a module', ['a', 'b'], { '/x/p.rego': 'package c.d' }, "manifest roots [a b] do not permit 'package c.d' in module '/x/p.rego'"],
    ['a patch', ['a'], { '/patch.json': '{"data":[{"op":"upsert","path":"/b/c","value":1}]}' }, "do not permit data patch at path 'b/c'"],
  ])('%s outside of them is refused', async (_title, roots, files, message) => {
    await expectBundleError(read(roots, files as Record<string, string>), 'roots', message);
  });

  test.each([[['a', 'a/b']], [['a/b', 'a']], [['x', '']], [['x', '/x/']]])('%j overlap', async (roots) => {
    await expectBundleError(read(roots, {}), 'manifest', 'manifest has overlapped roots: ');
  });

  test('no roots at all permit nothing', async () => {
    await expectBundleError(read([], { '/data.json': '{"a":1}' }), 'roots', "manifest roots [] do not permit data at path '/a'");
  });
});

test.each([
  ['/policy.wasm', '/policy.wasm', 'x/y', undefined],
  ['/other.wasm', '/policy.wasm', 'x/y', "manifest references wasm module '/other.wasm' but the module file does not exist"],
])('a manifest that names the Wasm module %s where there is %s', async (named, there, entrypoint, message) => {
  const files = { [there]: 'wasm', '/.manifest': JSON.stringify({ wasm: [{ entrypoint, module: named }] }) };
  const reading = readArchive(await archiveOf(files));
  if (message === undefined) expect((await reading).manifest.wasm).toEqual([{ entrypoint, module: named }]);
  else await expectBundleError(reading, 'manifest', message);
});

test('a delta bundle holds a patch and nothing else', async () => {
  const patch = '{"data":[{"op":"replace","path":"a/b","value":{"c":1}},{"op":"remove","path":"/d"}]}';
  expect((await readArchive(await archiveOf({ 'patch.json': patch }))).patch).toEqual([
    { op: 'replace', path: 'a/b', value: { c: 1 } },
    { op: 'remove', path: '/d', value: undefined },
  ]);
  const message = 'delta bundle expected to contain only patch file but data files found';
  await expectBundleError(readArchive(await archiveOf({ 'patch.json': patch, 'data.json': '{"a":1}' })), 'patch', message);
});

test('files below a directory are named with it', async () => {
  const bytes = new TextEncoder().encode('package a');
  const { modules } = await readFiles([{ name: '/a/p.rego', bytes }], { baseDir: './dir' });
  expect(modules[0]).toMatchObject({ path: 'dir/a/p.rego', url: 'dir/a/p.rego', bundlePath: '/a/p.rego' });
});

test('verification sees all files but the signatures, and its refusal is the answer', async () => {
  const archive = await archiveOf({ '/data.json': '{}', '/.signatures.json': '{"signatures":["token"]}' });
  const seen: unknown[] = [];
  await readArchive(archive, { verify: (files, signatures) => void seen.push([...files.keys()], signatures) });
  expect(seen).toEqual([['data.json'], { signatures: ['token'] }]);
  const refusal = new Error('no');
  await expect(readArchive(archive, { verify: () => Promise.reject(refusal) })).rejects.toBe(refusal);
});

describe('in slices', () => {
  const list = Array.from({ length: 120_000 }, (_, n) => ({ n, text: `\u00e9${n}`, exact: '@' }));
  const large = `\ufeff${JSON.stringify({ list }).replaceAll('"@"', '1.10')}`;

  /** The bundle of an archive read in slices, and the turns of the event loop meanwhile. */
  async function readInSlices(archive: Uint8Array): Promise<{ readonly sliced: Bundle; readonly turns: number }> {
    // The turns while a thread inflates the archive do not count.
    const tar = gunzipSync(archive);
    let turns = 0;
    let isRead = false;
    const count = () => {
      turns++;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    const sliced = await readArchive(archive, { inflate: () => Promise.resolve(tar), inSlices: true });
    isRead = true;
    return { sliced, turns };
  }

  test('a large document is the same, and other tasks run while it is read', async () => {
    const archive = await archiveOf({ 'a/data.json': large });
    const { sliced, turns } = await readInSlices(archive);
    expect(turns).toBeGreaterThan(5);
    const whole = await readArchive(archive, { inflate: inflateByZlib });
    expect(toJson(sliced.data)).toBe(toJson(whole.data));
  });

  test('many files are the same, and other tasks run while they are read', async () => {
    const files = Array.from({ length: 5000 }, (_, i) => [`a/m${i}.rego`, `package a.m${i}\n`]);
    const archive = await archiveOf({ '.manifest': '{"roots":["a"]}', ...Object.fromEntries(files) });
    const { sliced, turns } = await readInSlices(archive);
    expect(turns).toBeGreaterThan(2);
    expect(sliced).toEqual(await readArchive(archive, { inflate: inflateByZlib }));
  });

  test.each([
    ['is cut off', large.slice(0, -2)],
    ['goes on behind its value', `${large} {}`],
    ['is no JSON', large.replace('"list":', '"list"')],
  ])('a large document that %s is refused in the same words', async (_what, text) => {
    const archive = await archiveOf({ 'data.json': text });
    const errorOf = (inSlices: boolean) => readArchive(archive, { inSlices }).catch((error: Error) => error.message);
    const message = await errorOf(false);
    expect(message).toMatch(/^bundle load failed on /);
    expect(await errorOf(true)).toBe(message);
  });
});
