import { expect, test } from 'vitest';
import { toLower, toUpper } from './case-mapping.js';

test.each([
  ['', ''],
  ['ABC', 'abc'],
  ['ABC', 'abc'],
  ['abc', 'abc'],
  ['ABD', 'abd'],
  ['A'.repeat(100), 'a'.repeat(100)],
  ['İΣ', 'iσ'],
  ['İΣ', 'iσ'],
  ['ABC', 'abc'],
])('the lower case of %s is that of no earlier text', (text, lower) => expect(toLower(text)).toBe(lower));

test('characters whose capital has several characters', () => {
  expect(toUpper('ßaᾀ')).toBe('ßAᾈ');
});
