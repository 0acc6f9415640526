import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { documentPathText, segmentsOf } from './document-path.js';

describe('a path', () => {
  test.each<[string, string[]]>([
    ['authz/allow', ['authz', 'allow']],
    ['/authz/allow/', ['authz', 'allow']],
    ['', []],
    ['/', []],
    ['a//b', ['a', '', 'b']],
    ['data/x', ['data', 'x']],
    ['/data', ['data']],
    ['/data.v1/x', ['data.v1', 'x']],
    ['database', ['database']],
  ])('with slashes: %s', (path, segments) => {
    expect(segmentsOf(path)).toEqual(segments);
  });

  test.each<[string, string[]]>([
    ['data', []],
    ['data.authz.allow', ['authz', 'allow']],
    ['data.files["a/b.txt"].size', ['files', 'a/b.txt', 'size']],
    ['data["say \\"hi\\""][0]', ['say "hi"', '0']],
    ['data.raw[`a\\b`]', ['raw', 'a\\b']],
    ['data[""].x', ['', 'x']],
    ['data["a.b"]["__proto__"]', ['a.b', '__proto__']],
  ])('as in a policy: %s', (path, segments) => {
    expect(segmentsOf(path)).toEqual(segments);
  });

  test.each(['data.', 'data.a-b', 'data.a/b', 'data[x]', 'data["x]', 'data.a[1.5]', 'data["\\q"]', 'data..a'])(
    'as in a policy that cannot be read is an error: %s',
    (path) => {
      expect(() => segmentsOf(path)).toThrow(expect.objectContaining({ name: 'EngineError', code: 'invalid_path' }));
    },
  );

  test('that is no text is an error', () => {
    expect(() => segmentsOf(undefined as never)).toThrow('a path is a text such as "authz/allow", not undefined');
  });
});

test('any segments have a text that reads as them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('data', 'data.x', 'data[', '', '/', '0', 'a b')), { maxLength: 5 }),
      (segments) => {
        expect(segmentsOf(documentPathText(segments))).toEqual(segments);
      },
    ),
    { numRuns: randomCases(500) },
  );
});
