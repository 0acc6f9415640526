import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { Engine } from '../engine.js';
import { createContext } from '../shared-context.js';
import { mapKeyOfPath, pathOfKey } from './path-key.js';

const segment = fc.string({ unit: fc.constantFrom('\u0000', '\u0001', 'a', 'b', '/'), maxLength: 4 });
const path = fc.array(segment, { minLength: 1, maxLength: 4 });

test('only equal paths share a key', () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      expect(mapKeyOfPath(one) === mapKeyOfPath(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: randomCases(2000) },
  );
});

test('a key tells its path', () => {
  // The root, and the path of an empty segment, have the empty key.
  const isTold = (one: readonly string[]) => one.length !== 1 || one[0] !== '';
  fc.assert(
    fc.property(path.filter(isTold), (one) => {
      expect(pathOfKey(mapKeyOfPath(one))).toEqual(one);
    }),
    { numRuns: randomCases(2000) },
  );
  expect(pathOfKey(mapKeyOfPath([]))).toEqual([]);
});

test('a document whose name holds a NUL is told from one below another, whichever is asked for first', async () => {
  for (const order of [
    [['p', 'x'], ['p\u0000x']],
    [['p\u0000x'], ['p', 'x']],
  ]) {
    const engine = new Engine({ context: createContext({ host: nodeHost }) });
    await engine.commit({
      policies: new Map([['p', 'package p\n\nx := "rule"\n']]),
      data: [{ op: 'write', path: ['p\u0000x'], value: 'document' }],
    });
    for (const asked of order) expect((await engine.decide(asked, undefined)).value).toBe(asked.length === 2 ? 'rule' : 'document');
  }
});
