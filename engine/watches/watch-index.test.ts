import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DataOperation } from '../../runtime/store/store.js';
import { ReadTree } from './read-tree.js';
import { WatchIndex } from './watch-index.js';

const key = fc.constantFrom('a', 'b', 'c');
const path = fc.array(key, { maxLength: 4 });
/** Reads of an evaluation: the value at a path, its keys, or the path only. */
const read = fc.record({ path, kind: fc.constantFrom('whole', 'keys', 'place') });
const operation: fc.Arbitrary<DataOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'write'), path, value: fc.constant(1) }),
  fc.record({ op: fc.constant('remove' as const), path }),
);

function treeOf(reads: readonly { readonly path: readonly string[]; readonly kind: string }[]): ReadTree {
  const tree = new ReadTree();
  for (const { path, kind } of reads) {
    let node = tree.root;
    for (const segment of path) node = node.at(segment);
    if (kind === 'whole') node.readWhole();
    else if (kind === 'keys') node.readKeys();
  }
  return tree;
}

test('the index finds each watch that a change touches, also after its reads have changed', () => {
  const trees = fc.array(fc.array(read, { maxLength: 4 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(trees, trees, fc.array(operation, { minLength: 1, maxLength: 3 }), (before, now, operations) => {
      const index = new WatchIndex<number>();
      for (const [i, reads] of before.entries()) index.set(i, treeOf(reads).places());
      const known = now.map(treeOf);
      for (const [i, tree] of known.entries()) index.set(i, tree.places());
      for (let i = known.length; i < before.length; i++) index.delete(i);
      const found = new Set<number>();
      for (const { path } of operations) index.addConcerned(path, found);
      const touched = known.flatMap(({ root }, i) => (operations.some((one) => root.isTouchedBy(one)) ? [i] : []));
      expect([...found].filter((i) => i >= known.length)).toEqual([]);
      expect(touched.filter((i) => !found.has(i))).toEqual([]);
    }),
  );
});

test('a change elsewhere finds no watch', () => {
  const index = new WatchIndex<string>();
  index.set('one', [['groups', 'a', 'members']]);
  index.set('two', [['groups', 'b']]);
  const found = new Set<string>();
  index.addConcerned(['groups', 'b', 'members', '0'], found);
  expect([...found]).toEqual(['two']);
  index.delete('two');
  index.addConcerned(['groups', 'b'], found);
  index.addConcerned(['groups'], found);
  expect([...found]).toEqual(['two', 'one']);
});
