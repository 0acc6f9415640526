import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDirectory } from './make-directory.js';

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'writ-made-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('a directory is made with those above it, and may be there', () => {
  const path = join(temporary(), 'a/b/../c');
  makeDirectory(path, 0o700);
  makeDirectory(path, 0o700);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test('a link to a directory is one', () => {
  const directory = temporary();
  symlinkSync(directory, join(directory, 'link'));
  makeDirectory(join(directory, 'link/x'));
  expect(statSync(join(directory, 'x')).isDirectory()).toBe(true);
});

test('a file in its place, and one above it, are errors', () => {
  const file = join(temporary(), 'file');
  writeFileSync(file, '');
  expect(() => makeDirectory(file)).toThrow('EEXIST');
  expect(() => makeDirectory(join(file, 'x'))).toThrow(/EEXIST|ENOTDIR/);
});

test.runIf(process.platform === 'linux')('where the system makes no directories, it is an error at once', () => {
  expect(() => makeDirectory('/proc/writ/x')).toThrow('ENOENT');
});
