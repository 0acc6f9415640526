import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { signFiles } from '../../engine/bundle/signature/signing.js';
import { eventually, temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { writeArchive } from '../../test/harness/process/tar-archive.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { Engine, type EngineOptions } from '../index.js';

async function watched(source: string, options: EngineOptions = {}) {
  const errors: (string | undefined)[] = [];
  const engine = await Engine.open(source, { watch: true, onReload: (error) => void errors.push(error?.message), ...options });
  onTestFinished(() => engine.close());
  return { engine, errors };
}

const authz = (name: string) => `package authz\n\nallow if input.user == "${name}"\n`;

describe('a folder that is watched', () => {
  test('is read again when policies and documents in it change, come and go', async () => {
    const folder = writeFiles(join(temporaryDirectory(), 'p'), { 'authz.rego': authz('ann'), 'data.json': '{"a": 1, "b": 1}' });
    const { engine } = await watched(folder);
    const prepared = await engine.prepare('authz/allow');
    await engine.setData('kept', 1);
    await engine.setPolicy('own.rego', 'package own\n\nx := data.b\n');
    expect(prepared.decide({ user: 'ann' })).toEqual({ result: true });
    writeFiles(folder, { 'authz.rego': authz('bob'), 'more.rego': 'package more\n\ny := 2\n', 'data.json': '{"b": 2}' });
    await eventually(() => expect(prepared.decide({ user: 'bob' })).toEqual({ result: true }));
    expect(prepared.decide({ user: 'ann' })).toEqual({});
    expect(engine.decide('more/y')).toEqual({ result: 2 });
    expect(engine.decide('own/x')).toEqual({ result: 2 });
    expect([engine.has('a'), engine.decide('kept')]).toEqual([false, { result: 1 }]);
    rmSync(join(folder, 'more.rego'));
    await eventually(() => expect(engine.has('more/y')).toBe(false));
  });

  test('that has a fault stays as it was, and is read once the fault is gone', async () => {
    const folder = writeFiles(join(temporaryDirectory(), 'p'), { 'authz.rego': authz('ann') });
    const { engine, errors } = await watched(folder);
    writeFiles(folder, { 'authz.rego': 'package authz\n\nallow if x\n' });
    await eventually(() => expect(errors.join()).toContain('var x is unsafe'));
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
    writeFiles(folder, { 'authz.rego': authz('bob') });
    await eventually(() => expect(engine.decide('authz/allow', { user: 'bob' })).toEqual({ result: true }));
    expect(errors.at(-1)).toBeUndefined();
  });

  test('reads no more once the engine is closed', async () => {
    const folder = writeFiles(join(temporaryDirectory(), 'p'), { 'authz.rego': authz('ann') });
    const { engine, errors } = await watched(folder);
    await engine.close();
    writeFiles(folder, { 'authz.rego': authz('bob') });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(errors).toEqual([]);
  });
});

test.each([
  ['an archive', (path: string, user: string) => writeArchive(`${path}.tar.gz`, { 'authz.rego': authz(user) })],
  [
    'a plan',
    (path: string, user: string) => {
      const plan = compile({ policies: { 'authz.rego': authz(user) }, entrypoints: ['authz/allow'] });
      return join(writeFiles(path, { 'plan.json': JSON.stringify(plan) }), 'plan.json');
    },
  ],
  ['a policy', (path: string, user: string) => join(writeFiles(path, { 'authz.rego': authz(user) }), 'authz.rego')],
])('%s that is watched is read again', async (_title, write) => {
  const path = join(temporaryDirectory(), 'x');
  const { engine } = await watched(write(path, 'ann'));
  expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
  write(path, 'bob');
  await eventually(() => expect(engine.decide('authz/allow', { user: 'bob' })).toEqual({ result: true }));
});

test('without a path there is nothing to watch', async () => {
  const open = Engine.open({ policies: { 'a.rego': authz('ann') } }, { watch: true });
  await expect(open).rejects.toMatchObject({ code: 'invalid_option', message: 'option watch: no source is a path' });
});

describe('with keys', () => {
  const verification = { keys: { k: { key: 'secret', algorithm: 'HS256' } } };
  const signed = async (key: string, files: Record<string, string>) => {
    const bytes = new Map(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));
    const signatures = await signFiles(bytes, { key, algorithm: 'HS256', keyId: 'k' }, nodeHost.crypto!);
    return { ...files, '.signatures.json': JSON.stringify(signatures) };
  };

  test('a bundle that one of them signed is opened, and no other', async () => {
    const folder = temporaryDirectory();
    const files = { 'authz.rego': authz('ann') };
    const good = writeArchive(join(folder, 'good.tar.gz'), await signed('secret', files));
    const engine = await Engine.open(good, { verification });
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
    const bad = {
      unsigned: files,
      'signed by another': await signed('other', files),
      'changed after it was signed': { ...(await signed('secret', files)), 'authz.rego': authz('eve') },
      'with a file more': { ...(await signed('secret', files)), 'more.rego': 'package more\n' },
    };
    for (const [title, content] of Object.entries(bad)) {
      const archive = writeArchive(join(folder, 'bad.tar.gz'), content);
      await expect(Engine.open(archive, { verification }), title).rejects.toMatchObject({ code: 'signature' });
    }
    const loose = join(writeFiles(folder, { 'p.rego': authz('ann') }), 'p.rego');
    await expect(Engine.open(loose, { verification })).rejects.toMatchObject({ code: 'invalid_source' });
    await expect(Engine.open(good, { verification: {} as never })).rejects.toMatchObject({ code: 'invalid_option' });
  });

  test('a watched bundle that is replaced by an unsigned one stays', async () => {
    const path = join(temporaryDirectory(), 'b.tar.gz');
    writeArchive(path, await signed('secret', { 'authz.rego': authz('ann') }));
    const { engine, errors } = await watched(path, { verification });
    writeArchive(path, { 'authz.rego': authz('eve') });
    await eventually(() => expect(errors.join()).toContain('missing .signatures.json'));
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
    expect(engine.decide('authz/allow', { user: 'eve' })).toEqual({});
  });
});
