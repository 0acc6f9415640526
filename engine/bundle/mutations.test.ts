import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tarOf } from '../../test/harness/archives.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { BundleError } from './bundle-error.js';
import { inflateByZlib } from './disk/gunzip.js';
import { readArchive } from './read.js';

const tar = await tarOf([
  ['/.manifest', '{"revision":"r","roots":["a"]}'],
  ['/a/data.json', '{"b":[1,2,3]}'],
  ['/a/p.rego', 'package a\n'],
  ['/plan.json', '{"static":{},"plans":{"plans":[]}}'],
]);
const archive = gzipSync(tar);

/** Bytes of a text changed, cut, or repeated. */
function damaged(bytes: Uint8Array) {
  const change = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
  return fc.tuple(fc.array(change, { minLength: 1, maxLength: 8 }), fc.option(fc.nat(bytes.length))).map(([changes, length]) => {
    const copy = Uint8Array.from(bytes);
    for (const [at, value] of changes) copy[at] = value;
    return length === null ? copy : copy.subarray(0, length);
  });
}

async function expectAnswer(bytes: Uint8Array): Promise<void> {
  try {
    await readArchive(bytes, { inflate: inflateByZlib, limits: { size: 1_000_000 } });
  } catch (error) {
    expect(error).toBeInstanceOf(BundleError);
  }
}

test('a damaged archive is read or refused with a BundleError, never worse', async () => {
  await fc.assert(fc.asyncProperty(damaged(archive), expectAnswer), { numRuns: randomCases(500) });
});

test('so is an archive of a damaged tar', async () => {
  await fc.assert(
    fc.asyncProperty(damaged(tar), (bytes) => expectAnswer(gzipSync(bytes))),
    { numRuns: randomCases(1000) },
  );
});
