import { describe, expect, test } from 'vitest';
import { equal } from '../../values/equal.js';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { documentPath, keyInPath, replacedAt } from './document-path.js';
import { debugValueText } from './value-text.js';
import { Variables } from './variables.js';

const format = { hex: false, longest: 100 };

describe('the text of a value', () => {
  test.each<[Value | undefined, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['a"b', '"a\\"b"'],
    [numberFromText('12345678901234567890'), '12345678901234567890'],
    [[1, [true], {}], '[1, [true], {}]'],
    [new RegoSet(), 'set()'],
    [new RegoSet([2, 1]), '{1, 2}'],
    [new RegoObject([[new RegoSet([1]), 'x']]), '{{1}: "x"}'],
    [{ b: 1, a: null }, '{"a": null, "b": 1}'],
  ])('%j is %s', (value, text) => {
    expect(debugValueText(value, format)).toBe(text);
  });

  test('whole numbers may be hexadecimal', () => {
    expect(debugValueText([255, -16, 1.5, numberFromText('18446744073709551616')], { hex: true, longest: 100 })).toBe(
      '[0xff, -0x10, 1.5, 0x10000000000000000]',
    );
  });

  test('a long text is cut, whatever the value', () => {
    let deep: Value = 'end';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    for (const value of ['x'.repeat(1e6), Array.from({ length: 1e5 }, (_, i) => i), deep])
      expect(debugValueText(value, format).length).toBeLessThanOrEqual(101);
  });
});

describe('a path into a document', () => {
  test.each<[string, string, Value[]]>([
    ['input', 'input', []],
    ['data.a["b c"][0]', 'data', ['a', 'b c', 0]],
  ])('%s is read', (text, document, keys) => {
    expect(documentPath(text)).toEqual({ document, keys });
    expect(`${document}${keys.map(keyInPath).join('')}`).toBe(text);
  });

  test.each(['x', 'input.a[i]', 'input.a == 1', 'count(input)', '', '}', 'input.a; input.b'])('%s cannot be set', (text) => {
    expect(() => documentPath(text)).toThrow();
  });

  test.each<[Value | undefined, Value[], Value | string]>([
    [undefined, [], 'new'],
    [undefined, ['a', 'b'], { a: { b: 'new' } }],
    [{ a: 1, b: 2 }, ['a'], { a: 'new', b: 2 }],
    [[1, 2], [1], [1, 'new']],
    [[1, 2], [2], [1, 2, 'new']],
    [{ a: [{ b: 1 }] }, ['a', 0, 'b'], { a: [{ b: 'new' }] }],
    [{ __proto__: null, x: 1 } as unknown as Value, ['__proto__'], JSON.parse('{"x": 1, "__proto__": "new"}') as Value],
  ])('in %j at %j there is another value then', (document, keys, expected) => {
    const before = document === undefined ? '' : JSON.stringify(document);
    expect(equal(replacedAt(document, keys, 'new'), expected)).toBe(true);
    if (document !== undefined) expect(JSON.stringify(document)).toBe(before);
  });

  test.each<[Value, Value[]]>([
    ['text', ['a']],
    [[1], [5]],
    [[1], ['a']],
    [new RegoSet([1]), [1]],
  ])('in %j there is no place for %j', (document, keys) => {
    expect(() => replacedAt(document, keys, 'new')).toThrow(/no place/);
  });
});

describe('variables', () => {
  const all = { filter: undefined, start: undefined, count: undefined };
  const list = (variables: Variables, value: Value | undefined) =>
    variables.list(() => [{ name: 'v', value, isWritable: true, expression: 'input.v' }]);

  test('collections unfold to their members, with expressions that give the same', () => {
    const variables = new Variables();
    const [v] = variables.read(list(variables, { 'a b': [1, 2] }), all, format);
    expect(v).toMatchObject({ name: 'v', value: '{"a b": [1, 2]}', type: 'object', namedVariables: 1 });
    const [a] = variables.read(v!.variablesReference, all, format);
    expect(a).toMatchObject({ name: 'a b', evaluateName: 'input.v["a b"]', indexedVariables: 2 });
    expect(variables.read(a!.variablesReference, all, format)).toMatchObject([
      { name: '0', value: '1' },
      { name: '1', value: '2' },
    ]);
    expect(variables.read(a!.variablesReference, { ...all, filter: 'named' }, format)).toEqual([]);
    expect(variables.read(a!.variablesReference, { ...all, start: 1, count: 5 }, format)).toMatchObject([{ name: '1' }]);
  });

  test('a variable that is undefined is shown as such', () => {
    const variables = new Variables();
    expect(variables.read(list(variables, undefined), all, format)).toMatchObject([{ value: 'undefined', variablesReference: 0 }]);
  });

  test('a collection has one number, however often it is shown, and none after the evaluation went on', () => {
    const variables = new Variables();
    const number = list(variables, [1]);
    const shown = () => variables.read(number, all, format)[0]!.variablesReference;
    expect(shown()).toBe(shown());
    const before = shown();
    variables.clear();
    expect(() => variables.read(before, all, format)).toThrow(/not shown any more/);
    expect(list(variables, [1])).toBeGreaterThan(before);
  });

  test.each([501, 250_001, 300_000])('of %i members a client gets groups', (size) => {
    const variables = new Variables();
    const value = Array.from({ length: size }, (_, i) => i);
    let groups = variables.read(variables.show(value, undefined, false, format).variablesReference, all, format);
    expect(groups.length).toBeLessThanOrEqual(501);
    while (groups.at(-1)!.variablesReference > 0) groups = variables.read(groups.at(-1)!.variablesReference, all, format);
    expect(groups.at(-1)).toMatchObject({ name: String(size - 1), value: String(size - 1) });
  });

  test('a member of a set that is a number has an expression', () => {
    const variables = new Variables();
    const { variablesReference } = variables.show(new RegoSet(['x']), 'data.p.s', false, format);
    expect(variables.read(variablesReference, all, format)).toMatchObject([{ name: '0', value: '"x"', evaluateName: 'data.p.s.x' }]);
  });
});
