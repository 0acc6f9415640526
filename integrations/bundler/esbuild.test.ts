import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, context } from 'esbuild';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { esbuild } from './bundler.js';
import type { RegoOptions } from './options.js';

const app = `import { allow } from './policies/authz.rego';
console.log(JSON.stringify([allow({ user: 'ann' }), allow({ user: 'bob' })]));
`;
const policy = 'package authz\n\ndefault allow := false\n\nallow if input.user in data.admins\n';
const files = { 'app.js': app, 'policies/authz.rego': policy, 'data/data.json': '{"admins": ["ann"]}' };

function settings(directory: string, options: RegoOptions = { data: 'data' }): BuildOptions {
  return {
    absWorkingDir: directory,
    entryPoints: ['app.js'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: 'out.mjs',
    logLevel: 'silent',
    plugins: [esbuild(options)],
  };
}

function run(directory: string, ...flags: string[]) {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, join(directory, 'out.mjs')], { encoding: 'utf8' });
  return { stdout, stderr };
}

test('a policy is bundled with its data', async () => {
  await withFiles(files, async (directory) => {
    await build(settings(directory));
    expect(run(directory)).toEqual({ stdout: '[true,false]\n', stderr: '' });
  });
});

test('an error has its place, its line and its notes', async () => {
  await withFiles({ ...files, 'policies/authz.rego': 'package authz\n\n# é\nallow if "é" == inptu.x\n' }, async (directory) => {
    const failure = (await build(settings(directory)).catch((error: unknown) => error)) as BuildFailure;
    expect(failure.errors).toMatchObject([
      {
        pluginName: 'writ',
        text: 'rego_unsafe_var_error: var inptu is unsafe',
        // Columns are bytes from 0.
        location: { file: 'policies/authz.rego', line: 4, column: 17, length: 5, lineText: 'allow if "é" == inptu.x' },
        notes: [{ text: 'hint: did you mean `input`?' }, { text: 'The plugin "writ" was triggered by this import' }],
      },
    ]);
  });
});

test('a stack leads to the rule in the policy', async () => {
  const failing = 'package authz\n\nallow if {\n\tinput.user == "ann"\n\tprint(1)\n}\n';
  const printing = `import { allow } from './policies/authz.rego';
allow({ user: 'ann' }, { onPrint: () => console.log(new Error('printed').stack) });
`;
  await withFiles({ ...files, 'app.js': printing, 'policies/authz.rego': failing }, async (directory) => {
    await build({ ...settings(directory), sourcemap: true });
    expect(run(directory, '--enable-source-maps').stdout).toContain('/policies/authz.rego:5:');
  });
});

test('a build that watches builds again where another policy, a new one or the data changes', async () => {
  const two = 'package authz\n\nallow if input.user in data.more.users\n';
  await withFiles(files, async (directory) => {
    let ended = Promise.withResolvers<void>();
    const counting = { name: 'counting', setup: (plugin: { onEnd(call: () => void): void }) => plugin.onEnd(() => ended.resolve()) };
    const watching = await context({
      ...settings(directory, { data: 'data', policies: '.' }),
      plugins: [esbuild({ data: 'data', policies: '.' }), counting],
    });
    const change = async (path: string, text: string) => {
      ended = Promise.withResolvers();
      mkdirSync(join(directory, path, '..'), { recursive: true });
      writeFileSync(join(directory, path), text);
      await ended.promise;
      return run(directory).stdout;
    };
    try {
      await watching.watch();
      await ended.promise;
      expect(await change('data/data.json', '{"admins": []}')).toBe('[false,false]\n');
      expect(await change('policies/two.rego', two)).toBe('[false,false]\n');
      expect(await change('policies/more.rego', 'package more\n\nusers contains "bob"\n')).toBe('[false,true]\n');
      expect(await change('policies/more.rego', 'package more\n\nusers contains "ann"\n')).toBe('[true,false]\n');
    } finally {
      await watching.dispose();
    }
  });
});
