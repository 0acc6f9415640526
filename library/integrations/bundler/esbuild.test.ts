import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, context } from 'esbuild';
import { expect, test } from 'vitest';
import { withFiles } from '../../../test/harness/command.js';
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

test('policies share the runtime: another one adds little, and their errors are of one class', async () => {
  const rules =
    'default allow := false\n\nallow if startswith(input.user, "ann")\n\nfails := 1 if input.user == "ann"\n\nfails := 2 if input.user == "ann"\n';
  const using = (...names: readonly string[]) => `${names.map((name) => `import * as ${name} from './policies/${name}.rego';`).join('\n')}
const errors = [${names.join()}].map((policy) => {
  try { return policy.fails({ user: 'ann' }); } catch (error) { return error; }
});
console.log(${names.map((name) => `${name}.allow({ user: 'anna' })`).join()}, errors.every((error) => error instanceof ${names[0]}.$EvaluationError));
`;
  const policies = Object.fromEntries(['a', 'b', 'c'].map((name) => [`policies/${name}.rego`, `package ${name}\n\n${rules}`]));
  await withFiles({ ...policies, 'one.js': using('a'), 'three.js': using('a', 'b', 'c') }, async (directory) => {
    const built = async (entry: string) => {
      const { outputFiles } = await build({ ...settings(directory, {}), entryPoints: [entry], minify: true, write: false });
      writeFileSync(join(directory, 'out.mjs'), outputFiles[0]!.text);
      return { size: outputFiles[0]!.text.length, ...run(directory) };
    };
    const one = await built('one.js');
    const three = await built('three.js');
    expect(one).toMatchObject({ stdout: 'true true\n', stderr: '' });
    expect(three).toMatchObject({ stdout: 'true true true true\n', stderr: '' });
    expect(three.size).toBeLessThan(one.size * 1.2);
  });
});

test('a policy whose patterns need RE2 has it, beside one that does without', async () => {
  const plain = 'package plain\n\nyes if regex.match("^a+$", input.text)\n';
  const given = 'package given\n\nyes if regex.match(input.pattern, input.text)\n';
  const both = `import * as plain from './policies/plain.rego';
import * as given from './policies/given.rego';
console.log(plain.yes({ text: 'aa' }), given.yes({ pattern: '(?i)^A+$', text: 'aa' }));
`;
  await withFiles({ 'app.js': both, 'policies/plain.rego': plain, 'policies/given.rego': given }, async (directory) => {
    const sizeOf = async () =>
      (await build({ ...settings(directory, {}), minify: true, metafile: true })).metafile.outputs['out.mjs']!.bytes;
    const size = await sizeOf();
    expect(run(directory)).toEqual({ stdout: 'true true\n', stderr: '' });
    writeFileSync(join(directory, 'app.js'), both.replace(/^.*given\.rego.*$/m, '').replace(/, given.*\)\)/, ')'));
    expect(await sizeOf()).toBeLessThan(size / 2);
    expect(run(directory)).toEqual({ stdout: 'true\n', stderr: '' });
  });
});
