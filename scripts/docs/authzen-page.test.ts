/** The requests in the page of AuthZEN are answered as the page says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { readConfig } from '../../server/control/server-config.js';
import { temporaryDirectory } from '../../test/harness/disk.js';
import { quietServerProcess } from '../../test/harness/server/process.js';
import type { PlainObject } from '../../values/value.js';
import { codeBlocks } from './code-blocks.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/authzen.md'), 'utf8');
const blocks = codeBlocks(page);
const textsOf = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ text }) => text);

/** `…` in an expected value is any text. */
function expectedOf(value: unknown): unknown {
  if (value === '…') return expect.stringMatching(/./s);
  if (Array.isArray(value)) return value.map(expectedOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expectedOf(member)]));
}

test('its server answers its requests', { timeout: 60_000 }, async () => {
  const folder = temporaryDirectory();
  const [policy] = textsOf('rego');
  const [data] = textsOf('json');
  const [config] = textsOf('yaml');
  writeFileSync(join(folder, 'policy.rego'), policy!);
  writeFileSync(join(folder, 'data.json'), data!);
  writeFileSync(join(folder, 'config.yaml'), config!);
  const files = [join(folder, 'policy.rego'), join(folder, 'data.json')];
  const { url } = await quietServerProcess(['-c', join(folder, 'config.yaml'), ...files], {});
  const requests = textsOf('http');
  expect(requests.length).toBeGreaterThan(7);
  for (const request of requests) {
    const [, method, path, body, status, answer] = /^(\w+) (\S+)\n(.*?)\n?\n(\d+)\n(.*)\n$/s.exec(request)!;
    const sent = { method: method!, ...(body !== '' && { body: body!, headers: { 'content-type': 'application/json' } }) };
    const response = await fetch(url + path!, sent);
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, Number(status), text]);
    if (answer!.startsWith('{')) expect(JSON.parse(text), request).toEqual(expectedOf(JSON.parse(answer!)));
    else expect(text, request).toBe(`${answer}\n`);
  }
});

test('its configurations have no unknown keys', () => {
  for (const text of textsOf('yaml')) expect(readConfig(load(text) as PlainObject).warnings).toEqual([]);
});
