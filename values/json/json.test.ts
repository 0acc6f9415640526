import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileKeys, numberTexts, strings, values } from '../../test/generators/values.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { equal } from '../equal.js';
import { numberFromText } from '../numbers/number.js';
import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import type { PlainObject, Value } from '../value.js';
import { JsonError, maxDepth, parseJson, toIndentedJson, toJson } from './json.js';
import { toPlain } from './plain-form.js';

const runs = { numRuns: randomCases(500) };

/**
 * JSON texts that are read and written without change of form: exact number literals, with keys in
 * any order.
 */
const texts: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    numberTexts,
    strings.map((text) => JSON.stringify(text)),
    fc.constantFrom('null', 'true', 'false'),
    fc.array(tie('text'), { maxLength: 4 }).map((list) => `[${list.join()}]`),
    fc
      .uniqueArray(
        fc.tuple(
          strings.map((key) => JSON.stringify(key)),
          tie('text'),
        ),
        { maxLength: 4, selector: ([key]) => key },
      )
      .map(
        (entries) =>
          `{${entries
            .sort(([a], [b]) => compareKeys(JSON.parse(a) as string, JSON.parse(b) as string))
            .map(([key, value]) => `${key}:${value}`)
            .join()}}`,
      ),
  ),
})).text;

function compareKeys(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => [...text].map((c) => c.codePointAt(0)!.toString(16).padStart(6, '0')).join(''));
  return x! < y! ? -1 : x! > y! ? 1 : 0;
}

describe('JSON in and out', () => {
  test('keeps every digit and every key', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(toJson(parseJson(text))).toBe(text);
      }),
      runs,
    );
  });

  test.each([
    '1e400',
    '-1e400',
    '1E5',
    '1e+5',
    '12345678901234567890',
    '-12345678901234567890',
    '0.1',
    '1.10',
    '-0',
    '-0.0',
    '0.0',
    '1.0',
    '100',
    '0.0000001',
    '0.00000012',
    '123456789012345.6',
    '1234567890123456',
    '0.1234567890123456789',
    '9007199254740993',
    '1e-400',
    '3.0e0',
    '5e-324',
    '1.7976931348623157e308',
  ])('%s comes out as it went in, alone and inside', (text) => {
    expect(toJson(parseJson(text))).toBe(text);
    expect(toJson(parseJson(` [ ${text} , { "a" : ${text} } ] `))).toBe(`[${text},{"a":${text}}]`);
    expect(toJson(parseJson(`[[${text}],"${text}"]`))).toBe(`[[${text}],"${text}"]`);
  });

  test.each(hostileKeys)('the key %j is a key like any other', (key) => {
    const text = `{${JSON.stringify(key)}:{"x":1.10}}`;
    expect(toJson(parseJson(text))).toBe(text);
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(JSON.stringify(toPlain(parseJson(text)))).toBe(text.replace('1.10', '1.1'));
  });

  test('integers of any length are written as they are', () => {
    const integers = [0, -0, 1, 9, 10, 99, 100, 12_345, 999_999_999, 1_000_000_000, 2 ** 31, 2 ** 53 - 1, -1, -10, 1.5, 1e21];
    expect(toJson([...integers, ...integers])).toBe(JSON.stringify([...integers, ...integers]));
    // Across the end of a part.
    const many = Array.from({ length: 20_000 }, (_, i) => (i * 48_271) % 1_000_000_007);
    expect(toJson(many)).toBe(JSON.stringify(many));
  });

  test('objects with the same keys, in the same or another order, are written in order', () => {
    const rows = Array.from({ length: 50 }, (_, i) => {
      if (i % 5 === 4) return { b: i, a: i };
      return i % 5 === 3 ? { a: i, c: i } : { c: i, a: i };
    });
    const sorted = rows.map((row) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));
    expect(toJson(rows)).toBe(JSON.stringify(sorted));
  });

  test('of equal keys the last one counts', () => {
    expect(toJson(parseJson('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
    expect(toJson(parseJson('{"a":1,"a":1.0}'))).toBe('{"a":1.0}');
  });

  test('unpaired surrogates become U+FFFD, pairs are kept', () => {
    expect(parseJson('"\\ud83d\\ude00"')).toBe('\u{1f600}');
    expect(parseJson('["\\ud83d", "\\ude00x", "\\uD800\\u0041"]')).toEqual(['\ufffd', '\ufffdx', '\ufffdA']);
    expect(Object.keys(parseJson('{"\\udead":1}') as object)).toEqual(['\ufffd']);
    expect(toJson('a\ud800')).toBe('"a\ufffd"');
  });

  test('written values are read back equal, sets as arrays', () => {
    fc.assert(
      fc.property(values(), (value) => {
        const back = parseJson(toJson(value));
        expect(toJson(back)).toBe(toJson(value));
        expect(equal(parseJson(toIndentedJson(value)), back)).toBe(true);
        expect(JSON.parse(JSON.stringify(toPlain(value)))).toEqual(
          JSON.parse(toJson(value), (_key, one: unknown) => (one === Infinity || one === -Infinity ? null : Object.is(one, -0) ? 0 : one)),
        );
      }),
      runs,
    );
  });

  test('keys that are no strings come out as their JSON text, sets in order', () => {
    const object = new RegoObject([
      [1, 'one'],
      [[1, 'x'], 'list'],
      ['b', new RegoSet([2, 1, numberFromText('1.0')])],
      [new RegoSet([true]), null],
    ]);
    expect(toJson(object)).toBe('{"1":"one","[1,\\"x\\"]":"list","[true]":null,"b":[1,2]}');
    expect(toPlain(object)).toEqual({ 1: 'one', '[1,"x"]': 'list', b: [1, 2], '[true]': null });
  });

  test('a key that is a collection has the text of an encoder for pages', () => {
    const object = new RegoObject([[['\u2028', '<a&b>'], 1]]);
    expect(toPlain(object)).toEqual({ '["\\u2028","\\u003ca\\u0026b\\u003e"]': 1 });
    expect(toJson(object)).toBe('{"[\\"\\\\u2028\\",\\"\\\\u003ca\\\\u0026b\\\\u003e\\"]":1}');
  });

  test('objects with keys of several types are written once on each level', () => {
    let value: Value = 1;
    for (let i = 0; i < 100; i++) {
      value = new RegoObject([
        ['a', value],
        [['b'], 2],
      ]);
    }
    expect(toJson(value)).toBe(`${'{"[\\"b\\"]":2,"a":'.repeat(100)}1${'}'.repeat(100)}`);
  });

  test('plain data is shared, not copied', () => {
    const plain = { a: [1, { b: 'x' }] };
    expect(toPlain(plain)).toBe(plain);
    const mixed = [plain, new RegoSet([1])];
    expect((toPlain(mixed) as readonly unknown[])[0]).toBe(plain);
  });
});

describe('nesting', () => {
  const nested = (depth: number, inside = '') => '['.repeat(depth) + inside + ']'.repeat(depth);

  test.each([
    ['arrays', nested(100_000)],
    ['arrays never closed', '['.repeat(100_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['numbers that need care', nested(100_000, '1.10')],
  ])('of 100,000 %s is an error', (_title, text) => {
    expect(() => parseJson(text)).toThrow(JsonError);
  });

  test('as deep as the reference reads is read, or refused with an error of ours', () => {
    for (const inside of ['1', '1.10']) {
      const text = nested(maxDepth, inside);
      let out: string | undefined;
      try {
        out = toJson(parseJson(text));
      } catch (error) {
        expect(error).toBeInstanceOf(JsonError);
      }
      if (out !== undefined) expect(out).toBe(text);
    }
  });

  test('a value that contains itself, as foreign plans can make one, ends with an error', () => {
    const [array, object] = [[] as Value[], {} as { a?: Value }];
    array.push(array, array);
    object.a = [object];
    for (const value of [array, object as Value]) {
      expect(() => toJson(value)).toThrow(JsonError);
      expect(() => toIndentedJson(value)).toThrow(JsonError);
    }
  });

  test('1,000 deep comes back', () => {
    expect(toJson(parseJson(nested(1000, '{"a":1.10}')))).toBe(nested(1000, '{"a":1.10}'));
  });

  test('brackets in strings do not count', () => {
    const text = JSON.stringify('['.repeat(50_000));
    expect(toJson(parseJson(text))).toBe(text);
  });
});

test.each(['', ' ', '{', '[1,]', '{"a":1,}', '01', '1.', '.5', '+1', 'NaN', "'a'", '"\n"', '1 2', 'nul', '1e', '- 1', '\ufeff1'])(
  '%j is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(JsonError);
  },
);

test('other things than values cannot be written', () => {
  for (const odd of [undefined, () => 1, Symbol('x'), 1n]) expect(() => toJson([odd as unknown as Value])).toThrow(JsonError);
  const circle: Value[] = [];
  circle.push(circle);
  expect(() => toJson(circle)).toThrow(JsonError);
});

test('a value that is many times in itself is not written at any length', () => {
  let value: Value = [1];
  for (let i = 0; i < 60; i++) value = [value, value];
  expect(() => toJson(value)).toThrow('more than 20000000 values');
  expect(toJson([[1], { a: 'x' }])).toBe('[[1],{"a":"x"}]');
});

test('numbers keep their digits at any depth', () => {
  const text = `${'[{"a":'.repeat(4500)}1.10${'}]'.repeat(4500)}`;
  let value = parseJson(text);
  for (let i = 0; i < 4500; i++) value = ((value as Value[])[0] as PlainObject).a!;
  expect(toJson(value)).toBe('1.10');
  expect(() => parseJson(`${'['.repeat(9000)}1.10`)).toThrow(JsonError);
});

test('a plain value with a set inside is copied once on each level', () => {
  let value: Value = new RegoSet([1]);
  for (let i = 0; i < 100; i++) value = { a: value, b: 1 };
  expect(JSON.stringify(toPlain(value))).toContain('[1]');
});

test('a value without end is refused as plain data too', () => {
  let value: Value = ['x'];
  for (let i = 0; i < 60; i++) value = [value, value];
  expect(() => toPlain(value)).toThrow('more than 20000000 values');
});
