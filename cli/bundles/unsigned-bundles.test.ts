/** Where keys are given to verify bundles with, one without a signature is refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBundle as readWebBundle } from '../../library/browser.js';
import { readBundle } from '../../library/index.js';
import { archiveOf } from '../../test/harness/archives.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { BundleService } from '../../test/harness/server/bundle-service.js';
import { parseArguments } from '../args.js';
import type { Io } from '../io.js';
import { serverFlags } from '../server/server-flags.js';
import { startServer } from '../server/start-server.js';

const unsigned = 'bundle missing .signatures.json file';
const files = { 'b/p.rego': 'package p\n\nx := 1\n', 'in/a.json': '{}', 'plan.json': '{"static": {}, "plans": {"plans": []}}' };
const keys = { default: { key: 'secret', algorithm: 'HS256' } };
const key = ['--verification-key', 'secret', '--signing-alg', 'HS256'];

async function withUnsigned<T>(use: (at: (name: string) => string) => Promise<T>): Promise<T> {
  return await withFiles(files, async (dir) => {
    writeFileSync(join(dir, 'b.tar.gz'), await archiveOf({ '/p.rego': files['b/p.rego'] }));
    writeFileSync(join(dir, 'delta.tar.gz'), await archiveOf({ '/patch.json': '{"data": []}' }));
    return await use((name) => join(dir, name));
  });
}

describe.each(['b', 'b.tar.gz', 'plan.json', 'delta.tar.gz'])('the unsigned bundle %s', (name) => {
  test.each([{ keys }, { keys, keyId: '' }, { keys, keyId: 'default' }, { keys: {} }, { keys: {}, optional: false }])(
    'is refused by readBundle with %j',
    async (verification) => {
      await withUnsigned((at) => expect(readBundle(at(name), { verification })).rejects.toMatchObject({ problem: 'unsigned' }));
    },
  );

  test.each([undefined, { keys: {}, optional: true }, { keys, optional: true }])('is read by readBundle with %j', async (verification) => {
    await withUnsigned((at) => readBundle(at(name), { verification }));
  });
});

test.each<[object | null, string]>([
  [{ keys }, 'there is no option keys'],
  [{ verify: { keys } }, 'there is no option verify'],
  [{ verification: null }, 'option verification must be an object, not null'],
  [{ verification: false }, 'option verification must be an object, not false'],
  [{ limits: 'none' }, 'option limits must be an object, not a string'],
  [{ verification: 'the secret' }, 'option verification must be an object, not a string'],
  [null, 'options are no object'],
])('readBundle refuses the options %j', async (options, message) => {
  await withUnsigned(async (at) => {
    const refused = { name: 'EngineError', code: 'invalid_option', message: expect.stringContaining(message) };
    await expect(readBundle(at('b'), options as never)).rejects.toMatchObject(refused);
    await expect(readWebBundle(new Uint8Array(), options as never)).rejects.toMatchObject(refused);
  });
});

test.each([[key], [[...key, '--verification-key-id', '']], [[...key, '--verification-key-id', 'mine']]])('build %j', async (flags) => {
  await withUnsigned(async (at) => {
    const built = await runCommand('build', '-b', ...flags, '-o', at('out.tar.gz'), at('b.tar.gz'));
    expect(built).toMatchObject({ exit: 1, stdout: expect.stringContaining(unsigned) });
  });
});

const io: Io = { stdin: () => new Uint8Array(), stdout: () => undefined, stderr: () => undefined, env: {}, color: false };

/** Starts a server: the lines of its log until a bundle was tried, or the error of the start. */
async function logOf(...args: readonly string[]): Promise<string> {
  let log = '';
  const parsed = parseArguments('run', serverFlags, ['--server', '--addr', '127.0.0.1:0', ...args], {});
  try {
    const running = await startServer(parsed, io, { write: (line) => void (log += line) });
    for (let i = 0; i < 500 && !/Bundle (load|activation)|activated/.test(log); i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await running.stop(0);
  } catch (error) {
    log += (error as Error).message;
  }
  return log;
}

test('run -b with a key', async () => {
  await withUnsigned(async (at) => expect(await logOf('-b', ...key, at('b.tar.gz'))).toContain(unsigned));
});

describe('a bundle of a configuration', () => {
  test.each<[string, object, string]>([
    ['without signing, for which the keys need not be', {}, 'activated successfully'],
    ['with a key id', { signing: { keyid: 'default' } }, unsigned],
    ['with a scope', { signing: { scope: 'write' } }, unsigned],
    ['with nothing in signing', { signing: {} }, unsigned],
  ])('%s', async (_title, more, expected) => {
    await withUnsigned(async (at) => {
      const service = await BundleService.start();
      await service.put('"1"', { '/p.rego': files['b/p.rego'] });
      const config = { keys, services: { s: { url: service.url } } };
      for (const bundle of [{ resource: `file://${at('b')}` }, { service: 's', resource: 'b.tar.gz' }]) {
        writeFileSync(at('c.json'), JSON.stringify({ ...config, bundles: { b: { ...bundle, ...more } } }));
        expect(await logOf('-c', at('c.json'))).toContain(expected);
      }
    });
  });
});

test('a URL of the command line with a key', async () => {
  await withUnsigned(async (at) => {
    const service = await BundleService.start();
    await service.put('"1"', { '/p.rego': files['b/p.rego'] });
    const kept = ['--set', `persistence_directory=${at('kept')}`];
    expect(await logOf('-b', ...key, ...kept, `${service.url}/b.tar.gz`)).toContain(unsigned);
    expect(await logOf('-b', ...key, '--skip-verify', ...kept, `${service.url}/b.tar.gz`)).toContain('activated successfully');
  });
});
