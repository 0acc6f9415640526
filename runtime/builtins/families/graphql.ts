/** GraphQL: documents to syntax trees, and queries against schemas. */
import { JsonError, toJson } from '../../values/json/json.js';
import { any, anyOf, boolean, object, string, tuple } from '../../values/type.js';
import { isObject, type ObjectValue, type Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { counted } from '../cost.js';
import { BuiltinError, operandTypeError } from '../errors.js';
import { type QueryDocument, type SchemaDocument, toValue } from '../lib/graphql/ast.js';
import { decodeQuery, decodeSchema } from '../lib/graphql/decode.js';
import { GraphqlError } from '../lib/graphql/errors.js';
import { parseQuery } from '../lib/graphql/parse-query.js';
import { parseSchema } from '../lib/graphql/parse-schema.js';
import type { ParseLimits } from '../lib/graphql/parser.js';
import { buildSchema, type Schema } from '../lib/graphql/schema.js';
import { loadGraphql, validateQuery } from '../lib/graphql/validate.js';

type Source = string | ObjectValue;

// Queries come from clients, schemas from policies: the largest public schemas have some 500,000 tokens.
const maxQueryTokens = 50_000;
const maxSchemaTokens = 2_000_000;
const maxDepth = 500;
const cachedQueries = 100;
const cachedSchemas = 10;

/** Units for a character of a document whose tree is made. */
const unitsPerCharacter = 10;

interface ParsedQuery {
  readonly document: QueryDocument;
  value?: ObjectValue;
}

interface ParsedSchema {
  readonly document: SchemaDocument;
  value?: ObjectValue;
  schema?: Schema;
}

function limits(maxTokens: number, context: BuiltinContext): ParseLimits {
  return { maxTokens, maxDepth, tick: (units) => context.tick(units) };
}

/** An operand that is a document; the reference counts operands from 0 here. */
function sourceOf(operand: Value, position: number): Source {
  if (typeof operand !== 'string' && !isObject(operand)) throw operandTypeError(position, operand, 'string', 'object');
  return operand;
}

function remembered<T>(context: BuiltinContext, cache: string, size: number, source: Source, make: () => T): T {
  const known = context.caches.of<T>(cache, size);
  const key = typeof source === 'string' ? `"${source}` : textOf(source);
  const found = known.get(key);
  if (found !== undefined) return found;
  context.tick(key.length * unitsPerCharacter);
  const made = make();
  known.set(key, made);
  return made;
}

function textOf(source: ObjectValue): string {
  try {
    return toJson(source);
  } catch (error) {
    throw error instanceof JsonError ? new BuiltinError(error.message) : error;
  }
}

function readQuery(operand: Value, context: BuiltinContext): ParsedQuery {
  const source = sourceOf(operand, 0);
  return remembered(context, 'graphql.query', cachedQueries, source, () => ({
    document: typeof source === 'string' ? parseQuery(source, limits(maxQueryTokens, context)) : decodeQuery(source),
  }));
}

function readSchema(operand: Value, context: BuiltinContext): ParsedSchema {
  const source = sourceOf(operand, 1);
  return remembered(context, 'graphql.schema', cachedSchemas, source, () => ({
    document: typeof source === 'string' ? parseSchema(source, limits(maxSchemaTokens, context)) : decodeSchema(source),
  }));
}

function treeOf(parsed: ParsedQuery | ParsedSchema): ObjectValue {
  return (parsed.value ??= toValue(parsed.document));
}

function checkedSchema(parsed: ParsedSchema, context: BuiltinContext): Schema {
  try {
    return (parsed.schema ??= buildSchema(parsed.document, (units) => context.tick(units)));
  } catch (error) {
    if (!(error instanceof GraphqlError)) throw error;
    const { position } = error;
    const where = position === undefined ? 'input' : `input:${position.line}:${position.column}`;
    throw new BuiltinError(`Error in gqlparser SchemaDocument to Schema conversion: ${where}: ${error.message}`);
  }
}

/** Runs `body`, with mistakes in documents as errors of the built-in. */
function reporting<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw error instanceof GraphqlError ? error.toBuiltinError() : error;
  }
}

/** Runs `body`, with `otherwise` as the answer where a document is wrong. */
function unlessWrong<T>(otherwise: T, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof GraphqlError || error instanceof BuiltinError) return otherwise;
    throw error;
  }
}

function parseBoth(query: Value, schema: Value, context: BuiltinContext): readonly [query: ObjectValue, schema: ObjectValue] {
  const parsedQuery = readQuery(query, context);
  const parsedSchema = readSchema(schema, context);
  validateQuery(checkedSchema(parsedSchema, context), parsedQuery.document, context);
  return [treeOf(parsedQuery), treeOf(parsedSchema)];
}

const document = anyOf(string, object(any, any));
const tree = object(any, any);
// What is neither text nor object is not an error where the answer is whether something is valid.
const options = { load: loadGraphql, checksOperands: true, cost: counted } as const;

export const graphql: readonly Builtin[] = [
  builtin(
    'graphql.parse',
    [arg('query', document), arg('schema', document)],
    tuple(tree, tree),
    (query, schema, context) => reporting(() => parseBoth(query, schema, context)),
    { ...options, description: 'The syntax trees of a query and of a schema that it fits.' },
  ),
  builtin(
    'graphql.parse_and_verify',
    [arg('query', document), arg('schema', document)],
    tuple(boolean, tree, tree),
    (query, schema, context) => {
      return unlessWrong<readonly [boolean, ObjectValue, ObjectValue]>([false, {}, {}], () => [true, ...parseBoth(query, schema, context)]);
    },
    { ...options, description: 'Whether a query fits a schema, and if so the syntax trees of both.' },
  ),
  builtin('graphql.parse_query', [arg('query', string)], tree, (query, context) => reporting(() => treeOf(readQuery(query, context))), {
    cost: counted,
    description: 'The syntax tree of a query.',
  }),
  builtin(
    'graphql.parse_schema',
    [arg('schema', string)],
    tree,
    (schema, context) => reporting(() => treeOf(readSchema(schema, context))),
    { cost: counted, description: 'The syntax tree of a schema.' },
  ),
  builtin(
    'graphql.is_valid',
    [arg('query', document), arg('schema', document)],
    boolean,
    (query, schema, context) => {
      return unlessWrong(false, () => {
        validateQuery(checkedSchema(readSchema(schema, context), context), readQuery(query, context).document, context);
        return true;
      });
    },
    { ...options, description: 'Whether a query fits a schema.' },
  ),
  builtin(
    'graphql.schema_is_valid',
    [arg('schema', document)],
    boolean,
    (schema, context) => {
      return unlessWrong(false, () => checkedSchema(readSchema(schema, context), context) !== undefined);
    },
    { checksOperands: true, cost: counted, description: 'Whether a schema is well formed.' },
  ),
];
