import { describe, expect, test } from 'vitest';
import type { Value } from '../values/value.js';
import { PatchError, patchOperations } from './patch.js';
import { pathText } from './path.js';

describe('operations of a JSON Patch', () => {
  test.each<[string, string[]]>([
    ['x', ['r', 'x']],
    ['/x/y/', ['r', 'x', 'y']],
    ['', ['r']],
    ['/', ['r']],
    ['/a~1b', ['r', 'a/b']],
    ['/t~0x', ['r', 't~x']],
    ['/~01', ['r', '~1']],
    ['/~2', ['r', '~2']],
    ['/p%20q', ['r', 'p q']],
    ['/p%2Fq', ['r', 'p/q']],
    ['/%zz', ['r', '%zz']],
    ['-', ['r', '-']],
  ])('the path %j', (path, expected) => {
    expect(patchOperations(['r'], [{ op: 'remove', path }])).toEqual([{ op: 'remove', path: expected }]);
  });

  test('a missing value is null, a missing path the root', () => {
    expect(patchOperations(['r'], [{ op: 'add' }])).toEqual([{ op: 'add', path: ['r'], value: null }]);
  });

  test('null is an empty patch', () => expect(patchOperations([], null)).toEqual([]));

  test.each<[Value, string]>([
    [[{ op: 'move', path: 'x', from: '/y' }], 'bad patch operation: move'],
    [[{ path: 'x' }], 'bad patch operation: '],
    [[null], 'bad patch operation: '],
    [[1], 'json: cannot unmarshal number'],
    [{ op: 'add' }, 'json: cannot unmarshal object'],
    [[{ op: 1 }], 'json: cannot unmarshal number'],
  ])('%j is refused', (body, message) => {
    expect(() => patchOperations([], body)).toThrow(PatchError);
    expect(() => patchOperations([], body)).toThrow(message);
  });
});

test('paths in messages are escaped as in a URL', () => {
  expect(pathText([])).toBe('/');
  expect(pathText(['a b', 'é/', "$&+:=@!'()*~", '\ud800'])).toBe('/a%20b/%C3%A9%2F/$&+:=@%21%27%28%29%2A~/%EF%BF%BD');
});
