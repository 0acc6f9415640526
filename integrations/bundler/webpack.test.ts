import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
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
