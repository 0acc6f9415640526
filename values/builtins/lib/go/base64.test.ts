import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import { fromBytes } from '../../../text/utf8.js';
import { binaryOfBase64, binaryOfBase64Url, decodeBase64, decodeBase64Url } from './base64.js';
import { decodeCharacters } from './base64-decoder.js';

const texts = fc.string({ unit: fc.constantFrom('A', 'b', '0', '9', '+', '/', '-', '_', '=', '\n', ' ', 'ä'), maxLength: 12 });

function attempt(read: () => Uint8Array | string): string {
  try {
    const bytes = read();
    return typeof bytes === 'string' ? bytes : fromBytes(bytes);
  } catch (error) {
    return (error as Error).message;
  }
}

test('texts are decoded as character by character', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const wanted = attempt(() => decodeCharacters(text, 'standard', true));
      expect(attempt(() => decodeBase64(text))).toBe(wanted);
      expect(attempt(() => binaryOfBase64(text))).toBe(wanted);
    }),
    { numRuns: randomCases(2000) },
  );
});

test('base64url needs no padding', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const padded = text.endsWith('=') ? text : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
      fc.pre(text.length % 4 !== 1);
      const wanted = attempt(() => decodeCharacters(padded, 'url', true));
      expect(attempt(() => decodeBase64Url(text))).toBe(wanted);
      expect(attempt(() => binaryOfBase64Url(text))).toBe(wanted);
    }),
    { numRuns: randomCases(2000) },
  );
});
