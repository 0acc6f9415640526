import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../../test/harness/command.js';
import { rollup } from './bundler.js';
import type { BuildOptions } from './rollup.js';

const files = {
  'authz.rego': 'package authz\n\nallow if data.lib.ok\n',
  'lib/lib.rego': 'package lib\n\nok if input.x\n',
  'dist/assets/copied.rego': 'package copied\n\nx := 1\n',
};

interface Plugin {
  options(options: BuildOptions): void;
  readonly load: { handler(this: object, id: string): object };
}

test.each<readonly [string, BuildOptions['output'], readonly string[]]>([
  ['none', undefined, ['', 'dist', 'dist/assets', 'lib']],
  ['a folder', { dir: 'dist' }, ['lib']],
  ['a file', { file: 'dist/app.js' }, ['dist/assets', 'lib']],
  ['a file beside the policies', { file: 'app.js' }, ['dist', 'dist/assets', 'lib']],
  ['two', [{ dir: 'dist/assets' }, { file: 'lib/app.js' }], []],
  ['one elsewhere', { dir: '../dist' }, ['', 'dist', 'dist/assets', 'lib']],
])('folders that a watcher follows, with the output %s', (_title, output, watched) =>
  withFiles(files, async (directory) => {
    const paths: string[] = [];
    const plugin = rollup({}) as unknown as Plugin;
    plugin.options({ cwd: directory, ...(output && { output }) });
    plugin.load.handler.call({ addWatchFile: (path: string) => void paths.push(relative(directory, path)) }, join(directory, 'authz.rego'));
    expect(paths).toEqual(expect.arrayContaining(['authz.rego', 'lib/lib.rego']));
    expect(paths.filter((path) => !path.endsWith('.rego')).toSorted()).toEqual(watched);
  }),
);
