import { expect, test } from 'vitest';
import { emptyBundle } from '../../engine/bundle/bundle.js';
import type { Change } from '../../engine/change.js';
import { parseJson } from '../../values/json/json.js';
import type { PlainObject } from '../../values/value.js';
import { fromWire, toWire } from './wire-change.js';

/** As it arrives in another process. */
const sent = (change: Change) => fromWire(structuredClone(toWire(change, 0)));

test('policies, documents and bundles arrive as they were, no digit lost', () => {
  const big = parseJson('{"n": 12345678901234567890, "e": 1e400, "__proto__": [1.10]}') as PlainObject;
  const place = { path: '/b/p.rego', url: 'b.tar.gz/p.rego', bundlePath: '/p.rego' };
  const bundle = {
    ...emptyBundle,
    manifest: { revision: 'r', roots: ['a'], wasm: [], metadata: big, fileRegoVersions: new Map([['/p.rego', 0]]) },
    data: { a: big },
    modules: [{ ...place, text: 'package p', bytes: new Uint8Array() }],
    plans: [{ ...place, policy: { static: { strings: [] } } }],
    etag: '"1"',
  };
  const delta = {
    ...emptyBundle,
    patch: [
      { op: 'upsert', path: '/a/n', value: big },
      { op: 'remove', path: '/a/m', value: undefined },
    ],
  };
  const change: Change = {
    policies: new Map([
      ['p', 'package p'],
      ['q', undefined],
    ]),
    files: new Map([['p', '/tmp/p.rego']]),
    data: [
      { op: 'write', path: ['x', 'y'], value: big, transferred: true },
      { op: 'remove', path: ['z'] },
    ],
    bundles: new Map<string, NonNullable<Change['bundles']> extends ReadonlyMap<string, infer B> ? B : never>([
      ['b', bundle],
      ['d', delta],
      ['gone', undefined],
    ]),
    bundlesTransferred: true,
  };
  expect(sent(change)).toEqual(change);
});

test('a change of documents alone has no bundles', () => {
  expect(sent({ data: [{ op: 'remove', path: ['x'] }] }).bundles).toBeUndefined();
});
