import { expect, test } from 'vitest';
import { emptyBundle } from '../../../engine/bundle/bundle.js';
import { BundleError } from '../../../engine/bundle/bundle-error.js';
import type { BundleSource, FetchedBundle } from '../../../engine/bundle/bundle-source.js';
import { type FetchedVersion, TrackedSource } from './tracked-source.js';

/** A source whose fetches end when the test says so; `asked` has the etags of all fetches. */
function controlled() {
  const asked: (string | undefined)[] = [];
  const answers: ((found: FetchedBundle | 'unchanged' | BundleError) => void)[] = [];
  const source: BundleSource = {
    location: 'test',
    fetch(etag) {
      asked.push(etag);
      return new Promise((resolve, reject) => {
        answers.push((found) => (found instanceof BundleError ? reject(found) : resolve(found)));
      });
    },
  };
  const answer = async (found: FetchedBundle | 'unchanged' | BundleError) => {
    while (answers.length === 0) await Promise.resolve();
    answers.shift()!(found);
  };
  return { tracked: new TrackedSource(source), asked, answer };
}

function version(etag: string): FetchedBundle {
  const files = new Map([['/data.json', new TextEncoder().encode(JSON.stringify({ etag }))]]);
  return { bundle: { ...emptyBundle, files }, etag, size: undefined, baseDir: undefined };
}

test('each fetch names the version of the one before, until it is forgotten', async () => {
  const { tracked, asked, answer } = controlled();
  for (const found of [version('1'), 'unchanged', version('2')] as const) {
    const fetching = tracked.fetch();
    await answer(found);
    await fetching;
  }
  tracked.forget();
  void tracked.fetch();
  await answer('unchanged');
  expect(asked).toEqual([undefined, '1', '1', undefined]);
});

test.each([
  ['an archive', new BundleError('archive', 'damaged')],
  ['a delta', new BundleError('syntax', 'no patch', '/patch.json')],
])('after a failure to read %s the next fetch names the active version', async (_title, error) => {
  const { tracked, asked, answer } = controlled();
  for (const found of [version('1'), version('2'), error]) {
    const fetching = tracked.fetch();
    await answer(found);
    await fetching.catch(() => undefined);
    if (found !== error && asked.length === 1) tracked.activated('1');
  }
  void tracked.fetch();
  await answer('unchanged');
  expect(asked).toEqual([undefined, '1', '2', '1']);
});

test('a version that is refused has the next fetch name the active one', async () => {
  const { tracked, asked, answer } = controlled();
  tracked.resume('0');
  const fetching = tracked.fetch();
  await answer(version('1'));
  await fetching;
  tracked.refused();
  void tracked.fetch();
  await answer(version('1'));
  expect(asked).toEqual(['0', '0']);
});

test('after a failure the next fetch names no version while none is active', async () => {
  const { tracked, asked, answer } = controlled();
  const first = tracked.fetch();
  await answer(version('1'));
  await first;
  const second = tracked.fetch();
  await answer(new BundleError('not_found', 'gone'));
  await expect(second).rejects.toThrow('gone');
  const third = tracked.fetch();
  await answer(version('1'));
  await third;
  expect(asked).toEqual([undefined, '1', undefined]);
});

test('fetches follow each other, and only the last version is the latest', async () => {
  const { tracked, asked, answer } = controlled();
  const first = tracked.fetch();
  const second = tracked.fetch();
  await answer(version('1'));
  const one = (await first) as FetchedVersion;
  expect(tracked.isLatest(one)).toBe(true);
  await answer(version('2'));
  const two = (await second) as FetchedVersion;
  expect(asked).toEqual([undefined, '1']);
  expect([tracked.isLatest(one), tracked.isLatest(two)]).toEqual([false, true]);
  expect(one.digest).not.toBe(two.digest);
});
