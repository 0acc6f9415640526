/** Documents of built-ins, parsed and checked once. */
import { JsonError, toJson } from '../../../json/json.js';
import { isObject, type ObjectValue, type Value } from '../../../value.js';
import type { OperandReader } from '../../builtin.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError, operandTypeError } from '../../builtin-errors.js';
import { type QueryDocument, type SchemaDocument, toValue } from './ast.js';
import { decodeGraphqlQuery, decodeSchema } from './decode.js';
import { GraphqlError } from './graphql-errors.js';
import { parseGraphqlQuery } from './parse-query.js';
import { parseSchema } from './parse-schema.js';
import type { ParseLimits } from './parser.js';
import { buildSchema, type GraphqlSchema } from './schema.js';
import { validateQuery } from './validate.js';

type Source = string | ObjectValue;

// Queries come from clients, schemas from policies: the largest public schemas have some 500,000
// tokens.
const maxQueryTokens = 50_000;

const maxSchemaTokens = 2_000_000;

const maxDepth = 500;

const cachedQueries = 100;

const cachedSchemas = 10;

/** Units for each character of a document that is parsed. */
const unitsPerCharacter = 10;

interface ParsedQuery {
  readonly document: QueryDocument;
  value?: ObjectValue;
}

interface ParsedSchema {
  readonly document: SchemaDocument;
  value?: ObjectValue;
  schema?: GraphqlSchema;
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

export function readQuery(operand: Value, context: BuiltinContext): ParsedQuery {
  const source = sourceOf(operand, 0);
  return remembered(context, 'graphql.query', cachedQueries, source, () => ({
    document:
      typeof source === 'string'
        ? parseGraphqlQuery(source, limits(maxQueryTokens, context))
        : decodeGraphqlQuery(source),
  }));
}

export function readSchema(operand: Value, context: BuiltinContext): ParsedSchema {
  const source = sourceOf(operand, 1);
  return remembered(context, 'graphql.schema', cachedSchemas, source, () => ({
    document: typeof source === 'string' ? parseSchema(source, limits(maxSchemaTokens, context)) : decodeSchema(source),
  }));
}

export const queryOperand: OperandReader<ParsedQuery> = (operand, _, context) =>
  reporting(() => readQuery(operand, context));

export const schemaOperand: OperandReader<ParsedSchema> = (operand, _, context) =>
  reporting(() => readSchema(operand, context));

export function treeOf(parsed: ParsedQuery | ParsedSchema): ObjectValue {
  return (parsed.value ??= toValue(parsed.document));
}

export function checkedSchema(parsed: ParsedSchema, context: BuiltinContext): GraphqlSchema {
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
export function reporting<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw error instanceof GraphqlError ? error.toBuiltinError() : error;
  }
}

/** Runs `body`, with `otherwise` as the answer where a document is wrong. */
export function unlessWrong<T>(otherwise: T, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof GraphqlError || error instanceof BuiltinError) return otherwise;
    throw error;
  }
}

/** The syntax trees of a query and of a schema that it fits. */
export function validated(
  query: ParsedQuery,
  schema: ParsedSchema,
  context: BuiltinContext,
): readonly [query: ObjectValue, schema: ObjectValue] {
  validateQuery(checkedSchema(schema, context), query.document, context);
  return [treeOf(query), treeOf(schema)];
}
