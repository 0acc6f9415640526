import { expect, test } from 'vitest';
import { overridden, withSettings } from '../services/config/config-settings.js';
import { parseConfig } from '../services/config/service-config.js';
import { readConfig } from './server-config.js';

test('a configuration is YAML or JSON, with the environment filled in', () => {
  // As the configuration writes them, with $ for %.
  const text = (given: string) => given.replaceAll('%', '$');
  const labels = 'who: "%{WHO}", none: "x-%{NONE}", spaced: "%{ WHO }", dashed: "%{WHO:-d}", empty: "%{EMPTY}"';
  const config = parseConfig(text(`labels: {${labels}}\nbare: %{NONE}\n`), { WHO: 'me', EMPTY: '' });
  const unset = { none: text('x-%{NONE}'), spaced: text('%{ WHO }'), dashed: text('%{WHO:-d}') };
  expect(config).toEqual({ labels: { who: 'me', empty: '', ...unset }, bare: text('%{NONE}') });
  expect(parseConfig('{"default_decision": "/a/b"}', {})).toEqual({ default_decision: '/a/b' });
  expect(parseConfig('', {})).toEqual({});
});

test('a key that nobody reads is a warning that names it', () => {
  const { warnings } = readConfig({
    bundles: { main: { resource: 'file:///b', persists: true } },
    extra: 1,
    server: { encoding: { gzip: { min: 1 } } },
  });
  expect(warnings).toHaveLength(3);
  for (const key of ['bundles.main.persists', 'extra', 'server.encoding.gzip.min']) expect(warnings.join()).toContain(`"${key}"`);
});

test.each([
  [{ labels: { a: 1 } }, 'labels.a'],
  [{ server: { encoding: { gzip: { min_length: 'x' } } } }, 'server.encoding.gzip.min_length'],
  [{ default_decision: 5 }, 'default_decision'],
  [{ bundles: { main: { persist: 'yes' } } }, 'bundles.main.persist'],
  [{ server: { decoding: { max_length: 0 } } }, 'server.decoding.max_length'],
])('a value of a wrong type is an error that names the key: %j', (config, key) => {
  expect(() => readConfig(config)).toThrow(key);
});

test('errors of several sections are in the order of the schema, and members that are null are absent', () => {
  const config = { server: { max_watches: 'x' }, labels: { app: 1 }, decision_logs: null, unknown: 1 };
  expect(() => readConfig(config)).toThrow('labels.app: must be string; server.max_watches: must be integer');
  expect(readConfig({ labels: null }).labels).toMatchObject({ id: expect.any(String) });
});

test.each([
  ['postgres://me:secret@db/policies', 'postgres://db/policies'],
  ['postgres://me:a@secret@db/policies', 'postgres://db/policies'],
  ['postgresql://me:secret@db?password=secret', 'postgresql://db'],
  ['socket://me:secret@/run/db?db=policies', 'socket:///run/db'],
])('the password of the database %s does not show', (url, shown) => {
  const { settings, runtime } = readConfig({ storage: { postgres: { url } } });
  for (const config of [settings.shownConfig, runtime]) expect(config).toMatchObject({ storage: { postgres: { url: shown } } });
});

test.each([
  'postgres://me:12/secret@db/policies',
  'postgres://me:12#secret@db/policies',
  'postgres://me:12?secret@db/policies',
  'postgres://me:se/cret@db/policies',
  'postgres://me:se#cret@db/policies',
  'socket:me:secret@/run/db',
  'postgres://db/policies?user=me@secret',
])('a URL whose password may be read as its host or path is refused, and does not show: %s', (url) => {
  const read = () => readConfig({ storage: { postgres: { url } } });
  expect(read).toThrow('storage.postgres.url: "/", "?", "#" and "@"');
  expect(read).not.toThrow('cret');
});

test('secrets do not show', () => {
  const { settings, runtime } = readConfig({
    services: {
      s: {
        url: 'https://me:secret@x/a@b',
        credentials: { bearer: { token: 'secret' } },
        headers: { Authorization: 'secret', 'X-Api-Key': 'secret', 'x-a': 'b' },
      },
    },
    keys: { k: { key: 'secret', private_key: 'secret', scope: 'read' } },
  });
  expect(JSON.stringify(settings.shownConfig)).not.toContain('secret');
  expect(JSON.stringify(runtime)).not.toContain('secret');
  const several = readConfig({ services: [{ name: 's', url: 'x', credentials: { bearer: { token: 'secret' } } }] }).settings.shownConfig;
  expect(several.services).toEqual([{ name: 's', url: 'x' }]);
  expect(settings.shownConfig).toMatchObject({
    services: { s: { url: 'https://x/a@b', headers: { 'x-a': 'b' } } },
    keys: { k: { scope: 'read' } },
  });
});

test('policies see the configuration as it was written, without what the server adds', () => {
  expect(readConfig({ labels: { app: 'x' }, default_decision: 'a/b' }).runtime).toEqual({ labels: { app: 'x' }, default_decision: 'a/b' });
  expect(readConfig({}).runtime).toEqual({});
});

test.each([
  ['a.b=c', { a: { b: 'c' } }],
  ['a=1,b=true,c=null,d=01,e=', { a: 1, b: true, c: null, d: '01', e: '' }],
  ['a=True,b=-5,c=1.5', { a: true, b: -5, c: '1.5' }],
  ['a={x,2}', { a: ['x', 2] }],
  ['a[1].b=x', { a: [null, { b: 'x' }] }],
  ['a\\.b=x\\,y', { 'a.b': 'x,y' }],
])('--set %s', (text, expected) => {
  expect(withSettings({}, text)).toEqual(expected);
});

test('settings keep what they do not name, and replace arrays as a whole', () => {
  const settings = withSettings(withSettings({}, 'a.y=2,b[0]=9'), 'b[1].c={},__proto__.d=1');
  expect(overridden({ a: { x: 1 }, b: [1, 2, 3], c: { d: 1 } }, settings)).toEqual({
    a: { x: 1, y: 2 },
    b: [9, { c: [] }],
    c: { d: 1 },
    ['__proto__']: { d: 1 },
  });
  expect(overridden({ a: { x: 1 }, b: 2 }, withSettings({}, 'a=1,b.c=null'))).toEqual({ a: 1, b: { c: null } });
});

test.each(['a', '=x', 'a[x]=1', 'a={x', 'a[99999999]=1'])('%s is no setting', (text) => {
  expect(() => withSettings({}, text)).toThrow('failed parsing --set data: ');
  expect(() => withSettings({}, text, { flag: '--set-file' })).toThrow('failed parsing --set-file data: ');
});

test('features that are not there are warned of', () => {
  const { warnings } = readConfig({ caching: {}, storage: { disk: { directory: '/d', partitions: [], badger: '' } } });
  expect(warnings).toHaveLength(3);
  expect(() => readConfig({ plugins: { mine: {} } })).toThrow('plugin "mine" not registered');
});
