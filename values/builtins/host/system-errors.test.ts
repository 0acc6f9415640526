import { getSystemErrorMap } from 'node:util';
import { expect, test } from 'vitest';
import { networkReason } from './network-errors.js';
import { systemProblem } from './system-errors.js';

/** An error as Node makes it. */
const failed = (code: string, errno: number) =>
  Object.assign(new Error(`${code}: some words, open '/x'`), { code, errno, syscall: 'open', path: '/x' });

const codes = [...getSystemErrorMap()].map(([errno, [code]]) => [code, errno] as const);

test.each(codes)('%s has words, without its code and its call', (code, errno) => {
  const problem = systemProblem(failed(code, errno));
  expect(problem).toMatch(/^\S.*[a-z]/);
  expect(problem).not.toMatch(/\bE[A-Z]{2,}|'/);
});

test.each(codes)('%s has words in an exchange, too', (code, errno) => {
  const reason = networkReason(failed(code, errno));
  expect(reason).not.toMatch(/\bE(?!OF\b)[A-Z]{2,}|'/);
});

test.each([
  ['ENOENT', -2, 'no such file or directory'],
  ['EACCES', -13, 'permission denied'],
  ['EISDIR', -21, 'is a directory'],
  ['ENOTDIR', -20, 'not a directory'],
  ['ELOOP', -40, 'too many levels of symbolic links'],
  ['EMFILE', -24, 'too many open files'],
  ['ENOSPC', -28, 'no space left on device'],
  ['EROFS', -30, 'read-only file system'],
])('%s is told in the words of Go', (code, errno, words) => {
  expect(systemProblem(failed(code, errno))).toBe(words);
});

test('an error that is none of the system keeps its message', () => {
  expect(systemProblem(new Error('the key is too short'))).toBe('the key is too short');
});
