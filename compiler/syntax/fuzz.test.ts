import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectBoundedWork } from '../../test/harness/cpu-time.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { printModule } from '../ast/print.js';
import { CompileErrors } from '../diagnostics/diagnostics.js';
import { parseModule } from './parse.js';
import { parseQuery } from './query.js';

const versions = ['v0', 'v1'] as const;
const texts = versions.flatMap((version) =>
  readdirSync(join('fixtures/syntax', version)).map((file) => readFileSync(join('fixtures/syntax', version, file), 'utf8')),
);

const fragments = [
  ...'{}[]().,:;|&-+="`\\$#\n\t 1x_é\0',
  ...[
    ' in ',
    'not ',
    'some ',
    'every x in ',
    ' with input as ',
    '$"{',
    '$`',
    'if ',
    'else ',
    ' contains ',
    ':=',
    '==',
    'set()',
    ' and ',
    ' or ',
  ],
  '# METADATA\n# title: x\n',
  'import future.keywords\n',
];

/** A text of the fixtures, cut and stirred. */
const stirred = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(6), fc.constantFrom('', ...fragments)), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, edits]) => {
    let result = text;
    for (const [place, cut, insert] of edits) {
      const at = Math.floor(place * result.length);
      result = result.slice(0, at) + insert + result.slice(at + cut);
    }
    return result;
  });

/**
 * Expects that a text is rejected with an error of ours, or that its tree can be printed and read
 * again.
 */
function expectSound(text: string, regoVersion: 'v0' | 'v1'): void {
  let printed: string;
  try {
    printed = printModule(parseModule('fuzz.rego', text, { regoVersion }));
  } catch (error) {
    expect(error).toBeInstanceOf(CompileErrors);
    return;
  }
  expect(printModule(parseModule('printed.rego', printed, { regoVersion }))).toBe(printed);
}

const soup = fc.array(fc.constantFrom(...fragments, 'p', 'x', 'package m\n'), { maxLength: 60 }).map((parts) => parts.join(''));

test('no stirred module makes the parser crash, and printing keeps what it accepts', () => {
  fc.assert(fc.property(stirred, fc.constantFrom(...versions), expectSound), { numRuns: randomCases(2000) });
});

test('no soup of tokens makes the parser crash', () => {
  fc.assert(
    fc.property(soup, fc.constantFrom(...versions), (text, version) => expectSound(`package m\n${text}`, version)),
    { numRuns: randomCases(2000) },
  );
});

test('any text is a query or an error', () => {
  const parse = (text: string): void => {
    try {
      parseQuery(text);
    } catch (error) {
      expect(error).toBeInstanceOf(CompileErrors);
    }
  };
  fc.assert(fc.property(fc.string({ unit: 'binary' }), parse), { numRuns: randomCases(1000) });
});

const repeated = (open: string, close: string, n = 90): string => `package m\np := ${open.repeat(n)}x${close.repeat(n)}`;

test.each([
  ['sets that may be comprehensions', repeated('{a | ', ', c}')],
  ['arrays that may be comprehensions', repeated('[a | ', ', c]')],
  ['objects that may be comprehensions', repeated('{"k": a | ', ', "c": d}')],
  ['unclosed brackets', `package m\np := ${'(['.repeat(50_000)}`],
  ['a long sum', `package m\np := 1${' + 1'.repeat(100_000)}`],
  ['a long chain of else', `package m\np if x\n${'else := 1 if y\n'.repeat(50_000)}`],
  ['a long ref', `package m\np := a${'.b'.repeat(100_000)}`],
  ['many imports of one keyword', `package m\n${'import future.keywords.or\n'.repeat(20_000)}p := 1`],
  ['many complaints in one line', `package m\np if x ${'1 '.repeat(50_000)}`],
  ['many failed readings in one line', `package m\np := [${'{a | b, c}, '.repeat(30_000)}]`],
  ['groups in groups', `package m\nimport future.keywords.or\np if ${'(a or '.repeat(190)}b${')'.repeat(190)}`],
  ['bodies in bodies', `package m\nimport future.keywords.or\np if ${'{ a or '.repeat(180)}{ b }${' }'.repeat(180)}`],
])('%s take linear time', (_title, text) => expectBoundedWork(() => expectSound(text, 'v1')));
