import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VersionedMap } from './versioned-map.js';

const names = ['', 'é', ...Array.from({ length: 300 }, (_, i) => `m${i}`)];
const key = fc.constantFrom(...names);
const changes = fc.array(fc.tuple(key, fc.option(fc.nat(), { nil: undefined })), { maxLength: 10 });
/** Small ones are copied whole, large ones are not. */
const first = fc.oneof(fc.dictionary(key, fc.nat(), { maxKeys: 20 }), fc.dictionary(key, fc.nat(), { minKeys: 150 }));

function expectLike(map: VersionedMap<number>, model: ReadonlyMap<string, number>): void {
  const entries = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
  expect([...map]).toEqual(entries);
  expect([...map.keys()]).toEqual(entries.map(([name]) => name));
  expect([...map.values()]).toEqual(entries.map(([, value]) => value));
  expect(map.size).toBe(model.size);
  for (const name of [...names, 'nowhere']) {
    expect(map.get(name)).toBe(model.get(name));
    expect(map.has(name)).toBe(model.has(name));
  }
}

test('every version is what its own changes make of it, in order, whatever was made of it since', () => {
  fc.assert(
    fc.property(first, fc.array(changes, { maxLength: 8 }), (entries, steps) => {
      const versions = [{ map: VersionedMap.of(Object.entries(entries)), model: new Map(Object.entries(entries)) }];
      for (const step of steps) {
        const { map, model } = versions.at(-1)!;
        const next = new Map(model);
        for (const [name, value] of step) {
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        }
        versions.push({ map: map.with(step), model: next });
      }
      for (const { map, model } of versions) expectLike(map, model);
    }),
  );
});
