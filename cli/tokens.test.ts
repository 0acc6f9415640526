import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Token, tokensOf } from './tokens.js';

const flags = [
  { name: 'all', short: 'a', type: 'bool' },
  { name: 'bundle', short: 'b', type: 'bool' },
  { name: 'data', short: 'd', type: 'string' },
  { name: 'count', type: 'int' },
] as const;

/** As Node splits the arguments. */
function byNode(args: readonly string[]): readonly Token[] {
  const options = Object.fromEntries(
    flags.map((flag) => [
      flag.name,
      { type: flag.type === 'bool' ? ('boolean' as const) : ('string' as const), ...('short' in flag && { short: flag.short }) },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true }).tokens.map((token) => {
    if (token.kind !== 'option') return token;
    const { kind, index, name, rawName, value } = token;
    return { kind, index, name, rawName, value };
  });
}

test.each([
  [[]],
  [['-d', 'x', 'y']],
  [['-dx', '-d=x', '-d-x', '-d']],
  [['-abd', 'x', '-abdx', '-ab=d']],
  [['--data', '-x', '--data=', '--data']],
  [['--all', 'x', '--all=false', '--=x', '--']],
  [['-', '--', '-d', '--data']],
  [['-xdy', '--unknown', 'x', '--unknown=x', '--count', '3']],
])('%j is split as Node splits it', (args) => {
  expect(tokensOf(args, flags)).toEqual(byNode(args));
});

test('a dash among letters is a letter: Node would end the flags there', () => {
  const names = tokensOf(['-a-d', 'x'], flags).map((token) => token.kind === 'option' && token.rawName);
  expect(names).toEqual(['-a', '--', '-d']);
});

test('any other arguments are split as Node splits them', () => {
  const part = fc.constantFrom('-', '--', '=', 'a', 'b', 'd', 'x', '1', 'all', 'bundle', 'data', 'count', 'é', '');
  const arg = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
  const args = fc.array(
    arg.filter((text) => !/^-[^-].*-/.test(text)),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(args, (args) => void expect(tokensOf(args, flags)).toEqual(byNode(args))),
    { numRuns: 1000 },
  );
});
