import { expect, test } from 'vitest';
import { emptyBundle } from '../../engine/bundle/bundle.js';
import { emptyManifest } from '../../engine/bundle/manifest.js';
import { type LogServer, serverOver, stateOf, temporaryFolder } from '../../test/harness/storage/logs.js';
import type { PlainObject } from '../../values/value.js';

/** As the plugin of bundles does. */
async function activate({ context: { engine } }: LogServer, data: PlainObject, text: string): Promise<void> {
  const place = { path: '/b/p.rego', url: '/b/p.rego', bundlePath: '/p.rego' };
  const modules = [{ ...place, text, bytes: new Uint8Array() }];
  const bundle = { ...emptyBundle, manifest: { ...emptyManifest, roots: ['a'] }, data: { a: data }, modules };
  await engine.commit({ bundles: new Map([['main', bundle]]), bundlesTransferred: true }, { ignoreRoots: true });
}

const read = async (server: LogServer, path: string) => (await server.ask('GET', `/v1/data/${path}`)).text.trim();

test('clients write beside a bundle, not within its roots', async () => {
  const storage = { file: { directory: temporaryFolder() } };
  const server = await serverOver(storage);
  await activate(server, { x: 1 }, 'package a.p\n\ny := data.a.x');
  expect((await server.ask('PUT', '/v1/data/a/x', '2')).status).toBe(400);
  expect((await server.ask('PUT', '/v1/data/b', '2')).status).toBe(204);
  await server.close();
  const again = await serverOver(storage);
  await activate(again, { x: 3 }, 'package a.p\n\ny := data.a.x');
  expect([await read(again, 'a/p/y'), await read(again, 'b')]).toEqual(['{"result":3}', '{"result":2}']);
});

test('a bundle is the baseline of what clients amend, over each of its versions and each start', async () => {
  const storage = { file: { directory: temporaryFolder() }, amend_bundles: true, snapshot_every: 3 };
  const server = await serverOver(storage);
  const text = 'package a.p\n\ny := data.a.x';
  await activate(server, { x: 1, kept: { k: 1 }, gone: 1 }, text);
  expect((await server.ask('PUT', '/v1/data/a/x', '2')).status).toBe(204);
  expect((await server.ask('DELETE', '/v1/data/a/gone')).status).toBe(204);
  expect((await server.ask('PUT', '/v1/data/a/kept/own', '3')).status).toBe(204);
  expect((await server.ask('PUT', '/v1/policies/q.rego', 'package a.q\n\nz := data.a.p.y + 1')).status).toBe(200);
  const expected = (k: number) => [`{"result":{"kept":{"k":${k},"own":3},"p":{"y":2},"q":{"z":3},"x":2}}`];
  expect([await read(server, 'a')]).toEqual(expected(1));
  await activate(server, { x: 10, kept: { k: 10 }, gone: 10 }, text);
  expect([await read(server, 'a')]).toEqual(expected(10));
  await server.close();
  // The bundle comes after the log.
  for (let starts = 0; starts < 3; starts++) {
    const again = await serverOver(storage);
    await activate(again, { x: 100, kept: { k: 100 }, gone: 100 }, text);
    expect([await read(again, 'a')]).toEqual(expected(100));
    expect((await again.ask('PUT', '/v1/data/other', String(starts))).status).toBe(204);
    await again.close();
  }
});

test('what clients wrote stays over files that are read again', async () => {
  const server = await serverOver(
    { file: { directory: temporaryFolder() } },
    { data: { f: { a: 1, b: 1 } }, policies: { p: 'package p' } },
  );
  await server.ask('PUT', '/v1/data/f/a', '2');
  await server.ask('DELETE', '/v1/data/f/b');
  await server.ask('DELETE', '/v1/policies/p');
  const before = stateOf(server);
  const { engine } = server.context;
  await engine.commit({ policies: new Map([['p', 'package p']]), data: [{ op: 'write', path: ['f'], value: { a: 1, b: 1 } }] });
  expect(stateOf(server)).toBe(before);
  await engine.commit({ data: [{ op: 'write', path: ['f'], value: { c: 3 } }] });
  expect(await read(server, 'f')).toBe('{"result":{"a":2,"c":3}}');
});
