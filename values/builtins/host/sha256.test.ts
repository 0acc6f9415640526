import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.js';

const megabyte = 1024 * 1024;

test.each([
  ['nothing', []],
  ['short parts', [Buffer.from('a'), Buffer.from(''), Buffer.from('bc')]],
  ['long parts', [Buffer.alloc(megabyte + 1, 1), Buffer.from('x'), Buffer.alloc(3 * megabyte - 7, 2)]],
])('the digest of %s is that of all bytes together', async (_what, parts) => {
  const expected = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  expect((await sha256(parts)).toString('hex')).toBe(expected);
});
