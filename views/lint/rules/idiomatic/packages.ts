/** Packages and their directories; entrypoints. */

import { between } from '../../frame/lint-file.js';
import type { LintRule } from '../../frame/lint-rule.js';

export const packageRules: readonly LintRule[] = [
  {
    name: 'directory-package-mismatch',
    category: 'idiomatic',
    finds: 'The directories of the file do not end in the path of its package',
    options: { 'exclude-test-suffix': true },
    isFixable: true,
    unless: ({ isStdin }) => (isStdin ? 'standard input has no directory' : undefined),
    visit: ({ file, options, report }) => ({
      package: ({ path }) => {
        const wanted = directoriesOf(file.packagePath, options['exclude-test-suffix'] === true);
        const directories = file.path.split('/').slice(0, -1);
        const end = directories.slice(-wanted.length);
        if (wanted.length !== end.length || wanted.some((part, i) => part !== end[i]))
          report(between(path[1]!.loc, path.at(-1)!.loc));
      },
    }),
  },
  {
    name: 'no-defined-entrypoint',
    category: 'idiomatic',
    finds: 'No rule and no package is marked as an entrypoint',
    collect: ({ module }) => module.annotations.some(({ entrypoint }) => entrypoint),
    conclude: (files, { report }) => {
      if (!files.some(({ facts }) => facts === true)) report(undefined, undefined);
    },
  },
];

/** The directories that a package wants; tests stand beside what they test. */
export function directoriesOf(path: readonly string[], dropsTestSuffix: boolean): readonly string[] {
  const last = path.at(-1) ?? '';
  return dropsTestSuffix ? [...path.slice(0, -1), last.replace(/_test$/, '')] : path;
}
