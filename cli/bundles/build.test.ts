import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { debugInfoOf } from '../../engine/bundle/debug-info-file.js';
import { readBundle } from '../../engine/bundle/disk/file-source.js';
import { Addresses } from '../../ir-schema/address.js';
import { DebugIndex, type IndexedExpression } from '../../ir-schema/debug-index.js';
import type { Policy } from '../../ir-schema/plan.js';
import { Engine } from '../../library/index.js';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { nodeHost } from '../../values/builtins/host/node.js';

const policy = `package authz

# METADATA
# entrypoint: true
allow if input.user in data.admins

deny if not allow

limit := 3
`;
const files = { 'p.rego': policy, 'data.json': '{"admins": ["ann"]}' };
const allowed = async (engine: Engine, path: string) => (await engine.decideAsync(path, { user: 'ann' })).result;

test('a bundle holds modules, data, a manifest and the plan', async () => {
  await withFiles(files, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    expect(await runCommand('build', '-t', 'plan', '-r', 'r1', '-o', out, join(dir, 'p.rego'), join(dir, 'data.json'))).toMatchObject({
      exit: 0,
      stdout: '',
    });
    const bundle = await readBundle(out);
    expect(bundle.manifest).toMatchObject({ revision: 'r1', roots: [''], regoVersion: 1 });
    expect(bundle.data).toEqual({ admins: ['ann'] });
    expect(bundle.modules.map(({ bundlePath }) => bundlePath)).toEqual([`${dir}/p.rego`]);
    const engine = await Engine.open([{ ...bundle, modules: [] }]);
    // A rule that reads an entrypoint is an entrypoint as well.
    expect(engine.entrypoints).toEqual(['authz/allow', 'authz/deny']);
    expect(await allowed(engine, 'authz/allow')).toBe(true);
  });
});

test('the same sources give the same bytes', async () => {
  await withFiles(files, async (dir) => {
    const outs = [join(dir, 'a.tar.gz'), join(dir, 'b.tar.gz')];
    for (const out of outs) await runCommand('build', '-t', 'plan', '-o', out, join(dir, 'p.rego'));
    expect(readFileSync(outs[0]!)).toEqual(readFileSync(outs[1]!));
  });
});

test('a plan alone has the requested entrypoints, and lists the rules that it does not need', async () => {
  await withFiles(files, async (dir) => {
    const out = join(dir, 'plan.json');
    await runCommand(
      'build',
      '-t',
      'plan',
      '-e',
      'authz/allow',
      '--prune-unused',
      '--plan-addons=unplanned_rules',
      '-o',
      out,
      join(dir, 'p.rego'),
    );
    const plan = JSON.parse(readFileSync(out, 'utf8')) as { plans: { plans: { name: string }[] }; unplanned_rules: { path: string }[] };
    expect(plan.plans.plans.map(({ name }) => name)).toEqual(['authz/allow']);
    expect(plan.unplanned_rules.map(({ path }) => path)).toEqual(['authz/deny', 'authz/limit']);
  });
});

test('a bundle of bundles keeps their manifests, and says which files are of another version', async () => {
  const sources = {
    'a/.manifest': '{"roots": ["a"], "rego_version": 0, "metadata": {"k": "v"}}',
    'a/a.rego': 'package a\np { true }\n',
    'b/.manifest': '{"roots": ["b"]}',
    'b/b.rego': 'package b\np if true\n',
  };
  await withFiles(sources, async (dir) => {
    const one = join(dir, 'one.tar.gz');
    expect(await runCommand('build', '-b', '-o', one, join(dir, 'a'))).toMatchObject({ exit: 0 });
    expect((await readBundle(one)).manifest).toMatchObject({ roots: ['a'], regoVersion: 0, metadata: { k: 'v' } });
    const both = join(dir, 'both.tar.gz');
    expect(await runCommand('build', '-b', '-o', both, join(dir, 'a'), join(dir, 'b'))).toMatchObject({ exit: 0 });
    const { manifest } = await readBundle(both);
    expect(manifest).toMatchObject({ roots: ['a', 'b'], regoVersion: 1 });
    expect([...manifest.fileRegoVersions!]).toEqual([[`${dir}/a/a.rego`, 0]]);
    expect(await runCommand('eval', '-f', 'raw', '-b', both, 'data.a.p')).toMatchObject({ exit: 0, stdout: 'true\n' });
  });
});

test('a bundle is signed, and verified when it is read', async () => {
  await withFiles({ 'b/p.rego': policy }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const sign = ['--signing-key', 'secret', '--signing-alg', 'HS256'];
    expect(await runCommand('build', '-b', ...sign, '-o', out, join(dir, 'b'))).toMatchObject({ exit: 0 });
    const verify = (key: string) =>
      readBundle(out, { crypto: nodeHost.crypto, verification: { keys: { default: { key, algorithm: 'HS256' } }, keyId: 'default' } });
    await verify('secret');
    await expect(verify('other')).rejects.toThrow('failed to verify JWT signature');
    const again = await runCommand(
      'build',
      '-b',
      '--verification-key',
      'other',
      '--signing-alg',
      'HS256',
      '-o',
      join(dir, 'x.tar.gz'),
      out,
    );
    expect(again).toMatchObject({ exit: 1, stdout: expect.stringContaining('error: load error: ') });
  });
});

test('modules are formatted, and compile to the same plan', async () => {
  await withFiles({ 'p.rego': 'package   p\nx:=1\ny if{x==1}\n' }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    await runCommand('build', '-o', out, join(dir, 'p.rego'));
    expect((await readBundle(out)).modules[0]!.text).toBe('package p\n\nx := 1\ny if x == 1\n');
  });
});

test('debug output shows the sizes of the plan', async () => {
  await withFiles(files, async (dir) => {
    const done = await runCommand('build', '-t', 'plan', '--debug', '-o', join(dir, 'x.tar.gz'), join(dir, 'p.rego'));
    expect(done.stderr).toMatch(/planned 2 entrypoints: \d+ statements in \d+ functions\n/);
  });
});

test('a path that is named twice is read once', async () => {
  await withFiles({ 'b/p.rego': policy }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const file = join(dir, 'b/p.rego');
    expect(await runCommand('build', '-o', out, file, file)).toMatchObject({ exit: 0 });
    expect((await readBundle(out)).modules).toHaveLength(1);
    expect(await runCommand('build', '-b', '-o', out, join(dir, 'b'), join(dir, 'b'))).toMatchObject({ exit: 0 });
    expect((await readBundle(out)).modules).toHaveLength(1);
    const evaluated = await runCommand('eval', '-f', 'raw', '-b', join(dir, 'b'), '-b', join(dir, 'b'), 'data.authz.limit');
    expect(evaluated).toEqual({ exit: 0, stdout: '3\n', stderr: '' });
  });
});

test('the entrypoints of tests are planned only if they are named', async () => {
  const tests = `package authz_test

import data.authz

# METADATA
# entrypoint: true
report := authz.allow

# METADATA
# entrypoint: true
unrelated := 7

test_deny if authz.deny
`;
  await withFiles({ ...files, 'p_test.rego': tests }, async (dir) => {
    const out = join(dir, 'plan.json');
    const planned = async (...flags: string[]) => {
      expect(await runCommand('build', '-t', 'plan', '-o', out, ...flags, join(dir, 'p.rego'), join(dir, 'p_test.rego'))).toMatchObject({
        exit: 0,
      });
      return (JSON.parse(readFileSync(out, 'utf8')) as { plans: { plans: { name: string }[] } }).plans.plans.map(({ name }) => name).sort();
    };
    expect(await planned('-e', 'authz/deny')).toEqual(['authz/allow', 'authz/deny']);
    expect(await planned('-e', 'authz_test/report', '--prune-unused')).toEqual(['authz/allow', 'authz_test/report']);
  });
});

test('conditions that optimizing makes rules are in the package of --partial-namespace', async () => {
  const text = 'package t\n\nallow if {\n\tinput.user\n\tnot blocked\n}\n\nblocked if {\n\tsome x in input.roles\n\tx == input.bad\n}\n';
  await withFiles({ 'p.rego': text }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const args = ['-O', '2', '-e', 't/allow', '--partial-namespace', 'left', '-o', out, join(dir, 'p.rego')];
    expect(await runCommand('build', ...args)).toMatchObject({ exit: 0, stdout: '' });
    const bundle = await readBundle(out);
    const texts = bundle.modules.map((module) => module.text).join('\n');
    expect(texts).toContain('package left');
    expect(texts).toContain('data.left.');
    expect(texts).not.toContain('partial');
    const engine = await Engine.open([bundle]);
    expect((await engine.decideAsync('t/allow', { user: 1, roles: ['a'], bad: 'b' })).result).toBe(true);
    expect((await engine.decideAsync('t/allow', { user: 1, roles: ['a', 'b'], bad: 'b' })).result).toBeUndefined();
  });
});

test('errors are JSON on request', async () => {
  await withFiles({ 'p.rego': 'package p\n\nx := y\n' }, async (dir) => {
    const { exit, stdout } = await runCommand('build', '--format', 'json', '-o', join(dir, 'x.tar.gz'), join(dir, 'p.rego'));
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      errors: [{ message: 'var y is unsafe', code: 'rego_unsafe_var_error', location: { file: join(dir, 'p.rego'), row: 3, col: 6 } }],
    });
    expect((await runCommand('build', join(dir, 'p.rego'))).stdout).toMatch(/^error: 1 error occurred: /);
  });
});

describe('debug information', () => {
  const build = async (dir: string, ...args: readonly string[]) => {
    const out = join(dir, 'out.tar.gz');
    expect(await runCommand('build', '-t', 'plan', '-o', out, join(dir, 'p.rego'), join(dir, 'data.json'), ...args)).toMatchObject({
      exit: 0,
    });
    return await readBundle(out);
  };
  const sha256 = (bytes: Uint8Array) => nodeHost.crypto!.hashHex('sha256', bytes);

  test('is beside the plan, names it, and the plan is the same without it', async () => {
    await withFiles(files, async (dir) => {
      const plain = await build(dir);
      const bundle = await build(dir, '--debug-info');
      expect([...bundle.files.keys()].filter((path) => path.endsWith('debug.json'))).toEqual(['/debug.json']);
      expect(bundle.plans[0]!.bytes).toEqual(plain.plans[0]!.bytes);
      const info = debugInfoOf(bundle.plans[0]!, sha256)!;
      expect(info.plan).toBe(sha256(bundle.plans[0]!.bytes!));
      expect(info.sources).toEqual([{ file: join(dir, 'p.rego'), sha256: sha256(new TextEncoder().encode(policy)) }]);
      expect(bundle.data).toEqual({ admins: ['ann'] });
      const engine = await Engine.open([{ ...bundle, modules: [] }]);
      expect(await allowed(engine, 'authz/allow')).toBe(true);
    });
  });

  test('has texts on request', async () => {
    await withFiles(files, async (dir) => {
      const info = debugInfoOf((await build(dir, '--debug-info=sources')).plans[0]!, sha256)!;
      expect(info.sources.map(({ text }) => text)).toEqual([policy]);
    });
  });

  test('a bundle that is built again keeps it', async () => {
    await withFiles(files, async (dir) => {
      await build(dir, '--debug-info');
      const again = join(dir, 'again.tar.gz');
      await runCommand('build', '-b', '-o', again, join(dir, 'out.tar.gz'));
      const [plan] = (await readBundle(again)).plans;
      expect(debugInfoOf(plan!, sha256)?.owners.length).toBeGreaterThan(0);
    });
  });

  test('is a file beside a plan alone', async () => {
    await withFiles(files, async (dir) => {
      for (const [out, beside] of [
        ['plan.json', 'debug.json'],
        ['x.json', 'x.debug.json'],
      ]) {
        await runCommand('build', '-t', 'plan', '--debug-info', '-o', join(dir, out!), join(dir, 'p.rego'));
        expect(JSON.parse(readFileSync(join(dir, beside!), 'utf8'))).toMatchObject({ version: 1 });
      }
    });
  });

  test.each([
    ['another plan', { plan: '00' }, /that of another plan/],
    ['a newer version', { version: 2 }, /unknown version: 2/],
    ['other tables', { owners: [{ kind: 'plan', name: 'x', runs: [[1, 2]], names: [] }] }, /wrong owners/],
    ['no tables', { expressions: undefined }, /wrong expressions/],
  ])('of %s is refused', async (_title, change, message) => {
    await withFiles(files, async (dir) => {
      const [plan] = (await build(dir, '--debug-info')).plans;
      const changed = { ...(JSON.parse(new TextDecoder().decode(plan!.debugInfo)) as object), ...change };
      expect(() => debugInfoOf({ ...plan!, debugInfo: new TextEncoder().encode(JSON.stringify(changed)) }, sha256)).toThrow(message);
    });
  });

  test.each(['--debug-info', '--plan-locals=unique'])('%s needs a plan', async (flag) => {
    expect(await runCommand('build', flag, 'x')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('needs --target plan') as string,
    });
  });

  test.each(['1', '2'])('with -O %s expressions of generated files have the place that they come from', async (level) => {
    const sources = {
      'p.rego':
        'package authz\n\n# METADATA\n# entrypoint: true\nallow if {\n\tdata.lib.ok(input.user)\n\trole := input.role\n\trole == "admin"\n}\n\nkept if input.z\n\nuses if {\n\tkept\n\tallow\n}\n',
      'lib.rego': 'package lib\n\nok(u) if {\n\tu.active\n\tnot u.blocked\n}\n',
    };
    await withFiles(sources, async (dir) => {
      const out = join(dir, 'out.tar.gz');
      await runCommand(
        'build',
        '-t',
        'plan',
        '-O',
        level,
        '-e',
        'authz/allow',
        '-e',
        'authz/kept',
        '--debug-info=sources',
        '-o',
        out,
        join(dir, 'p.rego'),
        join(dir, 'lib.rego'),
      );
      const bundle = await readBundle(out);
      const info = debugInfoOf(bundle.plans[0]!, sha256)!;
      const index = new DebugIndex(info, new Addresses(bundle.plans[0]!.policy as Policy));
      const all = info.expressions.map((_, i) => index.expression(i)!);
      const generated = all.filter(({ file }) => file.startsWith('/optimized/'));
      for (const { source, path, origin } of info.rules) {
        if (info.sources[source]!.generated === true) expect(info.rules[origin!]).toMatchObject({ path });
      }
      expect(generated.filter(({ origin }) => origin !== undefined).length).toBeGreaterThan(2);
      for (const { origin } of generated)
        if (origin !== undefined) expect(Object.keys(sources).map((name) => join(dir, name))).toContain(origin.file);
      const textOf = ({ file, range: [row, col, , end] }: IndexedExpression) =>
        info.sources
          .find((source) => source.file === file)!
          .text!.split('\n')
          [row - 1]!.slice(col - 1, end - 1);
      const origins = new Set(generated.flatMap(({ origin }) => (origin === undefined ? [] : [textOf(origin)])));
      expect([...origins]).toEqual(expect.arrayContaining(['u.active', 'not u.blocked', 'role := input.role', 'input.z']));
    });
  });
});

test('--plan-locals unique numbers no local twice', async () => {
  await withFiles(files, async (dir) => {
    const targets = async (...args: readonly string[]) => {
      const out = join(dir, 'plan.json');
      await runCommand('build', '-t', 'plan', ...args, '-o', out, join(dir, 'p.rego'));
      const { funcs } = JSON.parse(readFileSync(out, 'utf8')) as Policy;
      return funcs!.funcs!.map((func) => func.return);
    };
    const unique = await targets('--plan-locals', 'unique');
    expect(new Set(unique).size).toBe(unique.length);
    expect(new Set(await targets()).size).toBe(1);
  });
});

test.each([
  [
    'that nothing has',
    'authz/alow',
    'warning: unresolved-entrypoint: entrypoint "authz/alow" does not refer to a rule or policy decision\nhint: did you mean "authz/allow"?\n',
  ],
  ['that nothing is like', 'authz/other', ''],
  ['that a rule has', 'authz/allow', ''],
  ['that a document has', 'users', ''],
])('a bundle of policies with an entrypoint %s', async (_title, entrypoint, stderr) => {
  const files = { 'authz.rego': 'package authz\n\nallow if input.a\n', 'data.json': '{"users": {}}' };
  await withFiles(files, async (dir) => {
    const built = await runCommand('build', '-e', entrypoint, '-o', `${dir}/b.tar.gz`, dir);
    expect(built).toEqual({ exit: 0, stdout: '', stderr });
  });
});
