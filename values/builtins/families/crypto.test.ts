import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callBuiltin, testContext } from '../../../test/harness/builtins.js';
import { randomCases } from '../../../test/harness/set-up/random-cases.js';
import { parseJson } from '../../json/json.js';
import type { Value } from '../../value.js';
import { BuiltinError } from '../builtin-errors.js';
import { nodeHost } from '../host/node.js';
import { decodeBase64, encodeBase64 } from '../lib/go/base64.js';
import { UrlError } from '../lib/url/escape.js';
import { parseUrl, urlText } from '../lib/url/url.js';
import { nextPem, pemBlocks } from '../lib/x509/pem.js';

interface Row {
  readonly builtin: string;
  readonly operands: readonly Value[];
  readonly result?: Value;
}

const rowsOf = (family: string) =>
  parseJson(readFileSync(new URL(`../../../fixtures/builtins/${family}.json`, import.meta.url), 'utf8')) as unknown as readonly Row[];
const good = [...rowsOf('crypto'), ...rowsOf('tokens')].filter(
  (row) => row.result !== undefined && row.result !== null && (row.operands[0] as string).length > 20,
);

describe('input that is damaged in places', () => {
  test.each([
    'crypto.x509.parse_certificates',
    'crypto.x509.parse_certificate_request',
    'crypto.x509.parse_keypair',
    'crypto.parse_private_keys',
  ])('gets an answer or an error of %s, never a crash', async (name) => {
    const inputs = good.filter((row) => row.builtin === name);
    const ctx = testContext(nodeHost);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }), async (pick, changes) => {
        const row = inputs[pick % inputs.length]!;
        const text = row.operands[0] as string;
        const block = text.startsWith('-----') ? nextPem(text) : undefined;
        const bytes = Uint8Array.from(block?.bytes ?? Buffer.from(text, 'base64'));
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const damaged =
          block === undefined
            ? encodeBase64(bytes)
            : `-----BEGIN ${block.type}-----\n${encodeBase64(bytes)}\n-----END ${block.type}-----\n`;
        try {
          await callBuiltin(name, [damaged, ...row.operands.slice(1)], ctx);
        } catch (error) {
          expect(error).toBeInstanceOf(BuiltinError);
        }
      }),
      { numRuns: randomCases(500) },
    );
  });

  test('makes no token hold', async () => {
    const inputs = rowsOf('tokens').filter((row) => row.builtin.startsWith('io.jwt.verify_') && row.result === true);
    const ctx = testContext(nodeHost);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.constantFrom(...'AZaz09-_'), async (pick, at, character) => {
        const row = inputs[pick % inputs.length]!;
        const [token, key] = row.operands as [string, string];
        const signed = token.slice(0, token.lastIndexOf('.'));
        const i = at % signed.length;
        fc.pre(signed[i] !== character);
        const damaged = token.slice(0, i) + character + token.slice(i + 1);
        try {
          expect(await callBuiltin(row.builtin, [damaged, key], ctx)).toBe(false);
        } catch (error) {
          expect(error).toBeInstanceOf(BuiltinError);
        }
      }),
      { numRuns: randomCases(300) },
    );
  });
});

test('a platform without crypto is told so', async () => {
  await expect(callBuiltin('crypto.sha256', ['x'], testContext())).rejects.toThrow('not available on this platform: crypto is missing');
  await expect(callBuiltin('io.jwt.verify_hs256', ['a.b.c', 'k'], testContext())).rejects.toThrow('crypto is missing');
});

test('a string that holds bytes which are no UTF-8 is hashed by its bytes', async () => {
  const sha256 = createHash('sha256')
    .update(Buffer.from([0xff, 0x61]))
    .digest('hex');
  expect(await callBuiltin('crypto.sha256', ['\udcffa'], testContext(nodeHost))).toBe(sha256);
});

describe('PEM', () => {
  const body = 'aGVsbG8=';
  test.each([
    ['a block', `-----BEGIN A-----\n${body}\n-----END A-----\n`, ['A']],
    ['a block without a last line end', `-----BEGIN A-----\n${body}\n-----END A-----`, ['A']],
    ['Windows line ends', `-----BEGIN A-----\r\n${body}\r\n-----END A-----\r\n`, ['A']],
    ['headers', `-----BEGIN A-----\nProc-Type: 4\nX: y\n\n${body}\n-----END A-----\n`, ['A']],
    ['an empty block', '-----BEGIN A-----\n-----END A-----\n', ['A']],
    [
      'text before and between',
      `x\n-----BEGIN A-----\n${body}\n-----END A-----\ny\n-----BEGIN B-----\n${body}\n-----END B-----\nz`,
      ['A', 'B'],
    ],
    ['a beginning without an end', `-----BEGIN X-----\n-----BEGIN A-----\n${body}\n-----END A-----\n`, ['A']],
    ['an end of another kind', `-----BEGIN X-----\n${body}\n-----END Y-----\n-----BEGIN A-----\n${body}\n-----END A-----\n`, ['A']],
    ['a block that is not base64', `-----BEGIN X-----\n~\n-----END X-----\n-----BEGIN A-----\n${body}\n-----END A-----\n`, ['A']],
    ['a beginning in the middle of a line', `x-----BEGIN A-----\n${body}\n-----END A-----\n`, []],
    ['nothing', '', []],
  ])('%s', (_title, text, types) => {
    expect([...pemBlocks(text)].map(({ type }) => type)).toEqual(types);
  });
});

test('base64 of any bytes comes back', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect([...decodeBase64(encodeBase64(bytes))]).toEqual([...bytes]);
    }),
  );
});

describe('a URL', () => {
  test.each([
    'https://user:pa%20ss@host.example:8443/a%20b/%2F?q=1&r#frag',
    'spiffe://example.com/w',
    'urn:a:b',
    'http://[::1%25eth0]:80/',
    '/only/a/path?',
    'mailto:a@b.example',
    '',
  ])('%s comes back as it was', (text) => expect(urlText(parseUrl(text))).toBe(text));

  test.each([
    ['http://[::1', 'parse "http://[::1": missing \']\' in host'],
    ['http://h:port/', 'parse "http://h:port/": invalid port ":port" after host'],
    ['%zz', 'parse "%zz": invalid URL escape "%zz"'],
    ['http://a b/', 'parse "http://a b/": invalid character " " in host name'],
    [':x', 'parse ":x": missing protocol scheme'],
    ['1:2', 'parse "1:2": first path segment in URL cannot contain colon'],
    ['http://a\u0007', 'parse "http://a\\a": net/url: invalid control character in URL'],
  ])('%s is none', (text, message) => expect(() => parseUrl(text)).toThrow(new UrlError(message)));
});
