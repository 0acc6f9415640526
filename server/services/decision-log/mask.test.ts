import { describe, expect, test } from 'vitest';
import { MaskError, maskRules } from '../../../engine/why/mask-rules.js';
import { deepJson, jsonCopy } from '../../../values/json/deep-json.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { masked } from './mask.js';

const event: PlainObject = {
  decision_id: 'd',
  input: { user: 'al', password: 'secret', list: [{ a: 1 }, 2, [3]], 'a b/c': 1, nothing: null },
  result: [1, { x: 2 }],
};

function maskedBy(...rules: Value[]): PlainObject {
  return masked(structuredClone(event), maskRules(rules));
}

describe('what rules do to an event', () => {
  test.each<[string, Value, object]>([
    [
      'a path is removed',
      '/input/password',
      { input: { ...(event.input as PlainObject), password: undefined }, erased: ['/input/password'] },
    ],
    ['an object says the same', { op: 'remove', path: '/result/1/x' }, { result: [1, {}], erased: ['/result/1/x'] }],
    ['elements go by position', '/result/0', { result: [{ x: 2 }], erased: ['/result/0'] }],
    ['a field goes as a whole', '/input', { input: undefined, erased: ['/input'] }],
    [
      'segments are escaped',
      '/input/a%20b%2Fc',
      { input: { ...(event.input as PlainObject), 'a b/c': undefined }, erased: ['/input/a%20b%2Fc'] },
    ],
    ['null is a value', '/input/nothing', { input: { ...(event.input as PlainObject), nothing: undefined }, erased: ['/input/nothing'] }],
    [
      'another value takes its place',
      { op: 'upsert', path: '/input/password', value: { hidden: true } },
      { input: { ...(event.input as PlainObject), password: { hidden: true } }, masked: ['/input/password'] },
    ],
    [
      'objects on the way are made',
      { op: 'upsert', path: '/input/new/er', value: 1 },
      { input: { ...(event.input as PlainObject), new: { er: 1 } }, masked: ['/input/new/er'] },
    ],
    ['a field is replaced', { op: 'upsert', path: '/result', value: 0 }, { result: 0, masked: ['/result'] }],
    ['a value that is left out is null', { op: 'upsert', path: '/result' }, { result: null, masked: ['/result'] }],
    ['what is not there stays away', '/input/nosuch/x', {}],
    ['so do fields that the event lacks', { op: 'upsert', path: '/nd_builtin_cache/x', value: 1 }, {}],
    ['scalars hold nothing', { op: 'upsert', path: '/input/user/x', value: 1 }, {}],
    ['arrays do not grow', { op: 'upsert', path: '/input/list/9', value: 1 }, {}],
    ['keys of the prototype are none', '/input/constructor', {}],
    [
      'a key is named as one of a prototype',
      { op: 'upsert', path: '/input/__proto__/x', value: 1 },
      { input: { ...(event.input as PlainObject), ['__proto__']: { x: 1 } }, masked: ['/input/__proto__/x'] },
    ],
  ])('%s', (_title, rule, expected) => {
    expect(JSON.parse(deepJson(maskedBy(rule)))).toEqual(JSON.parse(deepJson({ ...event, ...expected })));
  });

  test('keys of a large object go, come and come again', () => {
    const many = jsonCopy(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, i])));
    const rules = [
      '/input/k5',
      { op: 'upsert', path: '/input/new/x', value: 1 },
      '/input/k7',
      { op: 'upsert', path: '/input/k7', value: 7.5 },
    ];
    const { input } = JSON.parse(deepJson(masked({ input: many }, maskRules(rules))));
    const { k5: _, ...others } = many as PlainObject;
    expect(input).toEqual({ ...others, k7: 7.5, new: { x: 1 } });
  });

  test('rules come one after the other', () => {
    const result = maskedBy('/input/list/0', '/input/list/0', { op: 'upsert', path: '/input/user', value: 'x' }, '/input/password');
    expect((result.input as PlainObject).list).toEqual([[3]]);
    expect(result.erased).toEqual(['/input/list/0', '/input/list/0', '/input/password']);
    expect(result.masked).toEqual(['/input/user']);
  });
});

test.each<[Value, string]>([
  [{ a: 1 }, 'unexpected rule format: object'],
  [[1], 'invalid mask rule format encountered: number'],
  [[''], 'mask must be non-empty'],
  [['input/x'], 'mask must be slash-prefixed'],
  [['/labels/x'], 'mask prefix not allowed: labels'],
  [['/input/%zz'], 'invalid URL escape "%zz"'],
  [[{ path: '/input' }], 'mask op is not supported: '],
  [[{ op: 'replace', path: '/input' }], 'mask op is not supported: replace'],
  [[{ op: 1, path: '/input' }], 'invalid "op" value: number'],
  [[{ op: 'remove', path: '' }], 'invalid "path" value: string'],
])('%j is no list of rules', (decision, message) => {
  expect(() => maskRules(decision)).toThrow(new MaskError(message));
});
