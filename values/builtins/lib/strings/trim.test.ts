import { expect, test } from 'vitest';
import { watchWork } from '../../../work.js';
import { trimLeft, trimRight, trimSpace } from './trim.js';

/** The text that is left, and the work that was counted. */
function trimmed(trim: () => string): readonly [text: string, work: number] {
  let work = 0;
  const before = watchWork({ tick: (units) => (work += units) });
  const text = trim();
  watchWork(before);
  return [text, work];
}

test('a few characters are cut without counting', () => {
  expect(trimmed(() => trimLeft('//a/', '/'))).toEqual(['a/', 0]);
  expect(trimmed(() => trimRight('/a//', '/'))).toEqual(['/a', 0]);
  expect(trimmed(() => trimSpace(' \u00a0a\t'))).toEqual(['a', 0]);
});

test.each([
  ['one unit', 'x'],
  ['two units', '\u{1f600}'],
])('many characters of %s count as their number', (_title, character) => {
  for (const trim of [trimLeft, trimRight]) {
    const workOf = (count: number) => {
      const [text, work] = trimmed(() => trim(character.repeat(count), character));
      expect(text).toBe('');
      return work;
    };
    expect(workOf(10_000)).toBeGreaterThan(10_000);
    expect(workOf(20_000)).toBeLessThan(3 * workOf(10_000));
  }
});
