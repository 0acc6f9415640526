import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { codePoints } from '../../values/text/code-points.js';
import { Source } from './source.js';

test('places are the same in whatever order they are asked for', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', '\u{1f600}', 'é', '\ud83d', '\ude00', '\t'), maxLength: 40 });
  fc.assert(
    fc.property(texts, fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }), (text, offsets) => {
      const source = new Source('s.rego', text);
      for (const given of offsets) {
        const offset = given % (text.length + 1);
        const row = source.row(offset);
        expect(source.position(offset)).toEqual({ row, col: 1 + codePoints(text, source.lineStarts[row - 1], offset) });
      }
    }),
    { numRuns: randomCases(2000) },
  );
});

test('a long line takes no longer for each place in it than a short one', () => {
  const text = 'a '.repeat(1_000_000);
  const source = new Source('s.rego', text);
  // With the line counted anew each time this would not end within the test's time.
  for (let i = 0; i < text.length; i += 2) source.position(i);
  expect(source.position(text.length).col).toBe(text.length + 1);
});
