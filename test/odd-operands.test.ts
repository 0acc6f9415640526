/** No operand is an internal error: a call has a value, none, or an error of its built-in. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Builtin } from '../values/builtins/builtin.js';
import { BuiltinError, HaltError } from '../values/builtins/builtin-errors.js';
import { builtins } from '../values/builtins/registry.js';
import { ExactNumber, parseNumber } from '../values/numbers/number.js';
import { RegoObject } from '../values/object.js';
import { RegoSet } from '../values/set.js';
import { termText } from '../values/text/term-text.js';
import type { Type } from '../values/type.js';
import { isArray, isObject, isSet, type Value } from '../values/value.js';
import { callBuiltin, testContext } from './harness/builtins.js';

const number = (text: string) => parseNumber(text)!;

const numbers: readonly Value[] = [
  ...['0', '-0', '0.0', '1', '-1', '2', '1.0', '1.5', '-1e-7', '1E2', '1e20', '1e308', '1e400', '-1e400', '1e-400', '1e90000', '5e-324'],
  ...['2147483648', '-2147483649', '4294967296', '9007199254740993', '9223372036854775808', '-9223372036854775809', '7'.repeat(400)],
].map(number);

const strings: readonly Value[] = [
  ...[
    '',
    ' ',
    'a',
    'é',
    '😀',
    '\ud800',
    'a\udc00b',
    '\udc80',
    '\0',
    '\ufeff',
    '\u2028',
    '%',
    '%!',
    '%[9]d %*d',
    '__proto__',
    'constructor',
  ],
  ...['[', '(', '*', '{a', '**', '\\', '[[:x:]]', '/', '/a/~2', '//', '..', '.', '-', '--', '1e400', '-0', 'NaN', 'Infinity', '0x', '1_0'],
  ...[
    '{}',
    '[]',
    'null',
    '{"a":1',
    '"\\ud800"',
    '- a: *b',
    '? []\n: {}',
    '{{',
    '{{.}}',
    '{{template "a"}}',
    'package a',
    'query { a }',
    'type A { a: A }',
  ],
  ...[
    '::1',
    '1.2.3.4',
    '1.2.3.4/33',
    '::/0',
    '::ffff:1.2.3.4/96',
    'http://[::1',
    'http://a/%zz',
    'mailto:',
    '%zz',
    'a=%',
    '&=',
    '1.0.0-',
    '1.2.3',
    '1GiB',
    '9e999Mi',
    '1m',
  ],
  ...[
    'a.b.c',
    'e30.e30.e30',
    'e30.e30.',
    '..',
    'bnVsbA.bnVsbA.bnVsbA',
    'W10.W10.',
    '=',
    'QQ',
    'QQ==',
    '@@',
    'zz',
    '2006-01-02T15:04:05Z',
    '1h',
    '-1ns',
    'Europe/Nowhere',
    'Local',
  ],
  ...[
    '-----BEGIN CERTIFICATE-----\nQQ==\n-----END CERTIFICATE-----',
    '-----BEGIN A-----\n-----END A-----',
    'a'.repeat(5000),
    '😀'.repeat(2000),
  ],
];

const deep = (levels: number): Value => (levels === 0 ? [] : [deep(levels - 1)]);

const composites: readonly Value[] = [
  [],
  {},
  new RegoSet([]),
  new RegoObject([]),
  [[]],
  [null, true, 1],
  ['a', 1],
  ['\ud800', 'a'],
  [new RegoSet([1, 'a'])],
  [number('1e400'), number('1.0'), 1],
  [number('1e90000'), number('-1e90000')],
  new RegoSet([null]),
  new RegoSet(['a', 'b']),
  new RegoSet([new RegoSet([]), [], {}]),
  new RegoSet([number('1e400'), 2]),
  new RegoObject([[1, 'a']]),
  new RegoObject([[null, null]]),
  new RegoObject([[[1], new RegoSet([1])]]),
  new RegoObject([[new RegoSet(['a']), { a: 1 }]]),
  new RegoObject([[{}, []]]),
  new RegoObject([
    ['a', new RegoSet(['b'])],
    [1, 'a'],
  ]),
  { a: new RegoSet([1]) },
  { '': { '': null } },
  { '\ud800': '\udc00' },
  JSON.parse('{"__proto__": {"a": 1}, "constructor": null, "toString": 1}') as Value,
  { a: ['b'], b: ['a'] },
  { type: 'object', properties: [], required: 1 },
  { $ref: '#/a' },
  { type: ['x'], pattern: '(', minimum: '1' },
  [{ op: 'add', path: [1, new RegoSet([])], value: 1 }],
  [{ op: 'move', path: '/a', from: [] }, { op: 'x' }],
  [{ op: 'remove', path: '' }],
  [new RegoObject([[1, 2]])],
  { method: 'get', url: '' },
  { method: 1, url: new RegoSet([]), headers: [] },
  { alg: 'HS256', typ: null },
  { alg: 'RS256', crit: [1] },
  { kty: 'oct', k: '=' },
  { kty: 'RSA', n: 1 },
  { cert: 1, secret: [], time: '1', alg: {} },
  { keys: [{}] },
  { aws_access_key: 1 },
  deep(200),
  Array.from({ length: 300 }, (_, i) => i),
];

const odd: readonly Value[] = [null, true, false, ...numbers, ...strings, ...composites];

const oddValue = fc.constantFrom(...odd);

const anyOperand = fc.oneof(
  oddValue,
  fc.array(oddValue, { maxLength: 3 }),
  fc.array(oddValue, { maxLength: 3 }).map((members) => new RegoSet(members)),
  fc.array(fc.tuple(oddValue, oddValue), { maxLength: 2 }).map((entries) => new RegoObject(entries)),
);

/** Values of a type, odd in themselves. */
function operandOf(type: Type): fc.Arbitrary<Value> {
  switch (type.type) {
    case 'number':
      return fc.constantFrom(...numbers);
    case 'string':
      return fc.constantFrom(...strings);
    case 'array':
      return fc.array(type.dynamic === undefined ? anyOperand : operandOf(type.dynamic), { maxLength: 3 });
    case 'set':
      return fc.array(operandOf(type.of), { maxLength: 3 }).map((members) => new RegoSet(members));
    case 'object':
      return fc.constantFrom(...composites.filter(isObject));
    case 'any':
      return type.of === undefined || type.of.length === 0 ? anyOperand : fc.oneof(...type.of.map(operandOf));
    default:
      return anyOperand;
  }
}

/** Operands of a built-in: most are of its types, some are not. */
function operandsOf(row: Builtin): fc.Arbitrary<readonly Value[]> {
  const fixed = row.args.map(({ type }) => fc.oneof({ arbitrary: operandOf(type), weight: 4 }, { arbitrary: anyOperand, weight: 1 }));
  const rest = fc.array(anyOperand, { maxLength: row.variadic === undefined ? 0 : 2 });
  return fc.tuple(fc.tuple(...fixed), rest).map(([first, more]) => [...first, ...more]);
}

/** Where a value has what no value of the language is. */
function strange(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (value instanceof ExactNumber) return undefined;
  const inner = value as Value;
  if (isSet(inner)) return strange([...inner]);
  if (isArray(inner)) return inner.map(strange).find((found) => found !== undefined);
  if (inner instanceof RegoObject) return strange([...inner.keys()].flatMap((key) => [key, inner.get(key)!]));
  return isObject(inner) ? strange(Object.values(inner)) : typeof value;
}

const isOfParts = (name: string) => name === 'internal.print' || name === 'internal.template_string';

const mostUnits = 20_000_000;

async function outcome(name: string, operands: readonly Value[]): Promise<string | undefined> {
  let units = 0;
  const context = testContext(
    {},
    {
      tick: (count = 1) => {
        units += count;
        if (units > mostUnits) throw new HaltError('eval_cancel_error', 'too much work');
      },
      wait: () => {
        throw new HaltError('eval_cancel_error', 'this test does not wait');
      },
    },
  );
  try {
    const value = await callBuiltin(name, operands, context);
    return value === undefined ? undefined : strange(value);
  } catch (error) {
    if (error instanceof BuiltinError) return undefined;
    // Only the planner calls built-ins with parts, and it makes them of no other types.
    if (error instanceof HaltError && (error.code !== 'eval_internal_error' || isOfParts(name))) return undefined;
    return String((error as Error).stack);
  }
}

test.each([...builtins.keys()])('%s', async (name) => {
  const row = builtins.get(name)!;
  if (row.args.length === 1) {
    for (const value of odd) expect(await outcome(name, [value]), termText(value).slice(0, 500)).toBeUndefined();
  }
  await fc.assert(
    fc.asyncProperty(operandsOf(row), async (operands) => {
      expect(await outcome(name, operands), operands.map((value) => termText(value).slice(0, 500)).join(', ')).toBeUndefined();
    }),
  );
});
