import { beforeEach, describe, expect, test } from 'vitest';
import type { PlainObject, Value } from '../../values/value.js';
import { MemoryStore } from '../store/memory.js';
import { KeptResults } from './kept-results.js';
import { noValue } from './rule-memory.js';

const documents = (): PlainObject => ({ a: { b: { n: 1 }, c: 1 }, list: [{ n: 1 }], n: 1 });

function storeOf(data: PlainObject): MemoryStore {
  const store = new MemoryStore({});
  store.apply([{ op: 'write', path: [], value: data, transferred: true }]);
  return store;
}

/** Keeps a result as a rule does that is computed until one is kept. */
function keep(kept: KeptResults, reads: readonly (readonly string[])[], data: Value, value: Value | undefined): void {
  kept.keep(reads, data, value);
  expect(kept.get(reads, data)).toBe(undefined);
  kept.keep(reads, data, value);
}

describe('a result of two documents', () => {
  const reads = [['a', 'b'], ['list']];
  const result = ['result'];
  let kept: KeptResults;
  let store: MemoryStore;
  const known = () => kept.get(reads, store.root);

  beforeEach(() => {
    kept = new KeptResults();
    store = storeOf(documents());
    keep(kept, reads, store.root, result);
  });

  test('is kept for them', () => {
    expect(known()).toBe(result);
    expect(kept.get([['a', 'b'], ['list']], store.root)).toBe(undefined);
    expect(new KeptResults().get(reads, store.root)).toBe(undefined);
    expect(kept.get(reads, documents())).toBe(undefined);
  });

  test('is kept after writes beside them, and after writes that are aborted or fail', () => {
    store.apply([
      { op: 'write', path: ['a', 'c'], value: 2 },
      { op: 'write', path: ['n'], value: 2 },
    ]);
    const transaction = store.begin();
    transaction.write({ op: 'write', path: ['a', 'b', 'n'], value: 2 });
    transaction.abort();
    expect(() =>
      store.apply([
        { op: 'replace', path: ['a', 'b', 'n'], value: 2 },
        { op: 'remove', path: ['none'] },
      ]),
    ).toThrow();
    expect(known()).toBe(result);
  });

  test.each([[['a', 'b', 'n']], [['list', '0', 'n']], [['a', 'b']]])('is dropped by a write to %j', (path) => {
    store.apply([{ op: 'replace', path, value: 3 }]);
    expect(known()).toBe(undefined);
  });

  test('of a version that is held is kept beside that of the next one', () => {
    const held = store.hold();
    store.apply([{ op: 'replace', path: ['a', 'b', 'n'], value: 4 }]);
    expect(known()).toBe(undefined);
    keep(kept, reads, store.root, 'next');
    expect(known()).toBe('next');
    expect(kept.get(reads, held.root)).toBe(result);
    held.release();
  });
});

test('a rule that is undefined has a result', () => {
  const [kept, reads, data] = [new KeptResults(), [['a']], documents()];
  keep(kept, reads, data, undefined);
  expect(kept.get(reads, data)).toBe(noValue);
});

test('a rule that reads no document has one result', () => {
  const [kept, reads] = [new KeptResults(), []];
  keep(kept, reads, {}, 1);
  expect(kept.get(reads, documents())).toBe(1);
});

test('all results together are bounded', () => {
  const kept = new KeptResults();
  const data = documents();
  const large = Array.from({ length: 90_000 }, () => 0);
  const rules = Array.from({ length: 12 }, () => [['a']]);
  for (const reads of rules) keep(kept, reads, data, large);
  expect(rules.filter((reads) => kept.get(reads, data) !== undefined)).toEqual([]);
  keep(kept, rules[0]!, data, large);
  expect(kept.get(rules[0]!, data)).toBe(large);
});
