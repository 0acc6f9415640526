import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CompileErrors, diagnose } from '../diagnostics/diagnostics.js';
import { compileOrThrow } from '../pipeline.js';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { parseModule } from '../syntax/parse.js';
import { closest } from './closest.js';
import { hintOf } from './hints.js';

interface Case {
  readonly note: string;
  /** Rules of the package `m`, beside the packages `lib.helpers` and `lib["api-v1"]`. */
  readonly text: string;
  /** A part of the hint for the first error; empty where there is none. */
  readonly hint: string;
}

const { cases } = JSON.parse(readFileSync('fixtures/hints.json', 'utf8')) as { cases: Case[] };

function rejection(text: string): CompileErrors {
  try {
    const module = parseModule('m.rego', `package m\n\n${text}`);
    const other = parseModule('lib.rego', 'package lib.helpers\n\nx := 1\n\nowner_id := 7\n\nis_owner(x) if x == 1\n');
    const quoted = parseModule('api.rego', 'package lib["api-v1"]\n\nregion_id := 7\n');
    compileOrThrow({
      modules: new Map([
        ['m.rego', module],
        ['lib.rego', other],
        ['api.rego', quoted],
      ]),
    });
  } catch (error) {
    if (error instanceof CompileErrors) return error;
    throw error;
  }
  throw new Error('the text was accepted');
}

test.each(cases)('a hint for $note', ({ text, hint }) => {
  const error = rejection(text);
  const found = (error.hint ?? hintOf)(error.diagnostics[0]!).text;
  if (hint === '') expect(found).toBeUndefined();
  else expect(found).toContain(hint);
});

test('a variable is one cause in a rule, another one in the next', () => {
  const error = rejection('p if {\n\tuser.a\n\tuser.b\n}\n\nq if user.c\n');
  const causes = error.diagnostics.map((diagnostic) => error.hint!(diagnostic).cause);
  expect(new Set(causes).size).toBe(2);
});

test.each([
  ['inptu', ['data', 'input'], 'input'],
  ['INPUT', ['input'], 'input'],
  ['x', ['y'], undefined],
  ['allow', ['allow', 'allows'], undefined],
  ['deny', ['allow'], undefined],
])('the closest name to %s of %j is %s', (name, candidates, expected) => expect(closest(name, candidates)).toBe(expected));

test.each([
  ['a.'.repeat(200_000), 'x'],
  ['not '.repeat(100_000), '}'],
  ['if '.repeat(100_000), '{;'],
  ['"['.repeat(100_000), ' b'],
])('a long line is not looked at: %.8s…', (before, after) => {
  const text = `p if ${before}x-user${after}`;
  const source = new Source('m.rego', text);
  const span = new Span(source, text.length - after.length - 4, text.length - after.length);
  for (const name of ['unsafeVar', 'unexpectedToken'] as const) {
    const holes = name === 'unsafeVar' ? { name: 'user', rule: undefined } : { token: 'user', keyword: false };
    const hint = hintOf(diagnose(name, span, holes as never));
    expect(hint.text ?? '').not.toContain('brackets');
  }
});
