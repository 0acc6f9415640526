import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileKeys, numberTexts, strings } from '../../test/generators/values.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { plainKeys, sortedKeys } from '../compare.js';
import { ExactNumber } from '../numbers/number.js';
import { allAtOnce } from '../steps.js';
import type { PlainObject, Value } from '../value.js';
import { JsonError, maxDepth, parseJson, toJson } from './json.js';
import { jsonComplaint } from './json-complaint.js';
import { type ReadJsonOptions, readJsonSteps } from './json-reader.js';
import { writeJsonSteps } from './json-writer.js';

const runs = { numRuns: randomCases(2000) };

function read(text: string | Uint8Array, options?: ReadJsonOptions): Value {
  return allAtOnce(readJsonSteps(typeof text === 'string' ? Buffer.from(text) : text, options));
}

/**
 * The value with the texts of its exact numbers and the order of its keys, or the error message.
 */
function outcome(read: () => Value): unknown {
  try {
    return shown(read());
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.message;
  }
}

function shown(value: Value): unknown {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 'minus zero' : value;
  if (value instanceof ExactNumber) return ['exact', value.text];
  if (Array.isArray(value)) return ['list', value.map(shown)];
  return ['object', Object.getPrototypeOf(value) === Object.prototype, Object.entries(value).map(([key, member]) => [key, shown(member)])];
}

/**
 * Reads a text with the native reader; errors have the message of Go's decoder if it reports one.
 */
function native(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    throw new JsonError(jsonComplaint(text) ?? (error as Error).message);
  }
}

const spaces = fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n'), maxLength: 2 });
const strange = fc.constantFrom('"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00x"', '"\\u0000"', '"\\/\\b"', '"é\\n€"', '"\u{1f600}"');
const literals = fc.oneof(
  strings.map((text) => JSON.stringify(text)),
  strange,
  fc.constantFrom(...hostileKeys).map((key) => JSON.stringify(key)),
);

const texts: fc.Arbitrary<string> = fc.letrec<{ text: string }>((tie) => ({
  text: fc
    .tuple(
      spaces,
      fc.oneof(
        { depthSize: 'medium' },
        numberTexts,
        literals,
        fc.constantFrom('null', 'true', 'false', '-0', '0', '-7', '1e5', '1E-7', '123456789012345', '1234567890123456', '1.0'),
        fc.array(tie('text'), { maxLength: 4 }).map((list) => `[${list.join()}]`),
        fc
          .array(fc.tuple(literals, spaces, tie('text')), { maxLength: 4 })
          .map((entries) => `{${entries.map(([key, space, text]) => `${key}${space}:${text}`).join()}}`),
      ),
      spaces,
    )
    .map((parts) => parts.join('')),
})).text;

/** Texts with a few characters deleted, inserted or changed. */
const broken = fc
  .tuple(
    texts,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '.', 'e', '-', 'x', ' ', '\u0001', '\u007f', 'é', '\\u', "'"),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([text, edits]) =>
    edits
      .reduce((edited, [place, put]) => {
        const at = place % (edited.length + 1);
        return edited.slice(0, at) + put + edited.slice(at + (place % 2));
      }, text)
      .toWellFormed(),
  );

describe('the reader in steps', () => {
  test('reads the same values as the native reader', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(() => read(text, { whole: true }))).toEqual(outcome(() => native(text)));
      }),
      runs,
    );
  });

  test('reports invalid JSON in the same words', () => {
    fc.assert(
      fc.property(broken, (text) => {
        const expected = outcome(() => native(text));
        // The reference treats a `null` after a value as the end of the text.
        if (typeof expected === 'string' && /non-whitespace|'n' after top-level/.test(expected)) return;
        expect(outcome(() => read(text, { whole: true }))).toEqual(expected);
      }),
      runs,
    );
  });

  test('reads the first value, and ignores text after it', () => {
    fc.assert(
      fc.property(texts, fc.constantFrom('', ' ', '}', ' ]', '\n{"a":', ' 1', '"', ',', '\u0000', ' x'), (text, rest) => {
        expect(outcome(() => read(text + rest))).toEqual(outcome(() => native(text)));
      }),
      runs,
    );
  });

  test('reads bytes that are no UTF-8 as the native one reads their text', () => {
    const bytes = fc.array(fc.oneof(fc.nat(255), fc.constantFrom(0xc3, 0xa9, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98, 0x22, 0x5c, 0x61)), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(bytes, fc.boolean(), (inside, closed) => {
        const text = Buffer.concat([Buffer.from('["'), Buffer.from(inside), Buffer.from(closed ? '"]' : '')]);
        const expected = outcome(() => native(text.toString('utf8')));
        if (typeof expected === 'string' && /non-whitespace|'n' after top-level/.test(expected)) return;
        expect(outcome(() => read(text, { whole: true }))).toEqual(expected);
      }),
      runs,
    );
  });

  const long = 1_200_000;

  test.each([
    ['plain', 'a'.repeat(long)],
    ['wide', 'é€\u{1f600}'.repeat(long / 4)],
    ['escaped', '\\n\\u00e9\\ud83d\\ude00\\\\'.repeat(long / 20)],
    ['of halves of pairs', '\\ud83d'.repeat(long / 6)],
    ['of quotes', '\\"'.repeat(long / 2)],
  ])('reads long strings that are %s', (_title, inside) => {
    for (const shift of ['', 'a', 'ab', 'abc']) {
      const text = `{"k":"${shift}${inside}","${inside}":1}`;
      expect(outcome(() => read(text))).toEqual(outcome(() => native(text)));
    }
  });

  const digits = '7'.repeat(524_286);

  test.each(['7', '.5', 'e3', '.5E-3', `.${digits}`, `e+${digits}`, `.${digits}e${digits}`, '', '.', 'e', '.x', 'e-', `.${digits}e`])(
    'reads a number of 2 MB in steps (%#)',
    (rest) => {
      // The end of a piece falls on each place of the number.
      for (const more of ['', '7', '77', '777', '7777']) {
        const text = `[-${digits.repeat(4)}${more}${rest},2]`;
        let steps = 0;
        const counted = () => {
          for (const reading = readJsonSteps(Buffer.from(text)); ; steps++) {
            const { done, value } = reading.next();
            if (done === true) return value;
          }
        };
        expect(outcome(counted)).toEqual(outcome(() => native(text)));
        expect(steps).toBeGreaterThan(2);
      }
    },
  );

  test.each([
    ['a string', `["${'a'.repeat(long)}`],
    ['spaces', `[1${' '.repeat(long)}`],
    ['a number', `[1${'0'.repeat(long)}`],
  ])('complains of a text that ends within %s', (_title, text) => {
    expect(outcome(() => read(text))).toBe('unexpected EOF');
  });

  test.each([
    ['', 'EOF'],
    [' '.repeat(long), 'EOF'],
    ['['.repeat(maxDepth + 1), 'exceeded max depth'],
    ['{"a":'.repeat(maxDepth + 1), 'exceeded max depth'],
    [`${'1'.repeat(long)}`, new ExactNumber('1'.repeat(long))],
    ['1 null', 1],
    ['\ufeff1', "invalid character 'ï' looking for beginning of value"],
  ] as const)('of %.20s makes what it should', (text, expected) => {
    const found = outcome(() => read(text, { whole: true }));
    expect(found).toEqual(typeof expected === 'string' ? expected : shown(expected as Value));
  });

  test('reads values nested as deep as in the reference', () => {
    let value = read(`${'[{"a":'.repeat(maxDepth / 2)}1${'}]'.repeat(maxDepth / 2)}`);
    for (let i = 0; i < maxDepth / 2; i++) value = (value as readonly { readonly a: Value }[])[0]!.a;
    expect(value).toBe(1);
  });

  test('keeps the keys of an object of many, each once and in order where they are asked for in order', () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 9973}${i % 3 === 0 ? '' : 'x'}`);
    const members = [...names.map((name, i) => `"${name}":${i}`), '"__proto__":{"b":1,"a":2}', '"\\ud800":3'];
    const text = `{"inner":{${members.join()}},"few":{"b":1,"a":1}}`;
    const made = read(text) as { readonly inner: PlainObject };
    const expected = parseJson(text) as { readonly inner: PlainObject };
    expect(new Set(plainKeys(made.inner))).toEqual(new Set(Object.keys(expected.inner)));
    expect(plainKeys(made.inner)).toHaveLength(Object.keys(expected.inner).length);
    expect(() => toJson(made, 1000)).toThrow(JsonError);
    const written = allAtOnce(writeJsonSteps(made));
    expect(Buffer.from(written).toString()).toBe(toJson(expected));
    expect(toJson(made)).toBe(toJson(expected));
    expect(sortedKeys(made.inner)).toEqual(sortedKeys(expected.inner));
  });

  test('reports the memory that it takes, and ends at the limit', () => {
    let taken = 0;
    const take = (bytes: number) => {
      taken += bytes;
      if (taken > 1_000_000) throw new Error('too much');
    };
    for (const part of ['1,', '{},', '[],', '1.10,', '"ab",', '{"a":1},', `"${'x'.repeat(1000)}",`, `"${'\\n'.repeat(1000)}",`]) {
      taken = 0;
      expect(() => read(`[${part.repeat(5_000_000 / part.length)}1]`, { take })).toThrow('too much');
      expect(taken).toBeLessThan(4_000_000);
    }
  });
});
