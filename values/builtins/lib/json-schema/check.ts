/** Documents checked against schemas, and schemas checked alone. */
import { JsonError, toJson } from '../../../json/json.js';
import { SizeError } from '../../../memory.js';
import type { ObjectValue, Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { loadRegex } from '../regex/engine.js';
import { compileSchema } from './compile.js';
import { loadMetaSchemas } from './drafts.js';
import { jsonDocumentOf } from './json-documents.js';
import { matchDocument } from './match.js';
import type { SchemaJson, SchemaValue } from './schema.js';

const cachedSchemas = 100;

function compiled(source: Value, context: BuiltinContext): SchemaValue {
  const cache = context.caches.of<SchemaValue>('json.match_schema', cachedSchemas);
  const key = typeof source === 'string' ? `"${source}` : toJson(source);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const schema = compileSchema(jsonDocumentOf(source), context);
  cache.set(key, schema);
  return schema;
}

/** Runs `body`; nesting too deep for the stack is an error like any other. */
function bounded<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof SizeError) throw error;
    if (error instanceof RangeError || error instanceof JsonError) throw new BuiltinError('nested too deeply');
    throw error;
  }
}

export async function load(): Promise<void> {
  await Promise.all([loadRegex(), loadMetaSchemas()]);
}

export function documentOperand(operand: Value): SchemaJson {
  return bounded(() => jsonDocumentOf(operand));
}

/**
 * Whether a document matches, and a description of each mismatch. A schema is looked up by its
 * operand, and read only where it is new.
 */
export function matchSchema(
  document: SchemaJson,
  schema: Value,
  context: BuiltinContext,
): readonly [matches: boolean, mismatches: readonly ObjectValue[]] {
  const mismatches = bounded(() => matchDocument(compiled(schema, context), document, context));
  return [
    mismatches.length === 0,
    mismatches.map(({ desc, field, type }) => ({ desc, error: `${field}: ${desc}`, field, type })),
  ];
}

/** Whether a schema is well formed, with those that it refers to, and if not why. */
export function verifySchema(
  schema: Value,
  context: BuiltinContext,
): readonly [isSchema: boolean, complaint: string | null] {
  try {
    bounded(() => compiled(schema, context));
    return [true, null];
  } catch (error) {
    if (error instanceof BuiltinError) return [false, `jsonschema: ${error.message}`];
    throw error;
  }
}
