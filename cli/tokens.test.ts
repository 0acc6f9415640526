import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Flag } from './flags.js';
import { tokensOf } from './tokens.js';

const flags: readonly Flag[] = [
  { name: 'bundle', short: 'b', type: 'string', usage: '' },
  { name: 'ignore', type: 'strings', usage: '' },
  { name: 'fail', short: 'F', type: 'bool', usage: '' },
  { name: 'v', type: 'int', usage: '' },
  { name: 'help', short: 'h', type: 'bool', usage: '' },
];

function expected(argv: readonly string[]): readonly object[] {
  const options = Object.fromEntries(
    flags.map(({ name, short, type }) => [
      name,
      { type: type === 'bool' ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
    ]),
  );
  return parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true }).tokens.map((token) => {
    if (token.kind === 'option-terminator') return { kind: 'end' };
    if (token.kind === 'positional') return { kind: 'positional', value: token.value };
    const { kind, name, rawName, index, value } = token;
    return { kind, name, rawName, index, value };
  });
}

const words = ['-', '--', '-b', '--bundle', '--bundle=x', '-bx', '-b=x', '-Fb', '-Fhx', '-bF', '-v', '-v1', '-Fv', '-x', '-xb', '--x=1'];
const moreWords = ['--fail', '--fail=', '--ignore', '--=', '--=a', '---', '-=', '-é', 'query', '', '--v', '--help=--b'];

test('tokens are those of parseArgs', () => {
  const all = new Map(flags.map((flag) => [flag.name, flag]));
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words, ...moreWords), { maxLength: 6 }), (argv) => {
      expect(tokensOf(all, argv)).toEqual(expected(argv));
    }),
    { numRuns: 2000 },
  );
});

test('a dash among short options is an option that no flag has', () => {
  const all = new Map(flags.map((flag) => [flag.name, flag]));
  const option = { kind: 'option', index: 0, value: undefined };
  expect(tokensOf(all, ['-F-'])).toEqual([
    { ...option, name: 'fail', rawName: '-F' },
    { ...option, name: '-', rawName: '--' },
  ]);
});
