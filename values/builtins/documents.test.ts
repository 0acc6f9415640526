import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callBuiltin, testContext } from '../../test/harness/builtins.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import type { Value } from '../value.js';
import { BuiltinError } from './builtin-errors.js';

/**
 * The answer of a call; undefined where it is refused. Anything but a BuiltinError fails the test.
 */
async function answer(name: string, ...operands: Value[]): Promise<Value | undefined> {
  try {
    return await callBuiltin(name, operands, testContext());
  } catch (error) {
    if (error instanceof BuiltinError) return undefined;
    throw error;
  }
}

const words =
  'query mutation fragment on type enum union input scalar schema extend directive interface implements repeatable Query A a id Int String true null ' +
  '{ } ( ) [ ] : ! = | & @ $ ... "s" """b""" 1 -2.5 # \n FIELD OBJECT';
const soup = fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 60 }).map((tokens) => tokens.join(' '));

test('whatever text is given as GraphQL is answered or refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(soup, fc.string({ unit: 'binary' })), fc.oneof(soup, fc.string()), async (query, schema) => {
      await answer('graphql.parse', query, schema);
      expect(typeof (await answer('graphql.is_valid', query, schema))).toBe('boolean');
      expect(typeof (await answer('graphql.schema_is_valid', schema))).toBe('boolean');
    }),
    { numRuns: randomCases(500) },
  );
});

test('the tree of a GraphQL document that parses is a document again, with the same tree', async () => {
  const field = fc.record({
    alias: fc.constantFrom('', 'x: ', 'y: '),
    name: fc.constantFrom('a', 'b'),
    args: fc.constantFrom('', '(i: 1)'),
  });
  const queries = fc.array(field, { minLength: 1, maxLength: 5 }).map((fields) => {
    return `{ ${fields.map(({ alias, name, args }) => alias + name + args).join(' ')} }`;
  });
  const schema = 'type Query { a(i: Int): Int b(i: Int): Int }';
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const trees = (await answer('graphql.parse', query, schema)) as readonly Value[] | undefined;
      expect(await answer('graphql.is_valid', query, schema)).toBe(trees !== undefined);
      if (trees !== undefined) expect(await answer('graphql.parse', trees[0]!, trees[1]!)).toEqual(trees);
    }),
    { numRuns: randomCases(200) },
  );
});

const keywords = [
  ...'type properties items additionalItems additionalProperties patternProperties propertyNames dependencies required enum const not anyOf oneOf'.split(
    ' ',
  ),
  ...'allOf if then else minimum maximum exclusiveMinimum multipleOf minLength maxItems uniqueItems contains pattern format $ref $id definitions'.split(
    ' ',
  ),
];
const { tree } = fc.letrec<{ tree: Value }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Value>(
      'string',
      'object',
      'integer',
      '#',
      '#/definitions/a',
      '^a(',
      'date',
      'email',
      true,
      false,
      null,
      0,
      1.5,
      -1,
      [],
      {},
    ),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keywords, 'a', '__proto__'), tie('tree'), { maxKeys: 4 }),
  ),
}));

test('whatever is given as JSON Schema is answered or refused, and what is verified matches or does not', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (schema, document) => {
      const text = JSON.stringify(schema);
      const [valid, reason] = (await answer('json.verify_schema', text)) as [boolean, Value];
      expect(valid ? reason === null : typeof reason === 'string').toBe(true);
      const matched = (await answer('json.match_schema', JSON.stringify(document), text)) as [boolean, readonly Value[]] | undefined;
      if (!valid) expect(matched).toBeUndefined();
      else if (matched !== undefined) expect(matched[1].length === 0).toBe(matched[0]);
    }),
    { numRuns: randomCases(1000) },
  );
});

test('documents nest deeply, but not without end', async () => {
  const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`;
  const recursive = '{"properties": {"a": {"$ref": "#"}}}';
  expect(await answer('json.match_schema', deep, recursive)).toEqual([true, []]);
  expect(await answer('json.match_schema', '{}', '{"$ref": "#"}')).toBeUndefined();
  expect(await answer('json.match_schema', '{}', `${'{"not":'.repeat(9000)}{}${'}'.repeat(9000)}`)).toBeUndefined();
  let nested: Value = {};
  for (let i = 0; i < 100_000; i++) nested = { not: nested };
  expect(await answer('json.match_schema', nested, {})).toBeUndefined();
  expect(await answer('json.verify_schema', nested)).toEqual([false, 'jsonschema: nested too deeply']);
  expect(await answer('graphql.schema_is_valid', { Definitions: [nested] })).toBe(false);
  expect(await answer('graphql.parse_query', '{a'.repeat(100_000))).toBeUndefined();
  expect(await answer('graphql.parse_schema', `type A { a: ${'['.repeat(100_000)} }`)).toBeUndefined();
  expect(await answer('graphql.parse_query', 'n '.repeat(1_000_000))).toBeUndefined();
});
