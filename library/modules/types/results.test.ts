import { expect, test } from 'vitest';
import { compileOrThrow } from '../../../compiler/pipeline.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { typesOf } from './entrypoint-types.js';
import { DocumentSchemas } from './rule-schemas.js';
import { SchemaTypes } from './schema-types.js';

function resultOf(policy: string, schema?: object): string {
  const modules = new Map([['a.rego', parseModule('a.rego', `package a\n\n${policy}\n`, {})]]);
  const options = schema && { schemas: new Map([['schema', schema]]) };
  const compiled = compileOrThrow({ modules, options });
  const { result } = typesOf({ name: 'a/x', path: ['a', 'x'] }, compiled, new DocumentSchemas(compiled), new SchemaTypes([]));
  return result.replaceAll(/\s+/g, ' ');
}

test.each([
  ['a condition', 'x if input.y', 'true | undefined'],
  ['a default', 'default x := false\n\nx if input.y', 'boolean'],
  ['no condition', 'x := {"a": input}', '{ readonly a: unknown; } | undefined'],
  ['a constant', 'x := 3', '3'],
  ['constants', 'x := "a" if input.y\n\nx := null if input.z', '"a" | null | undefined'],
  ['an else without a condition', 'x := "a" if input.y\n\nelse := "b"', '"a" | "b"'],
  ['an else with a condition', 'x := "a" if input.y\n\nelse := "b" if input.z', '"a" | "b" | undefined'],
  ['constants and others', 'x := "a" if input.y\n\nx := lower(input.z) if input.z', 'string | undefined'],
  ['a large constant', 'x := 1e400', 'number'],
  ['a set of constants', 'x contains "a" if input.y\n\nx contains 1', 'readonly ("a" | 1)[]'],
  ['a set', 'x contains lower(y) if some y in input', 'readonly string[]'],
  ['an object', 'x[y] := 1 if some y in input', '{ readonly [key: string]: number; }'],
  ['an object of sets', 'x[y] contains z if some y, z in input', '{ readonly [key: string]: readonly unknown[]; }'],
  ['members', 'x.a := "b" if input.y\n\nx.c := 1', '{ readonly a?: "b"; readonly c?: 1; readonly [key: string]: unknown; }'],
  [
    'a member that a variable may name',
    'x.a contains "b"\n\nx[y] contains z if some y, z in input',
    '{ readonly [key: string]: readonly string[] | readonly unknown[]; }',
  ],
  ['another document', 'x := data.a.y\n\ny.z if input.z', '{ readonly z?: boolean; readonly [key: string]: unknown; } | undefined'],
  ['many constants', Array.from({ length: 50 }, (_, i) => `x := ${i} if input.y == ${i}`).join('\n\n'), 'number | undefined'],
])('the result of a rule with %s', (_, policy, type) => expect(resultOf(policy)).toBe(type));

const order = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    limit: { type: ['number', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    pair: { items: [{ type: 'string' }, { type: 'number' }], minItems: 1, additionalItems: false },
    labels: { type: 'object', additionalProperties: { type: 'number' } },
    method: { oneOf: ['card', 'bank'].map((name) => ({ ...closed({ [name]: { type: 'string' } }), required: [name] })) },
    self: { $ref: '#' },
    at: closed({ x: { type: 'number' }, y: { type: 'number' } }),
    both: { allOf: [{ type: 'string' }, { type: 'string', minLength: 1 }] },
    kind: { enum: ['a', null] },
    state: { const: [1] },
    headers: { type: 'object', patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
  },
  required: ['id'],
};

function closed(properties: object): object {
  return { type: 'object', properties, additionalProperties: false };
}

test.each([
  ['limit', 'null | number'],
  ['tags', 'readonly string[]'],
  ['pair', 'readonly [string, ...number[]]'],
  ['labels', '{ readonly [key: string]: number; }'],
  ['method', '{ readonly bank: string; } | { readonly card: string; }'],
  ['method.card', 'string'],
  ['at', '{ readonly x?: number; readonly y?: number; }'],
  ['both', 'string'],
  ['kind', 'null | string'],
  ['state', 'readonly unknown[]'],
  ['headers', '{ readonly [key: string]: unknown; }'],
  ['self.limit', 'null | number'],
  ['self.self.self', 'unknown'],
])('the result of input.%s has all values that the schema admits', (path, type) => {
  expect(resultOf(`x := input.${path}`, order).replace(/ \| undefined$/, '')).toBe(type);
});

test('the result of a whole input says which members may be absent', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: ['string', 'null'] } }, required: ['a'] };
  expect(resultOf('x := input', schema)).toBe(
    '{ readonly a: string; readonly b?: null | string; readonly [key: string]: unknown; } | undefined',
  );
});

test('the names of members of a described object are strings', () => {
  const policy = 'x contains name if some name, _ in input.headers';
  expect(resultOf(policy, { type: 'object', properties: { headers: { type: 'object' } } })).toBe('readonly string[]');
});
