import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectBoundedWork } from '../../../../test/harness/cpu-time.js';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { LruCache } from '../../cache.js';
import { costOf } from './cost.js';
import { compileRegex, loadRegex, Pattern } from './engine.js';
import { parsePlainRegex } from './syntax.js';

const context = {
  tick: () => {},
  caches: { of: <T>() => new LruCache<T>(10) },
} as unknown as BuiltinContext;

beforeAll(loadRegex);

const atom = fc.constantFrom(
  'a',
  'b',
  'c',
  '.',
  '[ab]',
  '[^a]',
  '[a-c]',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '\\.',
  '-',
  'é',
  '\\b',
  '^',
  '$',
  '[\\w.-]',
  '/',
  ' ',
);
const quantifier = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?', '??');
const { pattern: patterns } = fc.letrec<{ pattern: string; branch: string; term: string }>((tie) => ({
  pattern: fc.array(tie('branch'), { minLength: 1, maxLength: 3 }).map((branches) => branches.join('|')),
  branch: fc.array(fc.tuple(tie('term'), quantifier), { maxLength: 4 }).map((terms) => terms.map(([term, q]) => term + q).join('')),
  term: fc.oneof(
    { weight: 4, arbitrary: atom },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('(', '(?:', '(?P<x>'), tie('pattern')).map(([open, inner]) => `${open}${inner})`) },
  ),
}));
const flagged = fc.tuple(fc.constantFrom('', '', '(?i)', '(?s)', '^'), patterns).map(([flag, pattern]) => flag + pattern);
const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', 'A', '1', '-', '.', ' ', '\n', 'é', '😀', '/', 'K'), { maxLength: 12 })
  .map((parts) => parts.join(''));

test('a plain pattern means the same to a RegExp as to RE2', () => {
  let compared = 0;
  const cases = randomCases(2000);
  fc.assert(
    fc.property(flagged, texts, (source, text) => {
      const plain = parsePlainRegex(source);
      if (plain === undefined || costOf(plain.node) === undefined) return;
      compared++;
      const fast = new Pattern(source, undefined, plain);
      const slow = new Pattern(source, undefined);
      expect(fast.test(text, context)).toBe(slow.test(text, context));
      expect(fast.findAll(text, Number.POSITIVE_INFINITY, false, context)).toEqual(
        slow.findAll(text, Number.POSITIVE_INFINITY, false, context),
      );
      expect(fast.findAll(text, Number.POSITIVE_INFINITY, true, context)).toEqual(
        slow.findAll(text, Number.POSITIVE_INFINITY, true, context),
      );
      expect(fast.names).toEqual(slow.names);
    }),
    { numRuns: cases },
  );
  expect(compared).toBeGreaterThan((cases * 3) / 20);
});

test('what is plain is valid', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab.*+?{}()[\]|\\^$1,:P<>-]{0,12}$/), (source) => {
      if (parsePlainRegex(source) !== undefined) new Pattern(source, undefined).test('', context);
    }),
    { numRuns: randomCases(3000) },
  );
});

describe('time is linear in the text', () => {
  test.each([
    ['(a+)+$'],
    ['(a|a)*$'],
    ['(a*)*b'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$'],
    ['(.*)(.*)(.*)(.*)x'],
    ['a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaa'],
    ['[a-z]+@[a-z]+\\.com'],
    ['^(?:a?b?)*$'],
    ['.*a.*a.*x'],
    ['(?:[a-z]+\\.)*x$'],
  ])('%s', (source) =>
    expectBoundedWork(() => {
      for (const length of [30, 150, 1500, 20_000]) compileRegex(source, context).test(`${'a'.repeat(length)}!`, context);
    }),
  );

  test('whatever plain pattern a RegExp runs', async () => {
    await fc.assert(
      fc.asyncProperty(flagged, fc.constantFrom('a', 'ab', 'aab', 'a.', '1'), async (source, unit) => {
        const plain = parsePlainRegex(source);
        if (plain === undefined || costOf(plain.node) === undefined) return;
        const pattern = new Pattern(source, undefined, plain);
        await expectBoundedWork(
          () => {
            for (const length of [100, 400, 2000]) pattern.test(unit.repeat(length / unit.length), context);
          },
          source,
          5000,
        );
      }),
      { numRuns: randomCases(1000) },
    );
  });
});

test('work on RE2 is counted', () => {
  let work = 0;
  const counting = { ...context, tick: (units: number) => void (work += units) } as BuiltinContext;
  compileRegex('a*b|\\pL', counting).findAll('a'.repeat(1000), Number.POSITIVE_INFINITY, false, counting);
  expect(work).toBeGreaterThan(50_000);
});

describe('instructions that RE2 compares each character with are counted before the text is read', () => {
  test.each([
    ['a long pattern', 'a.'.repeat(30_000)],
    ['a short pattern of many instructions', '(a.){1000}'.repeat(10)],
  ])('%s', (_title, source) => {
    const pattern = compileRegex(source, context);
    const text = 'a.'.repeat(30_000);
    const refuses = (units: number) => {
      if (units > text.length * 1000) throw new Error('too much work');
    };
    const bounded = { ...context, tick: refuses } as BuiltinContext;
    expect(() => pattern.test(text, bounded)).toThrow('too much work');
    expect(() => pattern.findAll(text, 1, false, bounded)).toThrow('too much work');
  });
});

test('an invalid pattern has the message of Go', () => {
  expect(() => compileRegex('a(b', context)).toThrow(new BuiltinError('error parsing regexp: missing closing ): `a(b`'));
});

test('compiling a pattern is counted by what its repetitions become', () => {
  let units = 0;
  const counting = { ...context, tick: (count: number) => void (units += count) };
  compileRegex('a{1000}', counting);
  expect(units).toBeGreaterThan(100_000);
});
