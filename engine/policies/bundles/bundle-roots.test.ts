import { expect, test } from 'vitest';
import { checkDataOwnership } from './bundle-roots.js';

const bundles = [{ name: 'b', revision: '', roots: ['a b', 'deep/er'] }];

function write(...path: string[]): () => void {
  return () => checkDataOwnership({ data: [{ op: 'write', path, value: 1 }] }, bundles);
}

test('a path within a root, or on the way to one, is told with its segments escaped', () => {
  expect(write('a b', 'c/d')).toThrow('path a%20b/c%2Fd is owned by bundle "b"');
  expect(write('deep')).toThrow('path deep is owned by bundle "b"');
});

test('a path beside the roots is free', () => {
  expect(write('deep', 'other')).not.toThrow();
  expect(write('a')).not.toThrow();
});
