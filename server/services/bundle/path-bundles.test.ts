import { generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BundleError } from '../../../engine/bundle/bundle-error.js';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { writeArchive } from '../../../test/harness/process/tar-archive.js';
import { bench } from '../../../test/harness/server/plugins.js';
import { PathBundles } from './path-bundles.js';

const policy = (value: string) => ({ 'p.rego': `package p\n\nx := ${value}\n`, '.manifest': '{"revision": "r"}' });

test('bundles go by the paths that were given', async () => {
  const { engine, context } = bench();
  const path = writeArchive(join(temporaryDirectory(), 'b.tar.gz'), policy('1'));
  await new PathBundles([path], engine, context.logger).load();
  expect(engine.bundles()).toEqual([{ name: path, revision: 'r', roots: [''] }]);
  expect((await engine.decide(['p', 'x'], undefined)).value).toBe(1);
});

test('one that is faulty, or that is not there, is an error', async () => {
  const { engine, context } = bench();
  const directory = temporaryDirectory();
  const good = writeFiles(join(directory, 'good'), policy('1'));
  await expect(new PathBundles([good, join(directory, 'none')], engine, context.logger).load()).rejects.toThrow(BundleError);
  expect(engine.bundles()).toEqual([]);
  const bad = writeFiles(join(directory, 'bad'), policy('1 +'));
  await expect(new PathBundles([bad], engine, context.logger).load()).rejects.toThrow('rego_parse_error');
});

test('with a key, an unsigned one is an error', async () => {
  const { engine, context } = bench();
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const directory = writeFiles(temporaryDirectory(), policy('1'));
  const verification = { keys: { k: { key } }, keyId: 'k' };
  await expect(new PathBundles([directory], engine, context.logger, { verification }).load()).rejects.toThrow('signature');
});

test('what changes is loaded again; what is faulty then leaves the last good state', async () => {
  const { engine, context, lines } = bench();
  const directory = writeFiles(temporaryDirectory(), policy('1'));
  const bundles = new PathBundles([directory], engine, context.logger);
  await bundles.load();
  bundles.watch();
  onTestFinished(() => bundles.stop());
  const x = async () => (await engine.decide(['p', 'x'], undefined)).value;
  writeFiles(directory, policy('2'));
  await eventually(async () => expect(await x()).toBe(2));
  writeFiles(directory, policy('3 +'));
  await eventually(() => expect(lines.some(({ msg }) => (msg as string).startsWith('Bundle activation failed'))).toBe(true));
  expect(await x()).toBe(2);
  writeFiles(directory, { ...policy('4'), 'sub/q.rego': 'package q\n\ny := 1\n' });
  await eventually(async () => expect(await x()).toBe(4));
  rmSync(join(directory, 'sub'), { recursive: true });
  await eventually(async () => expect((await engine.decide(['q', 'y'], undefined)).value).toBeUndefined());
});
