import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../../test/harness/command.js';
import { Project } from './project.js';
import { webpackLoad } from './webpack.js';

const files = {
  'authz.rego': 'package authz\n\nallow if data.lib.ok\n',
  'lib/lib.rego': 'package lib\n\nok if input.x\n',
  'dist/assets/copied.rego': 'package copied\n\nx := 1\n',
};

test.each([
  ['beside the policies', '../out', ['', 'dist', 'dist/assets', 'lib']],
  ['below the policies', 'dist', ['lib']],
  ['deep below the policies', 'dist/assets', ['lib']],
  ['with a name that begins alike', 'li', ['dist', 'dist/assets', 'lib']],
  ['not known', undefined, ['', 'dist', 'dist/assets', 'lib']],
])('folders that a watcher follows, with the output %s', (_title, output, watched) =>
  withFiles(files, async (directory) => {
    const folders: string[] = [];
    const dependencies: string[] = [];
    const loaderContext = {
      addDependency: (file: string) => void dependencies.push(relative(directory, file)),
      addContextDependency: (folder: string) => void folders.push(relative(directory, folder)),
      emitWarning: (warning: Error) => expect(warning).toBeUndefined(),
      ...(output !== undefined && { _compiler: { outputPath: join(directory, output) } }),
    };
    const load = webpackLoad(new Project(directory, {}));
    load.call({ getNativeBuildContext: () => ({ loaderContext }) } as never, join(directory, 'authz.rego'));
    expect(folders.toSorted()).toEqual(watched);
    expect(dependencies).toContain('authz.rego');
  }),
);

test('a module that is replaced keeps its last version while the policy has an error', () =>
  withFiles(files, async (directory) => {
    const emitted: string[] = [];
    const loaderContext = {
      hot: true,
      addDependency() {},
      addContextDependency() {},
      emitError: (error: Error) => void emitted.push(error.message),
    };
    const load = webpackLoad(new Project(directory, {}));
    const policy = join(directory, 'authz.rego');
    const loaded = (hot: boolean) =>
      load.call({ getNativeBuildContext: () => ({ loaderContext: { ...loaderContext, hot } }) } as never, policy);
    const good = loaded(true);
    writeFileSync(policy, 'package authz\n\nallow if inptu.x\n');
    expect(loaded(true)).toEqual(good);
    expect(emitted).toEqual([expect.stringMatching(/^authz\.rego:3:10: rego_unsafe_var_error: var inptu is unsafe\n/)]);
    expect(() => loaded(false)).toThrow('authz.rego:3:10: rego_unsafe_var_error: var inptu is unsafe');
    writeFileSync(policy, files['authz.rego'].replace('ok', 'yes'));
    expect(loaded(true)).not.toEqual(good);
  }));
