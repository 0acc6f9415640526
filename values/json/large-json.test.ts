import { describe, expect, test } from 'vitest';
import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import type { Value } from '../value.js';
import { parseJson, toJson } from './json.js';

/** A list that is long enough to be written as bytes. */
const listOf = (text: string): string[] => Array.from({ length: 40 }, (_, i) => text + i);

describe('a large collection', () => {
  test.each([
    ['ASCII', 'a b'],
    ['controls and quotes', '\u0000\n"\\\u007f'],
    ['two bytes', 'é\u07ff'],
    ['three bytes', '\u0800\ud7ff\ue000\uffff\ufeff'],
    ['surrogate pairs', '😀\u{10000}\u{10ffff}'],
    ['strings of some length', 'é"'.repeat(200)],
    ['strings longer than the bytes that are kept', 'aé'.repeat(40_000)],
  ])('is written with %s', (_title, text) => {
    const list = listOf(text);
    const object = Object.fromEntries(list.map((key, i) => [key, { [key]: [i, null, true, 0.5, key] }]));
    const keys = [...list].sort();
    expect(toJson(list)).toBe(JSON.stringify(list));
    expect(toJson([list, list])).toBe(JSON.stringify([list, list]));
    expect(toJson(object)).toBe(`{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(object[key])}`).join()}}`);
    expect(toJson(new RegoSet(list))).toBe(JSON.stringify(keys));
    expect(toJson(new RegoObject(list.map((key) => [key, key])))).toBe(
      `{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(key)}`).join()}}`,
    );
  });

  test('has replacements for lone surrogates', () => {
    expect(toJson(listOf('\ud800'))).toBe(JSON.stringify(listOf('\ufffd')));
  });

  test('has the digits of exact numbers', () => {
    const text = `[${Array.from({ length: 20 }, (_, i) => `${i}.10,1e400,12345678901234567890`).join()}]`;
    expect(toJson(parseJson(text))).toBe(text);
  });

  test.each([
    ['no member', [[], {}, new RegoSet(), new RegoObject()], '[],{},[],{}'],
    ['undefined members alone', [{ a: undefined } as unknown as Value], '{}'],
    ['an undefined member first', [{ a: undefined, b: 1 } as unknown as Value], '{"b":1}'],
  ])('writes collections with %s', (_title, values, text) => {
    const list: Value[] = [...values, ...listOf('')];
    expect(toJson(list)).toBe(`[${text},${JSON.stringify(listOf('')).slice(1)}`);
  });

  test('has large collections as keys', () => {
    const [list, other] = [listOf('x'), listOf('y')];
    const object = new RegoObject([
      [list, new RegoObject([[other, 'é']])],
      [true, 1],
    ]);
    const key = (value: Value) => JSON.stringify(JSON.stringify(value));
    expect(toJson([...other, object])).toBe(`${JSON.stringify(other).slice(0, -1)},{${key(list)}:{${key(other)}:"é"},"true":1}]`);
  });

  test('ends at its limit, and the next one is written', () => {
    expect(() => toJson([listOf('a'), listOf('b')], 50)).toThrow('more than 50 values');
    expect(toJson(listOf('a'))).toBe(JSON.stringify(listOf('a')));
  });

  test('may be longer than the bytes that are kept', () => {
    const list = Array.from({ length: 50_000 }, (_, i) => `é${i}`);
    expect(toJson(list)).toBe(JSON.stringify(list));
  });
});
