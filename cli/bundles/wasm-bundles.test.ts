/** Bundles whose rules are in WebAssembly alone: without these, what reads them would allow. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Engine as BrowserEngine, readBundle as readWebBundle } from '../../library/browser.js';
import { Engine, readBundle } from '../../library/index.js';
import { archiveOf } from '../../test/harness/archives.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { eventually } from '../../test/harness/disk.js';
import { BundleService } from '../../test/harness/server/bundle-service.js';
import { pluginFaces } from '../../test/harness/server/plugin-faces.js';

const refusal = "only in the bundle's WebAssembly";

const manifest = (roots: readonly string[], ...entrypoints: readonly string[]) =>
  JSON.stringify({ revision: '', roots, wasm: entrypoints.map((entrypoint) => ({ entrypoint, module: '/policy.wasm' })) });

/** Forms of bundles that lack rules of their entrypoints. */
const lacking = {
  'all rules': { '/az.rego': 'package az\n', '/.manifest': manifest(['az'], 'az/deny', 'az/allow') },
  'one rule': { '/az.rego': 'package az\n\nallow := true\n', '/.manifest': manifest(['az'], 'az/deny', 'az/allow') },
  'a package': { '/az.rego': 'package az.sub\n', '/.manifest': manifest(['az'], 'az') },
  'a module': { '/.manifest': manifest(['az'], 'az/deny') },
  'a rule with a name that begins the same': { '/az.rego': 'package az\n\ndeny_all := true\n', '/.manifest': manifest([''], 'az/deny') },
  'a rule of another package': { '/az.rego': 'package azx\n\ndeny := true\n', '/.manifest': manifest([''], 'az/deny') },
  'the rules of a name that has others below it': {
    '/az.rego': 'package az\n\nimport data.az.deny\n\ndeny.admin := true\n',
    '/.manifest': manifest([''], 'az/deny'),
  },
  'a rule that is beside one with a variable': {
    '/az.rego': 'package az\n\nimport data.az.deny.all\n\ndeny[x] := true if some x in ["a"]\n',
    '/.manifest': manifest([''], 'az/deny/all'),
  },
} as const;

const outer = 'package app\n\ndefault allow := false\n\nallow if not data.az.deny\n';

async function withBundle(
  files: Readonly<Record<string, string>>,
  use: (at: (name: string) => string, bytes: Uint8Array) => Promise<void>,
) {
  await withFiles({ 'outer.rego': outer, 'input.json': '{}' }, async (dir) => {
    const bytes = await archiveOf({ ...files, '/policy.wasm': 'x' });
    writeFileSync(join(dir, 'b.tar.gz'), bytes);
    await use((name) => join(dir, name), bytes);
  });
}

describe.each(Object.entries(lacking))('a bundle without %s is refused', (_title, files) => {
  test('by commands', async () => {
    await withBundle(files, async (at) => {
      for (const args of [
        ['eval', '-b', at('b.tar.gz'), '-d', at('outer.rego'), 'data.app.allow'],
        ['eval', '-d', at('b.tar.gz'), '-d', at('outer.rego'), 'data.app.allow'],
        ['exec', '-b', at('b.tar.gz'), '--decision', 'az/deny', at('input.json')],
        ['check', '-b', at('b.tar.gz')],
        ['test', '-b', at('b.tar.gz')],
        ['build', '-b', at('b.tar.gz'), '-o', at('o.tar.gz')],
      ]) {
        const { exit, stdout, stderr } = await runCommand(...args);
        expect([args[0], args[1], exit === 0, stdout + stderr]).toEqual([args[0], args[1], false, expect.stringContaining(refusal)]);
      }
      expect(await runCommand('inspect', at('b.tar.gz'))).toMatchObject({ exit: 0 });
    });
  });

  test('by the library, on Node and in browsers', async () => {
    await withBundle(files, async (at, bytes) => {
      const refused = { name: 'BundleError', code: 'wasm', message: expect.stringContaining(refusal) };
      const texts = { policies: { 'outer.rego': outer } };
      await expect(Engine.open([at('b.tar.gz'), texts])).rejects.toMatchObject(refused);
      await expect(Engine.open([await readBundle(at('b.tar.gz')), texts])).rejects.toMatchObject(refused);
      await expect(BrowserEngine.open([await readWebBundle(bytes), texts])).rejects.toMatchObject(refused);
    });
  });

  test.each(pluginFaces)('by services: %s', async (_face, start) => {
    const service = await BundleService.start();
    await service.put('"1"', { ...files, '/policy.wasm': 'x' });
    const polling = { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } };
    const plugins = await start({ services: { s: { url: service.url } }, bundles: { b: { service: 's', ...polling } } });
    await plugins.settled();
    expect(plugins.isReady()).toBe(false);
    const { bundles } = plugins.status() as { bundles: { b: unknown } };
    expect(bundles.b).toMatchObject({ message: expect.stringContaining(refusal) });
    expect(plugins.lines.some(({ msg, level }) => level === 'error' && String(msg).includes(refusal))).toBe(true);
    // The cure: the same rules in Rego.
    await service.put('"2"', { '/az.rego': 'package az\n\ndeny := true\n', '/.manifest': '{"roots": ["az"]}' });
    await eventually(async () => expect(await plugins.decide('az/deny')).toBe(true));
    expect(plugins.isReady()).toBe(true);
  });
});

test.each([
  ['a rule', 'package az\n\ndeny := true\n', 'az/deny'],
  ['a default', 'package az\n\ndefault deny := true\n', 'az/deny'],
  ['a partial rule', 'package az\n\ndeny contains 1\n', 'az/deny'],
  ['a rule below', 'package az\n\ndeny.x := true\n', 'az/deny'],
  ['a rule above', 'package az\n\ndeny[x] := true if some x in ["a"]\n', 'az/deny/a'],
  ['a package', 'package az.sub\n\ndeny := true\n', 'az'],
  ['a package that it imports itself', 'package az\n\nimport data.az\n\ndeny := true\n\nx if az.deny', 'az'],
  ['a rule that another package imports', 'package b\n\nimport data.az.deny\n\nx if deny.y', 'b/x'],
  ['a name with points', 'package a.b\n\ndeny := true\n', 'a.b/deny'],
])('a bundle of WebAssembly whose Rego has %s decides by that', async (_title, text, entrypoint) => {
  const files = { '/az.rego': text, '/.manifest': manifest([''], entrypoint) };
  await withBundle(files, async (at) => {
    expect(await runCommand('eval', '-b', at('b.tar.gz'), '-f', 'raw', '1')).toMatchObject({ exit: 0 });
    await (await Engine.open(at('b.tar.gz'))).close();
  });
});
