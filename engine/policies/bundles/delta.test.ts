/** Delta bundles change the documents of the bundle whose roots they name. */
import { expect, test } from 'vitest';
import type { PlainObject } from '../../../values/value.js';
import { type Bundle, emptyBundle } from '../../bundle/bundle.js';
import { emptyManifest } from '../../bundle/manifest.js';
import { Engine } from '../../engine.js';

type Patch = NonNullable<Bundle['patch']>;

async function patched(roots: readonly string[], patch: Patch, data: PlainObject): Promise<unknown> {
  const engine = new Engine();
  const snapshot = { ...emptyBundle, manifest: { ...emptyManifest, roots: ['a', 'b'] }, data };
  await engine.commit({ bundles: new Map([['b', snapshot]]) }, { ignoreRoots: true });
  const delta = { ...emptyBundle, manifest: { ...emptyManifest, revision: '2', roots }, patch };
  await engine.commit({ bundles: new Map([['b', delta]]) }, { ignoreRoots: true });
  return engine.readData(['a']);
}

test.each<[string, Patch, unknown]>([
  ['appended', [{ op: 'upsert', path: '/a/list/-', value: 9 }], { list: [1, 2, 9] }],
  ['inserted', [{ op: 'upsert', path: '/a/list/1', value: 9 }], { list: [1, 9, 2] }],
  ['put behind the last', [{ op: 'upsert', path: '/a/list/2', value: 9 }], { list: [1, 2, 9] }],
  ['replaced', [{ op: 'replace', path: '/a/list/0', value: 9 }], { list: [9, 2] }],
  ['removed', [{ op: 'remove', path: '/a/list/0', value: undefined }], { list: [2] }],
  [
    'appended to a list of the same delta',
    [
      { op: 'upsert', path: '/a/x/y', value: [] },
      { op: 'upsert', path: 'a/x/y/-', value: 1 },
    ],
    { list: [1, 2], x: { y: [1] } },
  ],
  ['a key', [{ op: 'upsert', path: '/a/-', value: 9 }], { list: [1, 2], '-': 9 }],
])('an element is %s', async (_what, patch, expected) => {
  expect(await patched(['b', 'a'], patch, { a: { list: [1, 2] } })).toEqual(expected);
});

test.each([[['a']], [['']], [['a', 'b', 'c']], [['a', 'c']], [[]]])('a delta with the roots %j is refused', async (...[roots]) => {
  await expect(patched(roots as string[], [{ op: 'upsert', path: '/a/x', value: 1 }], { a: {} })).rejects.toThrow('manifest roots');
});
