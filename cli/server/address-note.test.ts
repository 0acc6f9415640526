import { expect, test } from 'vitest';
import { FlagValues } from '../flags.js';
import { addressNote } from './address-note.js';

const flags = (values: Readonly<Record<string, string>> = {}) =>
  new FlagValues(new Map(Object.entries(values).map(([name, value]) => [name, [value]])));

test.each([
  ['http://localhost:8181', `curl -d '{"input": {}}' 'http://localhost:8181/v1/data'`],
  ['http://0.0.0.0:80', `curl -d '{"input": {}}' 'http://localhost:80/v1/data'`],
  ['https://[::]:8443', `curl --insecure -d '{"input": {}}' 'https://localhost:8443/v1/data'`],
  ['unix:///run/writ.sock', `curl --unix-socket '/run/writ.sock' -d '{"input": {}}' 'http://localhost/v1/data'`],
])('a server at %s is asked by %s', (url, command) => {
  expect(addressNote([url], flags())).toBe(`listening: ${url}\nto ask it: ${command}\n`);
});

test.each([[{ authentication: 'token' }], [{ authorization: 'basic' }]])('with %j no request is shown that is refused', (values) => {
  expect(addressNote(['http://localhost:1'], flags(values as Record<string, string>))).toBe('listening: http://localhost:1\n');
});

test('a server without an address has no note', () => expect(addressNote([], flags())).toBe(''));
