import { describe, expect, test } from 'vitest';
import { SchemaTypes } from './schema-types.js';

/** The index signature of names that begin in one way. */
const named = (prefix: string) => `[key: \`${prefix}\${string}\`]`;
const others = '  readonly [key: string]: any;\n  readonly [Symbol.iterator]?: never;';

describe('the type of a schema', () => {
  test.each([
    [true, 'unknown'],
    [false, 'never'],
    [{}, 'unknown'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 1, null, true] }, '"a" | 1 | null | true'],
    [{ const: { a: [1] } }, '{\n  readonly a: readonly [1];\n}'],
    [{ type: 'array' }, 'readonly unknown[]'],
    [{ items: { type: ['string', 'number'] } }, 'readonly (string | number)[]'],
    [{ items: [{ type: 'string' }, { enum: [1, 2] }], additionalItems: false }, 'readonly [string?, (1 | 2)?]'],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, 'readonly [string?, ...number[]]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{\n  readonly [key: string]: number | undefined;\n}'],
    [{ type: 'object', additionalProperties: false }, '{ readonly [key: string]: never }'],
    [{ properties: { a: { type: 'null' } } }, `{\n  readonly a?: null | undefined;\n${others}\n}`],
    [{ required: ['b'], additionalProperties: false }, '{\n  readonly b: never;\n}'],
    [{ required: ['b'], additionalProperties: { type: 'null' } }, '{\n  readonly b: null;\n  readonly [key: string]: null | undefined;\n}'],
    [
      { properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      '{\n  readonly a?: string | undefined;\n  readonly [key: string]: number | string | undefined;\n}',
    ],
    [
      { type: 'object', patternProperties: { a$: { type: 'null' } }, additionalProperties: false },
      '{\n  readonly [key: string]: null | undefined;\n}',
    ],
    [
      { type: 'object', patternProperties: { '^a\\.': { type: 'null' } }, additionalProperties: false },
      `{\n  readonly ${named('a.')}: null | undefined;\n}`,
    ],
    [
      {
        properties: { 'x-a': { type: ['string', 'null'] }, b: { type: 'number' } },
        required: ['x-b'],
        patternProperties: { '^x-.*$': { type: 'null' }, '.': { type: 'boolean' } },
        additionalProperties: false,
      },
      '{\n  readonly "x-a"?: (string | null) & null | undefined;\n  readonly b?: number | undefined;\n  readonly "x-b": null;\n' +
        `  readonly ${named('x-')}: null | undefined;\n` +
        '  readonly [key: string]: boolean | (string | null) & null | number | null | undefined;\n}',
    ],
    [{ type: ['string', 'integer'], not: { type: 'number' } }, 'string'],
    [{ type: ['string', 'number'], not: { type: 'integer' } }, 'string | number'],
    [{ enum: ['a', 1, [2]], not: { anyOf: [{ const: [2] }, { type: 'string' }] } }, '1'],
    [{ type: 'string', not: { type: 'string', minLength: 2 } }, 'string'],
    [{ type: 'object', not: { required: ['a'] } }, `{\n${others}\n} & {\n  readonly a?: undefined;\n${others}\n}`],
    [{ type: 'object', not: { required: ['a', 'b'] } }, `{\n${others}\n}`],
    [{ items: [{ type: 'string' }, { type: 'null' }], minItems: 1, maxItems: 1 }, 'readonly [string]'],
    [{ type: 'string', enum: ['a', 1, 'b'] }, '"a" | "b"'],
    [{ type: ['integer', 'null'], const: 'a' }, 'never'],
    [{ enum: [] }, 'never'],
    [{ prefixItems: [{ type: 'string' }, { type: 'null' }], items: false, minItems: 1 }, 'readonly [string, null?]'],
    [{ items: { $ref: '#/items' } }, 'readonly Items[]'],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, 'string & ("a" | "b")'],
    [{ anyOf: [{ type: 'string' }, {}] }, 'unknown'],
    [{ $ref: 'http://elsewhere/schema' }, 'unknown'],
    [{ $ref: '#/definitions/missing' }, 'unknown'],
  ])('%j is %s', (schema, text) => expect(new SchemaTypes([]).typeOf(schema)).toBe(text));

  test('a schema that refers to itself is a named type', () => {
    const types = new SchemaTypes(['ANode']);
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/a~1node' } }, additionalProperties: false };
    expect(types.typeOf({ $ref: '#/$defs/a~1node', $defs: { 'a/node': node } })).toBe('ANode2');
    expect(types.declarations).toEqual(['export type ANode2 = {\n  readonly next?: ANode2 | undefined;\n};']);
  });

  test.each([
    ['of itself', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }, 'export type A = unknown;'],
    [
      'beside another',
      { $ref: '#/$defs/A', $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] } } },
      'export type A = unknown;',
    ],
    [
      'over another',
      { $ref: '#/$defs/A', $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { anyOf: [{ $ref: '#/$defs/A' }] } } },
      'export type B = unknown;',
    ],
  ])('a reference to a type as a part %s is unknown', (_, schema, declaration) => {
    const types = new SchemaTypes([]);
    types.typeOf(schema);
    expect(types.declarations).toContain(declaration);
  });

  test.each([
    ['an anchor', { $ref: '#node', $defs: { x: { $anchor: 'node', type: 'null' } } }],
    ['the identifier of an older draft', { $ref: '#node', definitions: { x: { $id: '#node', type: 'null' } } }],
    ['an element of a list', { $ref: '#/anyOf/1', anyOf: [{}, { type: 'null' }] }],
  ])('a reference may name %s', (_, schema) => {
    const types = new SchemaTypes([]);
    types.typeOf(schema);
    expect(types.declarations.map((text) => text.replace(/.*= /, ''))).toEqual(['null;']);
  });

  test('a reference hides what stands beside it, but not since 2019', () => {
    const schema = { $ref: '#/$defs/A', properties: { b: { type: 'null' } }, $defs: { A: { enum: ['a'] } } };
    expect(new SchemaTypes([]).typeOf(schema)).toBe('A');
    const newer = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema };
    expect(new SchemaTypes([]).typeOf(newer)).toBe(`A & ({\n  readonly b?: null | undefined;\n${others}\n})`);
  });

  test('a schema with a title has its name', () => {
    const types = new SchemaTypes(['Order']);
    expect(types.named({ title: 'order', type: 'null' }, 'Input')).toBe('Order2');
    expect(types.named({ title: '…', type: 'null' }, 'Input')).toBe('Input');
  });
});
