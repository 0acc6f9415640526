import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileKeys, values } from '../../test/generators/values.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { allAtOnce } from '../steps.js';
import type { Value } from '../value.js';
import { JsonError, maxWritten, parseJson, toIndentedJson, toJson } from './json.js';
import { type WriteJsonOptions, writeJsonSteps } from './json-writer.js';

function written(value: Value, options?: WriteJsonOptions): string {
  return Buffer.from(allAtOnce(writeJsonSteps(value, options))).toString();
}

describe('the writer in steps', () => {
  test('writes as the one that does it at once', () => {
    fc.assert(
      fc.property(values(), (value) => {
        expect(written(value)).toBe(toJson(value));
        expect(written(value, { pretty: true })).toBe(toIndentedJson(value));
        expect(written(value, { before: 'p', after: '\n' })).toBe(`p${toJson(value)}\n`);
        expect(toJson(parseJson(written(value, { unordered: true })))).toBe(toJson(parseJson(toJson(value))));
      }),
      { numRuns: randomCases(500) },
    );
  });

  test('writes keys of any name, many of them in order', () => {
    const keys = Array.from({ length: 30_000 }, (_, i) => `k${(i * 7919) % 30_011}`);
    const value = Object.fromEntries([...keys, ...hostileKeys, '\ue000', '\u{1f600}'].map((key, i) => [key, [i]]));
    expect(written(value)).toBe(toJson(value));
    expect(written(value)).toBe(toJson({ ...value }));
    expect([...writeJsonSteps({ ...value })].length).toBeGreaterThan(10);
  });

  test.each(['a', '"', 'é', '\u{1f600}', 'a\u{1f600}'])('writes long strings of %s', (part) => {
    const value = ['', part.repeat(1_000_000), { [part.repeat(10)]: `x${part.repeat(600_000)}` }];
    expect(written(value)).toBe(toJson(value));
    expect(written(value[1]!)).toBe(toJson(value[1]!));
  });

  test('writes deep values', () => {
    const deep = `${'['.repeat(9000)}1${']'.repeat(9000)}`;
    expect(written(parseJson(deep))).toBe(deep);
  });

  test.each([
    ['lists', (): Value => []],
    ['objects', (): Value => ({ a: {} })],
  ])('encodes the text of %s without scalars in parts as it grows', (_kind, make) => {
    const longest = { bytes: 0 };
    const take = (bytes: number) => {
      longest.bytes = Math.max(longest.bytes, bytes);
    };
    const value = Array.from({ length: 200_000 }, make);
    expect(written(value, { take })).toBe(toJson(value));
    expect(longest.bytes).toBeLessThan(200_000);
  });

  test('ends for a value of exponential size, and at a limit', () => {
    let folded: Value = [1, 1];
    for (let i = 0; i < 60; i++) folded = [folded, folded];
    expect(() => written(folded)).toThrow(new JsonError(`more than ${maxWritten} values`));
    const take = (bytes: number) => {
      if (bytes > 0) throw new Error('too much');
    };
    expect(() => written(folded, { take })).toThrow('too much');
  });
});
