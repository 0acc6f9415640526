import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { testContext } from '../../test/harness/builtins.js';
import type { NumberValue } from '../numbers/number.js';
import { RegoSet } from '../set.js';
import { answering, any, anyOf, array, boolean, nullType, number, object, set, string, tuple } from '../type.js';
import type { ArrayValue, ObjectValue, Value } from '../value.js';
import { arg, asyncBuiltin, builtin, type Operand, relation } from './builtin.js';
import { BuiltinError } from './builtin-errors.js';
import { RowTable } from './families/row-table.js';
import { type FamilyName, familyNames } from './family-names.js';
import { checked, readersOf, readOperands, unchecked } from './read-operands.js';
import { builtins, families } from './registry.js';
import { bigInteger, int64, stringAsFirst } from './value-operands.js';

test('a row keeps what it declares', () => {
  const row = builtin('x', [arg('a', string)], boolean, (a) => a.length > 0, { deprecated: true });
  expect(row).toMatchObject({ name: 'x', args: [{ name: 'a', type: { type: 'string' } }], result: { type: 'boolean' }, deprecated: true });
  expect(row.body('a')).toBe(true);
});

/** Whether two types are the same. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;

// The next two tests are checked by the type checker, which reads tests as well.
test('a body gets operands of the types that its row declares', () => {
  builtin('x', [arg('a', string), arg('b', number)], boolean, (a, b, context) => {
    const types: Same<[typeof a, typeof b], [string, NumberValue]> = true;
    context.tick(1);
    return types;
  });
  builtin('x', [arg('a', anyOf(string, array(string), nullType))], number, (a) => {
    const types: Same<typeof a, string | readonly string[] | null> = true;
    return Number(types);
  });
  // The check does not look into the elements of an array's elements, nor into arrays of a fixed
  // length.
  builtin('x', [arg('a', array(array(string))), arg('b', tuple(string, number))], any, (a, b) => {
    const types: Same<[typeof a, typeof b], [readonly ArrayValue[], ArrayValue]> = true;
    return types;
  });
  builtin('x', [arg('a', string)], string, (a) => (a === '' ? undefined : a));
  builtin('x', [arg('a', string, unchecked)], string, (a: Value) => String(a));
  builtin('x', [arg('a', number, (operand, position) => [position, operand] as const)], string, (a) => {
    const types: Same<typeof a, readonly [number, Value]> = true;
    return String(types);
  });
  builtin('print', [], undefined, (values, context) => values.every((value) => context.print(String(value)) === undefined), {
    variadic: any,
  });
  builtin('x', [arg('a', string)], answering<ObjectValue | null>(object()), (a) => (a === '' ? null : {}));
  relation('x', [arg('a', object())], number, (a: ObjectValue) => [Object.keys(a).length]);
  asyncBuiltin('x', [arg('a', string)], string, async ([a], signal) => (signal.aborted ? undefined : a.trim()));
});

test('a body that does not fit its row does not compile', () => {
  // @ts-expect-error an operand of another type
  builtin('x', [arg('a', string)], string, (a: number) => String(a));
  // @ts-expect-error a number may be an ExactNumber
  builtin('x', [arg('a', number)], number, (a: number) => a + 1);
  // @ts-expect-error more operands than declared
  builtin('x', [arg('a', string)], string, (a: string, b: string) => a + b);
  // @ts-expect-error another result
  builtin('x', [arg('a', string)], boolean, (a) => a.length);
  // @ts-expect-error a result that is not always of the type
  builtin('x', [arg('a', any)], string, (a) => a);
  // @ts-expect-error an array where a set is declared
  builtin('x', [arg('a', set(string))], set(string), (a) => [...a]);
  // @ts-expect-error elements of another type
  builtin('x', [arg('a', array(string))], array(number), (a) => a);
  // @ts-expect-error a value that the body has to check itself
  builtin('x', [arg('a', string, unchecked)], string, (a: string) => a);
  // @ts-expect-error an operand that its reader converts
  builtin('x', [arg('a', number, int64)], string, (a: string) => a);
  // @ts-expect-error a call that waits is known by its operands, which must be values
  asyncBuiltin('x', [arg('a', number, bigInteger)], number, async () => 1);
  // @ts-expect-error a result beside the one that the row states in place of its declared type
  builtin('x', [arg('a', string)], answering<ObjectValue | null>(object()), (a) => a);
  // @ts-expect-error no statement of the true type
  builtin('x', [arg('a', string)], answering(object()), () => ({}));
  // @ts-expect-error a relation answers an array of values
  relation('x', [arg('a', string)], number, (a) => a.length);
  // @ts-expect-error a promise of another type
  asyncBuiltin('x', [arg('a', string)], number, async ([a]) => a);
});

function read(args: readonly Operand[], operands: readonly Value[]): readonly unknown[] {
  return readOperands(readersOf(args), operands, testContext());
}

const strings = anyOf(array(string), set(string));

test('operands are read in their order, each by its reader or by the check of its type', () => {
  const args = [arg('a', string), arg('b', number, int64), arg('c', string, unchecked)];
  expect(read(args, ['x', 3, null])).toEqual(['x', 3, null]);
  expect(() => read(args, [1, 'x', null])).toThrow('operand 1 must be string but got number');
  expect(() => read(args, ['x', 1.5, null])).toThrow('operand 2 must be integer number but got floating-point number');
});

test('a message names types in the order of the row, and a position that its reader chooses', () => {
  expect(() => read([arg('a', strings)], [1])).toThrow('operand 1 must be one of {array, set} but got number');
  expect(() => read([arg('a', strings, checked(strings, 'set', 'array'))], [1])).toThrow('must be one of {set, array} but got number');
  expect(() => read([arg('a', string), arg('b', string, stringAsFirst)], ['x', 1])).toThrow('operand 1 must be string');
});

test('of a set with several wrong members a message names the first in order', () => {
  const wrong = new RegoSet(['b', [1], 2]);
  expect(() => read([arg('a', strings)], [wrong])).toThrow('operand 1 must be set of strings but got set containing number');
  expect(() => read([arg('a', strings)], [['b', [1], 2]])).toThrow('operand 1 must be array of strings but got array containing array');
});

test('of a union of arrays the elements may be of the types of any', () => {
  const args = [arg('a', anyOf(array(string), array(number)))];
  expect(read(args, [['x']])).toEqual([['x']]);
  expect(read(args, [[1]])).toEqual([[1]]);
});

const namesOf = (text = '') => (text === '' ? [] : text.split(/\s+/).filter((name) => name !== ''));

test.each(Object.keys(familyNames) as FamilyName[])('the family %s names all its rows', async (family) => {
  const rows = families[family]();
  const { names, deprecated }: { names: string; deprecated?: string } = familyNames[family];
  expect(namesOf(names)).toEqual(rows.map(({ name }) => name));
  expect(namesOf(deprecated)).toEqual(rows.filter((row) => row.deprecated === true).map(({ name }) => name));
});

test('all names of the registry differ', () => {
  expect(builtins.size).toBe(Object.values(families).flatMap((rows) => rows()).length);
});

describe('a table of rows', () => {
  const row = (name: string) => builtin(name, [], number, () => 1);
  const made = () => {
    const loaded: string[] = [];
    const family = (...names: string[]) => ({
      rows: () => {
        loaded.push(names[0]!);
        return names.map(row);
      },
      names: names.join(' '),
    });
    return { loaded, table: RowTable.of([family('a.one', 'a.two'), { ...family('b.one', 'b.old'), deprecated: 'b.old' }]) };
  };

  test('loads a family once, when a row of it is looked up', () => {
    const { loaded, table } = made();
    expect(table.has('a.one')).toBe(true);
    expect(table.get('c')).toBeUndefined();
    expect([...table.keys()]).toEqual(['a.one', 'a.two', 'b.one', 'b.old']);
    expect(table.deprecated).toEqual(['b.old']);
    expect(loaded).toEqual([]);
    expect(table.get('a.two')?.name).toBe('a.two');
    expect(table.get('a.one')).toBe(table.get('a.one'));
    expect(loaded).toEqual(['a.one']);
  });

  test('may have no deprecated rows', () => {
    expect(RowTable.of([{ rows: () => [row('a')], names: 'a' }]).deprecated).toEqual([]);
  });

  test('loads all where all rows are read', () => {
    const { loaded, table } = made();
    expect([...table].map(([name, row]) => [name, row.name])).toEqual(['a.one', 'a.two', 'b.one', 'b.old'].map((name) => [name, name]));
    expect([...table.values()]).toHaveLength(4);
    expect(new Map(table).get('b.old')?.name).toBe('b.old');
    expect(loaded).toEqual(['a.one', 'b.one']);
  });

  test('has rows of a caller, which replace its own, and loads nothing for them', () => {
    const { loaded, table } = made();
    const [mine, more] = [row('b.old'), { ...row('mine'), deprecated: true }];
    const both = table.with([mine, more]);
    expect(both.get('b.old')).toBe(mine);
    expect(both.get('mine')).toBe(more);
    expect(both.deprecated).toEqual(['mine']);
    expect(loaded).toEqual([]);
    expect(both.get('b.one')?.name).toBe('b.one');
    expect(both.get('b.old')).toBe(mine);
    expect(table.get('b.old')).not.toBe(mine);
  });
});

test('the error of a built-in is an Error that collects no stack', () => {
  const error = new BuiltinError('invalid', 'eval_type_error').by('lower');
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'BuiltinError', message: 'lower: invalid', code: 'eval_type_error' });
  expect(String(error)).toBe('BuiltinError: lower: invalid');
  expect(inspect(error)).toContain('lower: invalid');
  expect((error as Error).stack).toBe(undefined);
});
