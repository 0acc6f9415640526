import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { allAtOnce } from '../../../values/steps.js';
import { treeFiles, versionAt } from './file-tree.js';

test('files are listed in the order of their names, directories among them', () => {
  const directory = writeFiles(temporaryDirectory(), { 'b.json': '', 'a/z': '', 'a/b/c': '', 'a.json': '', 'c/.x': '', 'c/d': '' });
  const names = allAtOnce(treeFiles(directory, (name) => name === '.x')).map(({ name }) => name);
  expect(names).toEqual(['/a/b/c', '/a/z', '/a.json', '/b.json', '/c/d']);
});

test('versions differ where files do, and not otherwise', () => {
  const version = (path: string) => allAtOnce(versionAt(path));
  const directory = writeFiles(temporaryDirectory(), { 'a/b': '1' });
  const first = version(directory);
  expect(version(directory)).toBe(first);
  writeFiles(directory, { 'a/b': '12' });
  const second = version(directory);
  expect(second).not.toBe(first);
  writeFiles(directory, { 'a/c': '' });
  expect(version(directory)).not.toBe(second);
  expect(version(join(directory, 'nosuch'))).toBe(version(join(directory, 'nosuch')));
});
