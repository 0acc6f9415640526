import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import { rfc3339 as layout, piecesOfLayout } from './layout.js';
import { parse } from './parse.js';
import { parseRfc3339 } from './rfc3339.js';

const pieces = piecesOfLayout(layout);

/** As by the pieces of the layout. */
function expectAgreement(text: string): void {
  const quick = parseRfc3339(text);
  if (quick !== undefined) expect(quick).toEqual(parse(text, layout, pieces));
}

const pad = (size: number) => (n: number) => String(n).padStart(size, '0');
const number = (max: number, size = 2) => fc.nat({ max }).map(pad(size));
const fraction = fc.oneof(fc.constantFrom('', '.', ',5'), fc.stringMatching(/^[.,]\d{1,11}$/));
const zone = fc.oneof(
  fc.constantFrom('Z', 'z', '', '+1:00'),
  fc.tuple(fc.constantFrom('+', '-'), number(25), number(61)).map(([s, h, m]) => `${s}${h}:${m}`),
);

test('texts that are read quickly have the time that their pieces have', () => {
  const dates = fc.tuple(number(9999, 4), number(13), number(32), number(25), number(61), number(61), fraction, zone);
  fc.assert(
    fc.property(dates, ([year, month, day, h, m, s, f, z]) => expectAgreement(`${year}-${month}-${day}T${h}:${m}:${s}${f}${z}`)),
    { numRuns: randomCases(3000) },
  );
});

test.each([
  ['2025-01-11T10:00:00Z', 1736589600, 0],
  ['2025-01-11T10:00:00.5Z', 1736589600, 500_000_000],
  ['2025-01-11T10:00:00.123456789+02:30', 1736580600, 123_456_789],
  ['1969-12-31T23:59:59-00:01', 59, 0],
  ['2024-02-29T00:00:00Z', 1709164800, 0],
])('%s', (text, seconds, nanos) => expect(parseRfc3339(text)).toEqual({ seconds, nanos }));

test.each([
  '2025-02-29T00:00:00Z',
  '2025-01-11 10:00:00Z',
  '2025-01-11T10:00:00.Z',
  '2025-01-11T10:00:00.1234567890Z',
  '2025-01-11T1x:00:00Z',
])('%s is left to the layout', (text) => expect(parseRfc3339(text)).toBeUndefined());
