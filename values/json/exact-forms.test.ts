import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { numberFromText } from '../numbers/number.js';
import { mayLoseForm } from './exact-forms.js';
import { parseJson } from './json.js';
import { nativeValues } from './native-json.js';

/** What makes a text long, without strings and with many. */
const [blanks, strings] = [' '.repeat(1024), '"", '.repeat(256)];

const isNative = (text: string) => nativeValues(new TextEncoder().encode(text)) !== undefined;

test.each([
  '-0',
  ' -0',
  '[-0]',
  '[1, -0\n]',
  '{"a":-0}',
  '1.0',
  '[12.50,1]',
  '{"a":1.50e3}',
  '1e3',
  '[1E-3]',
  '{"a": 0.0000001}',
  '1234567890123456',
  '[123456789012345.5]',
  '"\\ud800"',
])('%s may lose its form', (text) => {
  expect(mayLoseForm(text)).toBe(true);
  for (const before of [blanks, strings]) expect(mayLoseForm(before + text)).toBe(true);
  expect(isNative(text)).toBe(false);
});

test.each([
  '0',
  '-1',
  '[0.5,10,-0.25]',
  '{"a":123456789012345}',
  '"1.10"',
  '"2024-01-02T10:00:00Z"',
  '["10.0.0.10"]',
  '"\\u0041"',
  '"\\n\\t\\\\"',
  '"release 1.0, two"',
  '"1, -0, 1e5, 1.0, 1234567890123456 ,"',
  '"\\"1, 1.0, "',
  '"\\ud83d\\ude00"',
])('%s does not', (text) => {
  expect(mayLoseForm(text)).toBe(false);
  for (const before of [blanks, strings]) expect(mayLoseForm(before + text)).toBe(false);
  expect(isNative(text)).toBe(true);
});

test.each([
  ['"\\\\ud83d\\ude00"', '\\ud83d\ufffd', false],
  ['"\\\\\\ud83d\\ude00"', '\\\u{1f600}', true],
  ['"\\\\ud83d"', '\\ud83d', true],
  ['{"\\\\ud83d\\ude00": 1}', { '\\ud83d\ufffd': 1 }, false],
])('an escaped backslash begins no surrogate: %s', (text, value, isKept) => {
  expect(parseJson(text)).toEqual(value);
  expect([mayLoseForm(text), isNative(text)]).toEqual([!isKept, isKept]);
});

const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));

/** Number literals with zeros, points and exponents in all places. */
const literals = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      digits(20).map((text) => `1${text}`),
    ),
    fc.oneof(
      fc.constant(''),
      digits(20).map((text) => `.${text}`),
      fc.nat(9).map((n) => `.${'0'.repeat(n)}7`),
    ),
    fc.constantFrom('', '', '', 'e3', 'E-3', 'e+10'),
  )
  .map((parts) => parts.join(''));

test('a number that becomes no double is found at any offset', () => {
  fc.assert(
    fc.property(literals, fc.nat(40), fc.constantFrom('', ' ', ',1', ']', '}', '\n'), (literal, offset, behind) => {
      const losesForm = typeof numberFromText(literal) !== 'number' || !Object.is(String(Number(literal)), literal);
      if (!losesForm) return;
      expect(mayLoseForm(`${' '.repeat(offset)}${literal}${behind}`)).toBe(true);
      for (const before of [blanks, strings]) expect(mayLoseForm(`${before}${' '.repeat(offset)}${literal}${behind}`)).toBe(true);
      expect(isNative(`${' '.repeat(offset)}${literal}${behind}`)).toBe(false);
    }),
    { numRuns: randomCases(3000) },
  );
});

test('texts that nest too deeply are not native', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  expect([isNative(nested(10_000)), isNative(nested(10_001)), isNative(`"${nested(10_001)}"`)]).toEqual([true, false, true]);
});

test('text in strings is no number, whatever it holds', () => {
  const prose = fc.string({ unit: fc.constantFrom('1', '0', '.', '-', 'e', ',', ':', ' ', '[', '"', '\\', 'é', '😀'), maxLength: 60 });
  fc.assert(
    fc.property(fc.dictionary(prose, fc.array(prose)), fc.constantFrom('', blanks, strings), (value, before) => {
      expect(mayLoseForm(before + JSON.stringify(value))).toBe(false);
      expect(mayLoseForm(before + JSON.stringify(value, null, 2))).toBe(false);
      expect(mayLoseForm(`${before}[${JSON.stringify(value)}, 1.0]`)).toBe(true);
      expect(isNative(JSON.stringify(value))).toBe(true);
      expect(isNative(`[${JSON.stringify(value)}, 1.0]`)).toBe(false);
    }),
    { numRuns: randomCases(2000) },
  );
});
