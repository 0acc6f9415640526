import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';

const authz = `package authz

# METADATA
# title: Whether the request is allowed
# schemas:
#   - input: schema.request
default allow := false

allow if input.user in data.authz.admins

deny contains "no user" if not input.user
`;
const files = {
  'policies/authz.rego': authz,
  'policies/authz_test.rego': 'package authz_test\n\nimport data.authz\n\ntest_allow if not authz.allow with input as {}\n',
  'policies/shop/orders.rego': 'package shop.orders\n\nlimit := 3\n\nusable if data.lib.yes\n',
  'policies/data.json': '{"authz": {"admins": ["ann"]}}',
  'lib/lib.rego': 'package lib\n\nyes := true\n',
  'schemas/request.json': '{"type": "object", "properties": {"user": {"type": "string"}}, "required": ["user"]}',
};

test('declarations are written beside the policies, and what is up to date stays', async () => {
  await withFiles(files, async (directory) => {
    const [policies, schemas] = [join(directory, 'policies'), join(directory, 'schemas')];
    const made = [join(policies, 'authz.d.rego.ts'), join(policies, 'shop/orders.d.rego.ts')];
    expect(await runCommand('types', '--schema', schemas, policies)).toEqual({ exit: 0, stdout: `${made.join('\n')}\n`, stderr: '' });
    const text = readFileSync(made[0]!, 'utf8');
    expect(text.split('\n')[0]).toBe('// Made by writ from authz.rego; changes are lost');
    expect(text).toContain(
      '/** Whether the request is allowed */\nexport declare function allow(input: Input, options?: Options): boolean;',
    );
    const { mtimeMs } = statSync(made[0]!);
    writeFileSync(join(policies, 'shop/orders.rego'), 'package shop.orders\n\nlimit := 4\n');
    expect(await runCommand('types', '--schema', schemas, policies)).toEqual({ exit: 0, stdout: `${made[1]}\n`, stderr: '' });
    expect(statSync(made[0]!).mtimeMs).toBe(mtimeMs);
    expect(readdirSync(policies).sort()).toEqual(['authz.d.rego.ts', 'authz.rego', 'authz_test.rego', 'data.json', 'shop']);
  });
});

test('installed packages are left alone, as TypeScript leaves them', async () => {
  const installed = { 'node_modules/p/a.rego': 'package p\n\nx := 1\n', 'app/node_modules/q/b.rego': 'not a policy' };
  await withFiles({ ...installed, 'app/authz.rego': authz.replace(/^# METADATA\n(?:#.*\n)*/m, '') }, async (directory) => {
    const made = join(directory, 'app/authz.d.rego.ts');
    expect(await runCommand('types', directory)).toEqual({ exit: 0, stdout: `${made}\n`, stderr: '' });
  });
});

test('--check writes nothing, and names files that are missing or out of date', async () => {
  await withFiles(files, async (directory) => {
    const policy = join(directory, 'policies/authz.rego');
    const made = join(directory, 'policies/authz.d.rego.ts');
    const stale = { exit: 1, stdout: '', stderr: `${made} is out of date: run writ types\n` };
    expect(await runCommand('types', '--check', policy)).toEqual(stale);
    expect(existsSync(made)).toBe(false);
    await runCommand('types', policy);
    expect(await runCommand('types', '--check', policy)).toEqual({ exit: 0, stdout: '', stderr: '' });
    writeFileSync(policy, `${authz}\nmore := 1\n`);
    expect(await runCommand('types', '--check', policy)).toEqual(stale);
  });
});

test('a file that writ has not made stays, and is an error', async () => {
  await withFiles({ ...files, 'policies/authz.d.rego.ts': 'export {};\n' }, async (directory) => {
    const made = join(directory, 'policies/authz.d.rego.ts');
    const refused = { exit: 1, stdout: '', stderr: `${made}: writ has not made this file, and leaves it as it is\n` };
    expect(await runCommand('types', join(directory, 'policies/authz.rego'))).toEqual(refused);
    expect(await runCommand('types', '--check', join(directory, 'policies/authz.rego'))).toEqual(refused);
    expect(await runCommand('types', '--engine', made, join(directory, 'policies/authz.rego'))).toEqual(refused);
    expect(readFileSync(made, 'utf8')).toBe('export {};\n');
  });
});

test('--data adds policies and data for which nothing is written', async () => {
  await withFiles(files, async (directory) => {
    const [policies, lib] = [join(directory, 'policies/shop'), join(directory, 'lib')];
    expect((await runCommand('types', '--data', lib, policies)).stdout).toBe(`${join(policies, 'orders.d.rego.ts')}\n`);
    writeFileSync(join(lib, 'data.json'), '{"shop": {"orders": {"limit": 1}}}');
    expect(await runCommand('types', '--data', lib, policies)).toMatchObject({ exit: 1, stderr: expect.stringContaining('orders.rego:3') });
  });
});

test('--engine writes one file with the types of all paths', async () => {
  await withFiles(files, async (directory) => {
    const [policies, schemas, made] = [join(directory, 'policies'), join(directory, 'schemas'), join(directory, 'decisions.d.ts')];
    const written = await runCommand('types', '--schema', schemas, '--engine', made, policies);
    expect(written).toEqual({ exit: 0, stdout: `${made}\n`, stderr: '' });
    expect(readdirSync(policies)).not.toContain('authz.d.rego.ts');
    const text = readFileSync(made, 'utf8');
    expect([...text.matchAll(/^ {4}readonly "(.*)": \{$/gm)].map(([, path]) => path)).toEqual([
      'authz/allow',
      'authz/deny',
      'shop/orders/limit',
      'shop/orders/usable',
    ]);
    expect(text).toContain('readonly input: Input;\n      readonly result: boolean;');
    expect(await runCommand('types', '--check', '--schema', schemas, '--engine', made, policies)).toMatchObject({ exit: 0 });
  });
});

test('--engine takes bundles too', async () => {
  await withFiles(files, async (directory) => {
    const [bundle, made] = [join(directory, 'b.tar.gz'), join(directory, 'decisions.d.ts')];
    await runCommand('build', '-o', bundle, join(directory, 'policies'));
    expect(await runCommand('types', '-b', '--engine', made, bundle)).toMatchObject({ exit: 0 });
    expect(readFileSync(made, 'utf8')).toContain('readonly "authz/allow": {');
  });
});

describe('errors', () => {
  test('of policies are shown, and nothing is written', async () => {
    await withFiles({ 'a.rego': 'package a\n\nx := y\n', 'b.rego': 'package b\n' }, async (directory) => {
      const message = `${join(directory, 'a.rego')}:3: rego_unsafe_var_error: var y is unsafe`;
      expect(await runCommand('types', directory)).toEqual({ exit: 1, stdout: '', stderr: `1 error occurred: ${message}\n` });
      const json = await runCommand('types', '-f', 'json', directory);
      expect(JSON.parse(json.stderr)).toMatchObject({ errors: [{ code: 'rego_unsafe_var_error', location: { row: 3 } }] });
      expect(readdirSync(directory)).toEqual(['a.rego', 'b.rego']);
    });
  });

  test('of a folder that takes no files leave nothing behind', async () => {
    await withFiles({ 'a.rego': 'package a\n' }, async (directory) => {
      const engine = join(directory, 'missing/decisions.d.ts');
      const { exit, stderr } = await runCommand('types', '--engine', engine, directory);
      expect({ exit, stderr }).toEqual({ exit: 1, stderr: `open ${engine}: no such file or directory\n` });
    });
  });

  test.each([
    [[], 'specify at least one file or directory of policies'],
    [['-b', 'b.tar.gz'], '--bundle needs --engine'],
    [['--watch', '--check', 'p'], '--check does not go with --watch'],
  ])('of the command line %j', async (args, message) => {
    expect(await runCommand('types', ...args)).toMatchObject({ exit: 1, stderr: expect.stringContaining(message) });
  });
});

test('--watch writes again when a policy changes, also after errors', async () => {
  await withFiles({ 'a.rego': 'package a\n\nx := 1\n' }, async (directory) => {
    const [policy, made] = [join(directory, 'a.rego'), join(directory, 'a.d.rego.ts')];
    const child = spawn(join(import.meta.dirname, '../../bin/writ'), ['types', '--watch', directory]);
    const seen = new Promise<string>((resolve, reject) => {
      let output = '';
      const steps: readonly (readonly [RegExp, () => void])[] = [
        [/Watching/, () => writeFileSync(policy, 'package a\n\nx := y\n')],
        [/var y is unsafe[\s\S]*Watching/, () => writeFileSync(policy, 'package a\n\nx := "later"\n')],
        [/a\.d\.rego\.ts\n[\s\S]*Watching/, () => child.kill('SIGINT')],
      ];
      let done = 0;
      const read = (text: Buffer) => {
        output += text.toString();
        const step = steps[done];
        if (step === undefined || !step[0].test(output)) return;
        done++;
        output = '';
        setTimeout(step[1], 50);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.on('error', reject);
      child.on('exit', () => resolve(readFileSync(made, 'utf8')));
    });
    expect(await seen).toContain('x(input?: unknown, options?: Options): "later";');
  });
});

test('a map of no policies declares nothing', async () => {
  await withFiles({ 'a.rego': 'package a\n' }, async (directory) => {
    const made = join(directory, 'decisions.d.ts');
    await runCommand('types', '--engine', made, directory);
    expect(readFileSync(made, 'utf8')).toContain('interface Decisions {}');
  });
});
