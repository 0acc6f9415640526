import { expect, test } from 'vitest';
import type { PlainObject } from '../../../values/value.js';
import { mergedConfig } from './merged-config.js';

const boot: PlainObject = {
  services: [{ name: 's', url: 'http://s' }],
  labels: { region: 'west' },
  keys: { k: { key: 'x' } },
  discovery: { resource: 'd' },
};

test('the discovered configuration adds to that of the start', () => {
  const discovered = { bundles: { b: {} }, labels: { app: 'a' }, services: { t: { url: 'http://t' } }, default_decision: '/a' };
  expect(mergedConfig(boot, discovered)).toEqual({
    config: {
      services: { s: { name: 's', url: 'http://s' }, t: { url: 'http://t' } },
      labels: { region: 'west', app: 'a' },
      keys: { k: { key: 'x' } },
      discovery: { resource: 'd' },
      bundles: { b: {} },
      default_decision: '/a',
    },
    overridden: [],
  });
});

test('where both have a value, that of the start counts, and the other is named', () => {
  const { config, overridden } = mergedConfig(
    { ...boot, status: { console: true } },
    { labels: { region: 'east' }, status: { console: false } },
  );
  expect(config).toMatchObject({ labels: { region: 'west' }, status: { console: true } });
  expect(overridden).toEqual(['labels.region', 'status.console']);
});

test('a discovered section of discovery has no effect, and is named', () => {
  const { config, overridden } = mergedConfig(boot, { discovery: { resource: 'other', persist: true }, labels: { app: 'a' } });
  expect(config).toMatchObject({ discovery: boot.discovery, labels: { app: 'a' } });
  expect(overridden).toEqual(['discovery']);
  expect(mergedConfig(boot, { discovery: boot.discovery! }).overridden).toEqual([]);
});

test.each([
  [{ services: { s: { url: 'http://evil' } } }, 'updates to the service "s", which the start has configured, are not allowed'],
  [{ keys: { k: { key: 'y' } } }, 'updates to the key "k", which the start has configured, are not allowed'],
])('%j is refused', (discovered: PlainObject, message) => {
  expect(() => mergedConfig(boot, discovered)).toThrow(message);
});
