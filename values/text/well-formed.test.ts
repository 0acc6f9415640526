import { expect, test } from 'vitest';
import { isWellFormed, jsonString } from './well-formed.js';

test.each([
  ['', true],
  ['a', true],
  ['größe 😀', true],
  ['a longer text than those that are kept', true],
  ['\ud800', false],
  ['\udc00b', false],
  ['a longer text than those that are kept, \udfff', false],
])('%j is well-formed: %s, however often it is asked about', (text, wanted) => {
  for (let i = 0; i < 3; i++) expect(isWellFormed(text)).toBe(wanted);
  expect(jsonString(text) === text).toBe(wanted);
});

test('texts of one length and end are told apart', () => {
  const texts = ['ab', '\ud800b', 'cb', '\udc00b', 'ab'];
  expect(texts.map(isWellFormed)).toEqual([true, false, true, false, true]);
});
