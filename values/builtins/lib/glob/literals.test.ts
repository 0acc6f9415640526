import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import { patternOfTree } from '../regex/engine.js';
import { literalsOf, mayMatch } from './literals.js';
import { parseGlob } from './parser.js';

const context = { tick: () => undefined } as never;
const globs = fc.array(fc.constantFrom('a', 'b', '/', '.', '*', '**', '?', '[ab]', '{a,/b}', '\\*', '\u{1f600}'), { maxLength: 7 });
const texts = fc.array(fc.constantFrom('a', 'b', '/', '.', '*', '\u{1f600}'), { maxLength: 8 });

test('no text that a glob matches fails at the literal parts', () => {
  const outcomes = { failed: 0, matched: 0 };
  const cases = randomCases(3000);
  fc.assert(
    fc.property(globs, texts, fc.constantFrom('/', '.', ''), (glob, parts, separators) => {
      const tree = parseGlob(glob.join(''), Array.from(separators));
      const text = parts.join('');
      const matches = patternOfTree(tree).test(text, context);
      const may = mayMatch(literalsOf(tree), text);
      if (matches) outcomes.matched++;
      if (!may) outcomes.failed++;
      expect(may || !matches).toBe(true);
    }),
    { numRuns: cases },
  );
  expect(outcomes.failed).toBeGreaterThan(cases / 6);
  expect(outcomes.matched).toBeGreaterThan(cases / 60);
});

test.each([
  ['/v1/*/items', '/v1/', '/items', '/', '/items'],
  ['/v1/*/items/*', '/v1/', '', '/', '/items/'],
  ['/public/{a,b}/x*', '/public/', '', '', ''],
  ['exact', 'exact', '', '', ''],
])('%s', (glob, prefix, suffix, stop, next) => {
  expect(literalsOf(parseGlob(glob, ['/']))).toEqual({ prefix, suffix, stop, next });
});
