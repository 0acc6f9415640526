import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packTar } from 'modern-tar';
import { expect, test } from 'vitest';
import { readTar } from './tar.js';

const list = (tar: Uint8Array) => [...readTar(tar)].map(({ name, type, bytes }) => [name, type, new TextDecoder().decode(bytes)]);
const long = `${'directory/'.repeat(30)}${'n'.repeat(120)}.json`;

test('members come in order, with names of any length and script', async () => {
  const files = ['/data.json', 'ü/日本.json', `${'d'.repeat(90)}/${'f'.repeat(90)}`, long];
  const tar = await packTar(
    files.map((name, i) => ({ header: { name, size: i, type: 'file' as const, mtime: new Date(0) }, body: 'x'.repeat(i) })),
  );
  expect(list(tar)).toEqual(files.map((name, i) => [name, 'file', 'x'.repeat(i)]));
});

test.each(['gnu', 'pax', 'ustar', 'v7', 'posix'])('what tar writes as %s is read', (format) => {
  const dir = mkdtempSync(join(tmpdir(), 'writ-tar-'));
  try {
    const deep = format === 'v7' || format === 'ustar' ? 'a' : 'a/'.repeat(60) + 'n'.repeat(110);
    mkdirSync(join(dir, deep), { recursive: true });
    writeFileSync(join(dir, deep, 'data.json'), '{"a":1}');
    symlinkSync('data.json', join(dir, deep, 'link.json'));
    const made = spawnSync('tar', ['-C', dir, `--format=${format}`, '-cf', '-', '.']);
    expect(made.status).toBe(0);
    const members = list(made.stdout);
    expect(members.filter(([, type]) => type === 'file')).toEqual([[`./${deep}/data.json`, 'file', '{"a":1}']]);
    expect(members.filter(([, type]) => type === 'other').map(([name]) => name)).toEqual([`./${deep}/link.json`]);
    expect(members[0]).toEqual(['./', 'directory', '']);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

/** One member whose header was changed, its checksum put right again. */
async function withHeader(change: (header: Uint8Array) => void, value = (byte: number) => byte): Promise<Uint8Array> {
  const tar = await packTar([{ header: { name: 'a', size: 3, type: 'file', mtime: new Date(0) }, body: 'abc' }]);
  change(tar);
  tar.fill(32, 148, 156);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + value(byte), 0);
  tar.set(new TextEncoder().encode(sum.toString(8).padStart(6, '0')), 148);
  tar[154] = 0;
  return tar;
}
const put = (at: number, text: string) => (header: Uint8Array) => void header.set(new TextEncoder().encode(text), at);

test('a checksum may be that of signed bytes, also in a Buffer, which stays as it is', async () => {
  const tar = Buffer.from(await withHeader(put(0, 'üü'), (byte) => (byte << 24) >> 24));
  const before = tar.toString('latin1');
  expect(list(tar)).toEqual([['üü', 'file', 'abc']]);
  expect(tar.toString('latin1')).toBe(before);
});

test('a size may be given as a number rather than as digits', async () => {
  const tar = await withHeader((header) => void header.set([128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 124));
  expect(list(tar)).toEqual([['a', 'file', 'abc']]);
});

test('a link has no bytes, even where its header counts some', async () => {
  const tar = await withHeader((header) => void header.set([50], 156));
  expect(list(tar.subarray(0, 512))).toEqual([['a', 'other', '']]);
});

test.each([
  ['a size that is not octal', put(124, '00000000009'), 'not octal'],
  ['a size beyond the archive', put(124, '77777777777'), 'unexpected EOF'],
  ['a size beyond all bounds', (header: Uint8Array) => void header.fill(255, 124, 136), 'too large'],
  ['an extended header that is none', put(156, 'x'), 'malformed'],
])('%s is refused', async (_title, change, message) => {
  expect(() => list(new Uint8Array())).not.toThrow();
  await expect(withHeader(change).then(list)).rejects.toThrow(message);
});

test('a checksum that is wrong is refused', async () => {
  const tar = await packTar([{ header: { name: 'a', size: 0, type: 'file' } }]);
  tar[0] = 98;
  expect(() => list(tar)).toThrow('checksum');
});

test('an archive may lack the blocks that end it, but nothing else', async () => {
  const tar = await packTar([{ header: { name: 'a', size: 3, type: 'file' }, body: 'abc' }]);
  expect(list(tar.subarray(0, 1024))).toHaveLength(1);
  for (const length of [1, 511, 513, 514]) expect(() => list(tar.subarray(0, length))).toThrow('unexpected EOF');
});
