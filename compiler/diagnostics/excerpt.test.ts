import { expect, test } from 'vitest';
import { displayWidth } from '../../values/text/display-width.js';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { excerptLines, excerptOf } from './excerpt.js';

/** The excerpt of the text between `«` and `»`. */
function shown(marked: string, note?: string): string {
  const start = marked.indexOf('«');
  const text = marked.replace(/[«»]/g, '');
  const span = new Span(new Source('p.rego', text), start, marked.indexOf('»') - 1);
  return excerptLines(excerptOf(span, note)).join('\n');
}

test('a line stands behind its number, carets below the place', () => {
  expect(shown('package p\n\nallow if «inptu».x\n')).toBe('3 | allow if inptu.x\n  |          ^^^^^');
});

test('a note stands behind the carets', () => {
  expect(shown('p if «x»', 'is 3')).toBe('1 | p if x\n  |      ^ is 3');
});

test('tabs become spaces, wide characters take two columns', () => {
  expect(shown('\t«x» == "a"')).toBe('1 |     x == "a"\n  |     ^');
  expect(shown('p := "日本" == «é»')).toBe('1 | p := "日本" == é\n  |                ^');
});

test('of several lines the first is shown', () => {
  expect(shown('p := «{\n\t1,\n}»')).toBe('1 | p := {\n  |      ^');
});

test('the end of a text has a caret behind the last character', () => {
  expect(shown('p := [«»')).toBe('1 | p := [\n  |       ^');
});

test('control characters do not reach the terminal', () => {
  expect(shown('p := "\u001b[2J" + «x»')).toBe('1 | p := "·[2J" + x\n  |               ^');
});

test('a long line is cut around the place', () => {
  const lines = shown(`p := [${'1, '.repeat(200)}«oops», ${'2, '.repeat(200)}]`).split('\n');
  expect(displayWidth(lines[0]!)).toBeLessThan(110);
  const column = lines[0]!.indexOf('oops');
  expect(lines[1]!.indexOf('^^^^')).toBe(column);
  expect(lines[0]).toMatch(/^1 \| ….*…$/);
});

test('a style paints the number and the carets', () => {
  const style = { gutter: (text: string) => `<${text}>`, mark: (text: string) => `[${text}]` };
  expect(excerptLines({ row: 12, line: 'x', col: 1, length: 1 }, style)).toEqual(['<12 |> x', '<   |> [^]']);
});
