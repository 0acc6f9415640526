import { expect, test } from 'vitest';
import { capabilitiesOf } from './capabilities.js';
import { builtins } from './registry.js';
import { releaseCapabilities, releases } from './releases.js';

const namesOf = (version: string): string[] => releaseCapabilities(version, 1)!.builtins.map(({ name }) => name);

test('each release has the built-ins of the release before it', () => {
  let before: readonly string[] = [];
  for (const version of releases()) {
    const names = namesOf(version);
    expect(names).toEqual(expect.arrayContaining([...before]));
    before = names;
  }
  expect(before).toEqual([...builtins.keys()].sort());
});

// A wrong name in the table of releases would be a built-in of the first one.
test('the first release has the built-ins that the documentation gives no release', () => {
  expect(namesOf('v0.17.0')).toHaveLength(125);
});

test.each([
  ['v0.41.0', 'units.parse', true],
  ['v0.40.0', 'units.parse', false],
  ['v0.70.0', 'array.flatten', false],
  ['v1.13.2', 'array.flatten', true],
])('%s and %s: %s', (version, name, has) => {
  expect(namesOf(version).includes(name)).toBe(has);
});

test.each([
  ['v0.17.0', 1, [], []],
  ['v0.46.3', 1, ['contains', 'every', 'if', 'in'], ['rule_head_ref_string_prefixes']],
  ['v1.5.0', 1, [], ['rego_v1']],
  ['v1.20.1', 1, ['and', 'not', 'or'], ['keywords_in_refs', 'rego_v1', 'template_strings']],
  ['v1.5.0', 0, ['contains', 'every', 'if', 'in'], ['rego_v1', 'rego_v1_import', 'rule_head_ref_string_prefixes', 'rule_head_refs']],
] as const)('%s for version %d of the language has the keywords %j and the features %j', (version, regoVersion, keywords, features) => {
  expect(releaseCapabilities(version, regoVersion)).toMatchObject({ future_keywords: keywords, features });
});

test.each([0, 1] as const)('the last release is this one, for version %d of the language', (version) => {
  expect(releaseCapabilities(releases().at(-1)!, version)).toEqual(capabilitiesOf(builtins.values(), version));
});

test.each(['v0.16.0', 'v1.22.0', 'v1.21.1', 'v1.5', '1.5.0', 'v1.5.0-rc1', ''])('there is no release %j', (version) => {
  expect(releaseCapabilities(version, 1)).toBeUndefined();
});
