/** Built-ins of a host: readers of operands, relations, and the types of their functions. */
import { expect, test } from 'vitest';
import { arg, asyncBuiltin, type Builtin, BuiltinError, builtin, Engine, relation, types } from './index.js';

async function decided(row: Builtin, expression: string): Promise<unknown> {
  const engine = await Engine.open({ policies: { 'p.rego': `package p\n\nx := ${expression}` } }, { builtins: [row] });
  const { result } = await engine.decideAsync('p/x', undefined, { strictBuiltinErrors: true });
  return result;
}

const month = arg('month', types.string, (value, position) => {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= 12) return number;
  throw new BuiltinError(`operand ${position} must be a month`);
});
const quarter = builtin('acme.quarter', [month], types.number, (number) => Math.ceil(number / 3));

test('a body gets the result of a reader', async () => {
  expect(await decided(quarter, 'acme.quarter("08")')).toBe(3);
});

test('an error of a reader is an error of the call', async () => {
  await expect(decided(quarter, 'acme.quarter("13")')).rejects.toThrow('operand 1 must be a month');
});

test('a reader reads the operands of a built-in that waits', async () => {
  const name = arg('name', types.string, (value) => String(value).toLowerCase());
  const owner = asyncBuiltin('acme.owner', [name], types.string, async ([lower]) => `owner of ${lower}`);
  expect(await decided(owner, 'acme.owner("Books")')).toBe('owner of books');
});

test('a relation is true of each value', async () => {
  const divisors = relation('acme.divisors', [arg('n', types.number)], types.number, (n) => {
    return [1, 2, 3, 4, 5, 6].filter((divisor) => Number(n) % divisor === 0);
  });
  expect(await decided(divisors, '[d | acme.divisors(6, d)]')).toEqual([1, 2, 3, 6]);
});

test('a function that does not fit its declaration does not compile', () => {
  // @ts-expect-error an operand of another type
  builtin('acme.x', [arg('a', types.string)], types.string, (a: number) => String(a));
  // @ts-expect-error another result
  builtin('acme.x', [arg('a', types.string)], types.boolean, (a) => a.length);
  // @ts-expect-error the reader converts it
  builtin('acme.x', [month], types.string, (a: string) => a);
  // @ts-expect-error another result
  asyncBuiltin('acme.x', [arg('a', types.string)], types.boolean, async ([a]) => a);
});
