import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { equal } from '../equal.js';
import { parseJson } from '../json/json.js';
import { decodeUtf8 } from '../text/utf8.js';
import type { PlainObject } from '../value.js';
import { parseYaml, toYaml } from './yaml.js';
import { YamlError } from './yaml-error.js';

test('what is written reads back', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('yes', '1', '-', 'a: b', ' a', 'a\nb', 'a\n', '~', '#', "'", '"', '|', '...', '---', '<', 'é', '12:30:45'),
    fc.array(fc.constantFrom('word', ' ', 'x', '\n', ':', '#', "'"), { maxLength: 60 }).map((parts) => parts.join('')),
  );
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[a-zA-Z0-9 :#'-]{0,12}$/), tie('node'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).node;
  fc.assert(
    fc.property(value as fc.Arbitrary<never>, (document) => {
      const written = toYaml(document);
      expect(equal(parseYaml(written), document), written).toBe(true);
    }),
    { numRuns: randomCases(500) },
  );
});

test.each<[string, readonly number[]]>([
  ['invalid leading UTF-8 octet', [0x80]],
  ['invalid leading UTF-8 octet', [0xc0, 0x80]],
  ['invalid trailing UTF-8 octet', [0xc3, 0x20]],
  ['invalid trailing UTF-8 octet', [0xe2, 0x82, 0x20]],
  ['incomplete UTF-8 octet sequence', [0xe2, 0x82]],
])('a text that is no UTF-8 is refused: %s', (complaint, bytes) => {
  const text = Uint8Array.from([...new TextEncoder().encode('a: é'), ...bytes]);
  expect(() => parseYaml(decodeUtf8(text))).toThrow(`yaml: ${complaint}`);
});

test.each([
  ['!!int 12', 12],
  ['!!int "0x10"', 16],
  ['!!int 1_0', 10],
  ['!!float 1', 1],
  ['!!float .5', 0.5],
  ['!!null ~', null],
  ['!!null', null],
  ['!!null ""', null],
  ['!!bool "On"', true],
  ['!!str 12', '12'],
  ['!!binary aGVsbG8=', 'hello'],
  ['!!binary |\n  aGVs\n  bG8=\n', 'hello'],
  ['!!binary ""', ''],
  ['!other x', 'x'],
])('a scalar with a tag of its own: %j', (text, wanted) => expect(parseYaml(text)).toEqual(wanted));

test.each([
  '!!int x',
  '!!int 1.5',
  '!!int',
  '!!int true',
  '!!int "_1"',
  '!!int 1e3',
  '!!float x',
  '!!float ~',
  '!!null x',
  '!!null 0',
  '!!bool x',
  '!!bool 1',
  '!!binary x',
  '!!binary aGVsbG8',
])('a scalar is not what its tag says: %j', (text) => {
  expect(() => parseYaml(text)).toThrow(YamlError);
  expect(() => parseYaml(`a: [${text}]`)).toThrow(YamlError);
});

test.each([
  ['9007199254740993: a', '{"9007199254740993": "a"}'],
  ['18446744073709551615: a\n18446744073709551614: b', '{"18446744073709551615": "a", "18446744073709551614": "b"}'],
  ['-9223372036854775808: a', '{"-9223372036854775808": "a"}'],
  ['18446744073709551616: a', '{"1.8446744e+19": "a"}'],
  ['0x7fffffffffffffff: a', '{"9223372036854775807": "a"}'],
  ['{0o17: a, 0b101: b, 017: c, 1_000: d, +8: e}', '{"15": "c", "5": "b", "1000": "d", "8": "e"}'],
  ['{1.5: a, 2.50: b, 1.0: c, .5: d, -0.0: e, -0: f}', '{"1.5": "a", "2.5": "b", "1": "c", "0.5": "d", "-0": "e", "0": "f"}'],
  ['1.123456789: a', '{"1.1234568": "a"}'],
  ['{1e5: a, 1e6: b, 1.5e-4: c, 1.5e-5: d}', '{"100000": "a", "1e+06": "b", "0.00015": "c", "1.5e-05": "d"}'],
  ['{1e30: a, -1e300: b, .inf: c, +.INF: d, -.Inf: e, .NaN: f}', '{"1e+30": "a", "-.inf": "e", ".inf": "d", ".nan": "f"}'],
  ['? 9007199254740993\n: a', '{"9007199254740993": "a"}'],
  ['a: &n 9007199254740993\n*n : b', '{"a": 9007199254740993, "9007199254740993": "b"}'],
  ['"1e6": a\n!!str 2.50: b', '{"1e6": "a", "2.50": "b"}'],
  ['1: a\n"1": b', '{"1": "b"}'],
])('a number as a key: %s', (text, json) => {
  expect(equal(parseYaml(text), parseJson(json)), text).toBe(true);
});

test.each([
  ['a: 1\nb: 2\n<<: {a: 3}', '{"a": 3, "b": 2}'],
  ['<<: {a: 3}\na: 1', '{"a": 1}'],
  ['<<: [{a: 1}, {a: 2, b: 3}]\nb: 4', '{"a": 1, "b": 4}'],
  ['x: &x {a: 1, b: 1}\ny: {<<: *x, a: 2, <<: {b: 3}}\nz: *x', '{"x": {"a": 1, "b": 1}, "y": {"a": 2, "b": 3}, "z": {"a": 1, "b": 1}}'],
  ['<<: {1: a}\n1: b', '{"1": "b"}'],
  ['- <<\n- "<<": 1\n- {x: <<}', '["<<", {"<<": 1}, {"x": "<<"}]'],
  ['\uf8f1<<0: {a: 1}\n"\\uF8F1<<": 2\n<<: {b: 3}', '{"\uf8f1<<0": {"a": 1}, "\uf8f1<<": 2, "b": 3}'],
  ['a: &a {<<: {b: 1}}\nc: {<<: *a, __proto__: 2}', '{"a": {"b": 1}, "c": {"b": 1, "__proto__": 2}}'],
])('merges count in their order: %j', (text, json) => expect(equal(parseYaml(text), parseJson(json)), text).toBe(true));

test.each(['<<: 1', '<<:', '<<: [1]', 'a: &a [{b: 1}]\nc: {<<: [*a]}', '<<: x', '<<: [[{a: 1}]]'])('%j merges no mapping', (text) =>
  expect(() => parseYaml(text)).toThrow('yaml: map merge requires map or sequence of maps as the value'),
);

describe('a document that stands for too much is an error', () => {
  test('what aliases stand for are copies, so that no object is in a document twice', () => {
    const { a, b, c } = parseYaml('a: &x {list: [1], __proto__: 2}\nb: *x\nc: [*x, {<<: *x}]') as PlainObject;
    expect([b, c]).toEqual([a, [a, a]]);
    const [one, two] = c as PlainObject[];
    for (const other of [b, one, two] as PlainObject[]) {
      expect(other).not.toBe(a);
      expect(other.list).not.toBe((a as PlainObject).list);
      expect(Object.keys(other).sort()).toEqual(['__proto__', 'list']);
    }
  });

  test.each(['[*x,*x]', '[ *x, *x ]', '{k: *x, l: *x}', '{"k":*x,"l":*x}', '\n- *x\n- *x', '\n  k: *x\n  l: *x', '\n- - *x\n  - *x'])(
    'aliases in %j are copies',
    (uses) => {
      const { y } = parseYaml(`x: &x {a: 1}\ny: ${uses}\n`) as { y: Record<string, Record<string, unknown>> };
      const [first, second] = Object.values(Object.values(y)[0]!.a === undefined ? Object.values(y)[0]! : y);
      expect(first).toEqual({ a: 1 });
      expect(second).toEqual(first);
      expect(second).not.toBe(first);
    },
  );

  test('aliases of aliases', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(() => parseYaml(lines.join('\n'))).toThrow('yaml: document contains excessive aliasing');
  });

  test('a value that contains itself', () => {
    expect(() => parseYaml('&a [*a]')).toThrow(YamlError);
  });

  test('deep nesting', () => {
    expect(() => parseYaml('['.repeat(100_000))).toThrow(YamlError);
    expect(() => parseYaml('- '.repeat(5000))).toThrow(YamlError);
  });
});

test('a block scalar ends where the text ends', () => {
  expect(parseYaml('a: |\n  x')).toEqual({ a: 'x' });
  expect(parseYaml('|\n  x')).toBe('x');
  expect(parseYaml('a: >\nb: "x"')).toEqual({ a: '', b: 'x' });
  expect(parseYaml('a: |\n  x\n')).toEqual({ a: 'x\n' });
});

test('hostile keys are keys like any other', () => {
  const value = parseYaml('__proto__: {polluted: true}\nconstructor: 1') as Record<string, unknown>;
  expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('numbers keep their digits up to 64 bits', () => {
  expect(toYaml(parseYaml('[18446744073709551615, -9223372036854775808, 0o17]'))).toBe(
    '- 18446744073709551615\n- -9223372036854775808\n- 15\n',
  );
});

test('only the first document is read', () => {
  expect(parseYaml('a: 1\n---\n[no: {yaml')).toEqual({ a: 1 });
  expect(parseYaml('# c\n%YAML 1.1\n---\na: 1\n...\n}')).toEqual({ a: 1 });
});

describe('words', () => {
  const older = ['y', 'Y', 'yes', 'Yes', 'YES', 'n', 'N', 'no', 'No', 'NO', 'on', 'On', 'ON', 'off', 'Off', 'OFF'];
  test.each(older)('%s is a text, as a value, as a key and in quotes', (word) => {
    expect(parseYaml(word)).toBe(word);
    expect(parseYaml(`${word}: ${word}\nlist: [${word}]\nother: {${word}: "${word}"}`)).toEqual({
      [word]: word,
      list: [word],
      other: { [word]: word },
    });
    expect(toYaml(word)).toBe(`"${word}"\n`);
  });

  test('true, false and null are none, nor is a word with the tag of booleans', () => {
    expect(parseYaml('[true, True, FALSE, ~, null, NULL, !!bool yes, !!bool off, !!bool true]')).toEqual([
      true,
      true,
      false,
      null,
      null,
      null,
      true,
      false,
      true,
    ]);
    expect(parseYaml('')).toBe(null);
  });
});

describe('keys', () => {
  test.each([
    ['? a\n: b', { a: 'b' }],
    ['? a\n: b\n? c\n: - d', { a: 'b', c: ['d'] }],
    ['? "x y"\n: {? z : 1}', { 'x y': { z: 1 } }],
    [`? ${'k'.repeat(2000)}\n: 1`, { ['k'.repeat(2000)]: 1 }],
    ['- ? a\n  : b', [{ a: 'b' }]],
    ['1: a\ntrue: b\n1.5: c', { '1': 'a', true: 'b', '1.5': 'c' }],
    ['a: [x]\nb: {c: d}', { a: ['x'], b: { c: 'd' } }],
  ])('%j is read', (text, wanted) => expect(parseYaml(text)).toEqual(wanted));

  test.each(['[1]: c', '{a: 1}: c', '? [1]\n: c', '? - a\n: c', '? {a: b}\n: c', 'x: {[1]: 2}', '~: a', '? ~\n: a', ': a'])(
    '%j is refused',
    (text) => expect(() => parseYaml(text)).toThrow(YamlError),
  );
});

test.each([
  "'s'0: 1\nallow: false",
  '"s" x\nallow: false',
  '[1]\nx',
  '[1] x',
  '{a: 1}}',
  '{deny: [a]}\nallow: false',
  '&x [1]\n- 2',
  '!!str "a"\nb: 1',
  '# a list\n---\n[1]\nallow: false',
  '[23\n]: 42',
  '|-\n  x\n|-\n  x\n',
  '>-\n  x\n  y\nmore: text',
  '--- |\n  x\n- y\n',
  '|\n  x\n y\n',
  'a: 1\n%b: 2',
])('what is left behind the content is an error: %j', (text) => expect(() => parseYaml(text)).toThrow(YamlError));

test('only a line may end the document', () => {
  expect(parseYaml('a: 1\u2028--- b\nc: 2')).toEqual({ a: '1\u2028--- b', c: 2 });
  expect(parseYaml('a: 1\r... # c\rb: 2')).toEqual({ a: 1 });
});

test('an end of a document that none is before hides nothing', () => {
  for (const text of ['...\na: 1', '# c\n...\na: 1', '%YAML 1.2\n...\na: 1'])
    expect(() => parseYaml(text)).toThrow('yaml: did not find expected node content');
  expect(parseYaml('...\n')).toBe(null);
});

test('a quote too many does not hide the keys behind it', () => {
  expect(() => parseYaml("'s'0: 1\nallow: false")).toThrow('yaml: did not find expected key');
});

test.each([
  ['---\n|2\n   x\n', ' x\n'],
  ['|2\n   x\n', ' x\n'],
  ['--- |2\n   x\n', ' x\n'],
  ['# c\n--- # d\n>2-\n   x\n', ' x'],
  ['%YAML 1.2\n---\n!!str |-1 # c\n  x\n', ' x'],
  ['&a\n|1\n  x\n', ' x\n'],
  [`|9\n${' '.repeat(10)}x\n`, ' x\n'],
  [`|8\n${' '.repeat(9)}x\n`, ' x\n'],
  ['a: |2\n   x\n', { a: ' x\n' }],
  ['a:\n  b: |2\n     x\n', { a: { b: ' x\n' } }],
  ['- |2\n   x\n', [' x\n']],
  ['a:\n- |1\n  x\n', { a: [' x\n'] }],
  ['- - |1\n    x\n', [[' x\n']]],
])('an indentation counts from the column of the parent: %j', (text, wanted) => expect(parseYaml(text)).toEqual(wanted));

test.each([
  ['b: !', { b: '' }],
  ['b: &x !\nc: *x\nd: !x', { b: '', c: '', d: '' }],
  ['b: !\nc: ! # none', { b: '', c: '' }],
  ['!', ''],
  ['- ! 12\n- ! true\n- !\n- ! ~', ['12', 'true', '', '~']],
  ['[! , !x , ! ""]', ['', '', '']],
  ['! [1]', [1]],
  ['a: ! {b: 1}', { a: { b: 1 } }],
])('a bare tag makes a text of a scalar: %j', (text, wanted) => expect(parseYaml(text)).toEqual(wanted));

test.each([
  ['---word1\nword2', '---word1 word2'],
  ['# c\n---a: 1\nb: 2', { '---a': 1, b: 2 }],
  ['--- a', 'a'],
])('three dashes begin a document where a blank follows: %j', (text, wanted) => expect(parseYaml(text)).toEqual(wanted));

test.each([
  ['\u2028', "'\u2028'\n"],
  ['a\u2029b', "'a\u2029b'\n"],
  ['a \u2028', '"a \\L"\n'],
  ['\x85', '"\\N"\n'],
])('%j is written in the quotes that it needs', (text, wanted) => {
  expect(toYaml(text)).toBe(wanted);
  expect(parseYaml(wanted)).toBe(text);
});
