/**
 * Bundles own their roots, whatever was there before they came and however they come: from the
 * command line, by the API, by a former version.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compile } from '../../../compiler/compile.js';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { BundleService } from '../../../test/harness/server/bundle-service.js';
import { type ServerProcess, serverProcess } from '../../../test/harness/server/process.js';

type Files = Readonly<Record<string, string>>;

const often = { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } };

/** Files that the command line names. The bundle has other rules in the same places. */
const boot: Files = {
  'allow.rego': 'package app\n\nallow if input.user == "dev"\n',
  'default.rego': 'package app\n\ndefault level := "local"\n',
  'deep.rego': 'package app.sub.deep\n\nx := "local"\n',
  'authz.rego': 'package system.authz\n\ndefault allow := true\n',
  'apple.rego': 'package apple\n\nok := "local"\n',
  'above.rego': 'package a\n\nok := "local"\n',
  'data.json': '{"app": {"d": "local"}, "apple": {"d": "local"}}',
};

const rules: Files = {
  '/app/a.rego': 'package app\n\ndefault allow := false\n\nallow if input.user == "root"\n',
  '/app/level.rego': 'package app\n\ndefault level := "bundle"\n',
  '/app/deep.rego': 'package app.sub.deep\n\nx := "bundle"\n',
  '/system/authz.rego': 'package system.authz\n\ndefault allow := false\n\nallow if input.path[1] != "config"\n',
};
const lib: Files = { '/lib/l.rego': 'package lib\n\ndefault ok := "bundle"\n' };
const entrypoints = ['app/allow', 'app/level', 'app/sub/deep/x', 'system/authz/allow'];

const manifests = [['app', 'system/authz'], ['app', 'system/authz', 'lib'], undefined].map((roots, n) => ({
  '/.manifest': JSON.stringify({ revision: `${n}`, roots }),
}));

function asPlan(files: Files, names: readonly string[]): Files {
  return { '/plan.json': JSON.stringify(compile({ policies: { ...files }, entrypoints: [...names] })) };
}

/** Three versions: with some roots, with one more, and with none in the manifest, which are all. */
const versions: readonly Files[] = [rules, { ...rules, ...lib }, { ...rules, ...lib }].map((files, n) => ({ ...files, ...manifests[n] }));
const planned: readonly Files[] = [
  asPlan(rules, entrypoints),
  asPlan({ ...rules, ...lib }, [...entrypoints, 'lib/ok']),
  asPlan({ ...rules, ...lib }, [...entrypoints, 'lib/ok']),
].map((files, n) => ({ ...files, ...manifests[n] }));

/** A way for a bundle to come. */
interface Way {
  readonly config: object;
  put(version: number): Promise<void>;
  /** Its service is gone. */
  fail(): void;
}

async function byService(persistence: string, all = versions): Promise<Way> {
  const service = await BundleService.start();
  const fail = () => void (service.failing = (_request, response) => void response.writeHead(404).end());
  fail();
  return {
    fail,
    config: {
      services: { s: { url: service.url } },
      bundles: { b: { service: 's', resource: 'b.tar.gz', persist: true, ...often } },
      persistence_directory: persistence,
    },
    async put(version) {
      service.failing = undefined;
      await service.put(`"${version}"`, all[version]!);
    },
  };
}

async function byFile(directory: string): Promise<Way> {
  const bundle = join(directory, 'bundle');
  return {
    config: { bundles: { b: { resource: `file://${bundle}`, ...often } } },
    fail: () => rmSync(bundle, { recursive: true, force: true }),
    async put(version) {
      // A poll must not find a half of the files: without its manifest a bundle owns all.
      writeFiles(`${bundle}.next`, versions[version]!);
      if (existsSync(bundle)) renameSync(bundle, `${bundle}.${version}`);
      renameSync(`${bundle}.next`, bundle);
    },
  };
}

async function byDiscovery(directory: string): Promise<Way> {
  const [way, discovery] = [await byService(directory), await BundleService.start()];
  const main = { default_decision: 'app/allow', status: { console: false } };
  const put = (revision: string, found: object) => discovery.put(`"${revision}"`, { '/data.json': JSON.stringify({ main: found }) });
  await put('before', main);
  return {
    config: {
      services: { d: { url: discovery.url } },
      discovery: { service: 'd', resource: 'd.tar.gz', decision: 'main', ...often },
      persistence_directory: directory,
    },
    fail: way.fail,
    async put(version) {
      await way.put(version);
      const { services, bundles } = way.config as { services: object; bundles: object };
      await put('after', { ...main, services, bundles });
    },
  };
}

/** An answer of each worker. */
async function everywhere(server: ServerProcess, path: string, input: unknown): Promise<readonly unknown[]> {
  const body = JSON.stringify({ input });
  const texts = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const response = await fetch(`${server.url}/v1/data/${path}`, { method: 'POST', body, headers: { connection: 'close' } });
      return await response.text();
    }),
  );
  return [...new Set(texts)].map((text) => (JSON.parse(text) as { result?: unknown }).result);
}

/** The ids of the policies that are no bundle's; of files the name alone. */
async function localIds(server: ServerProcess): Promise<readonly string[]> {
  const { body } = await server.ask('GET', '/v1/policies');
  const ids = (body as { readonly result: readonly { readonly id: string }[] }).result.map(({ id }) => id);
  return ids
    .filter((id) => !id.startsWith('b/'))
    .map((id) => id.slice(id.lastIndexOf('/') + 1))
    .sort();
}

const ways: readonly (readonly [string, (directory: string) => Promise<Way>])[] = [
  ['of a service', (directory) => byService(join(directory, 'kept'))],
  ['of a file:// URL', byFile],
  ['of a service, with plans and no policies', (directory) => byService(join(directory, 'kept'), planned)],
  ['that is discovered', (directory) => byDiscovery(join(directory, 'kept'))],
];
const modes: readonly (readonly [string, readonly string[]])[] = [
  ['one process', []],
  ['workers', ['--workers', '2']],
];

describe.each(modes)('in %s, a bundle', { timeout: 120_000 }, (_mode, flags) => {
  test.each(ways)('%s takes over its roots', async (_what, wayTo) => {
    const directory = temporaryDirectory();
    const local = writeFiles(join(directory, 'local'), boot);
    const way = await wayTo(directory);
    const config = join(directory, 'config.json');
    writeFileSync(config, JSON.stringify(way.config));
    const server = await serverProcess(...flags, '--authorization=basic', '-c', config, local);
    const dev = { user: 'dev' };
    const becomes = (path: string, value: unknown) => eventually(async () => expect(await everywhere(server, path, dev)).toEqual([value]));
    await becomes('app', { allow: true, level: 'local', sub: { deep: { x: 'local' } }, d: 'local' });
    for (const [id, pkg] of [
      ['lib', 'lib'],
      ['sub', 'app.sub'],
    ])
      expect((await server.ask('PUT', `/v1/policies/${id}`, `package ${pkg}\n\ndefault ok := "api"`)).status).toBe(200);

    await way.put(0);
    await becomes('app', { allow: false, level: 'bundle', sub: { deep: { x: 'bundle' } } });
    await becomes('apple', { ok: 'local', d: 'local' });
    await becomes('a/ok', 'local');
    await becomes('lib/ok', 'api');
    expect(await localIds(server)).toEqual(['above.rego', 'apple.rego', 'lib']);
    expect((await server.ask('GET', '/v1/config')).status).toBe(401);
    expect((await server.ask('PUT', '/v1/policies/late', 'package app.late\n\nx := 1')).status).toBe(400);

    // What is the bundle's by now does not come back when files are read again.
    writeFiles(local, { 'apple.rego': 'package apple\n\nok := "changed"\n', 'new.rego': 'package app\n\nallow if true\n' });
    process.kill(server.pid, 'SIGHUP');
    await becomes('apple', { ok: 'changed', d: 'local' });
    await becomes('app', { allow: false, level: 'bundle', sub: { deep: { x: 'bundle' } } });
    expect(await localIds(server)).toEqual(['above.rego', 'apple.rego', 'lib']);

    await way.put(1);
    await becomes('lib/ok', 'bundle');
    expect(await localIds(server)).toEqual(['above.rego', 'apple.rego']);

    await way.put(2);
    await eventually(async () => expect(await localIds(server)).toEqual([]));
    await becomes('apple', undefined);
    await becomes('app', { allow: false, level: 'bundle', sub: { deep: { x: 'bundle' } } });
    await server.end();
  });

  test('that was saved takes over its roots at the next start', async () => {
    const directory = temporaryDirectory();
    const local = writeFiles(join(directory, 'local'), boot);
    const way = await byService(join(directory, 'kept'));
    const config = join(directory, 'config.json');
    writeFileSync(config, JSON.stringify(way.config));
    await way.put(0);
    const first = await serverProcess(...flags, '-c', config);
    await eventually(async () => expect(await first.decide('app/level')).toBe('bundle'));
    await first.end();
    way.fail();
    const second = await serverProcess(...flags, '-c', config, local);
    expect(await everywhere(second, 'app', { user: 'dev' })).toEqual([{ allow: false, level: 'bundle', sub: { deep: { x: 'bundle' } } }]);
    expect(await localIds(second)).toEqual(['above.rego', 'apple.rego']);
    await second.end();
  });
});
