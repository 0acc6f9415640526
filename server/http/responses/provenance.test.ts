import { expect, test } from 'vitest';
import { provenance } from './provenance.js';

const build = Object.fromEntries(
  ['version', 'build_commit', 'build_timestamp', 'build_host', 'build_hostname'].map((name) => [name, expect.any(String)]),
);

test('without bundles there is only what was built', () => {
  expect(provenance([])).toEqual(build);
});

test('each bundle tells its revision, an empty one where its manifest has none', () => {
  const bundles = [
    { name: 'a', revision: 'r1', roots: ['a'] },
    { name: 'b', revision: '', roots: ['b'] },
  ];
  expect(provenance(bundles)).toEqual({ ...build, bundles: { a: { revision: 'r1' }, b: { revision: '' } } });
});
