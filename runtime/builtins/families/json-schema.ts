/** JSON Schema, drafts 4, 6 and 7. */
import { JsonError, toJson } from '../../values/json/json.js';
import { SizeError } from '../../values/memory.js';
import { any, anyOf, array, boolean, nullType, object, record, string, tuple } from '../../values/type.js';
import type { ObjectValue, Value } from '../../values/value.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { counted } from '../cost.js';
import { BuiltinError } from '../errors.js';
import { compileSchema } from '../lib/json-schema/compile.js';
import { documentOf } from '../lib/json-schema/documents.js';
import { loadMetaSchemas } from '../lib/json-schema/drafts.js';
import { refuseSchema } from '../lib/json-schema/fetch.js';
import { matchDocument } from '../lib/json-schema/match.js';
import type { Schema } from '../lib/json-schema/schema.js';
import { loadRegex } from '../lib/regex/engine.js';

const cachedSchemas = 100;

function compiled(source: Value, context: BuiltinContext): Schema {
  const cache = context.caches.of<Schema>('json.match_schema', cachedSchemas);
  const key = typeof source === 'string' ? `"${source}` : toJson(source);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const schema = compileSchema(documentOf(source), context);
  cache.set(key, schema);
  return schema;
}

/** Runs `body`; what nests too deeply for the stack is an error like any other. */
function bounded<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof SizeError) throw error;
    if (error instanceof RangeError || error instanceof JsonError) throw new BuiltinError('nested too deeply');
    throw error;
  }
}

async function load(): Promise<void> {
  await Promise.all([loadRegex(), loadMetaSchemas()]);
}

/** Whether a document matches, and a description of each mismatch. */
function match(document: Value, schema: Value, context: BuiltinContext): readonly [matches: boolean, mismatches: readonly ObjectValue[]] {
  const given = bounded(() => documentOf(document));
  const mismatches = bounded(() => matchDocument(compiled(schema, context), given, context));
  return [mismatches.length === 0, mismatches.map(({ desc, field, type }) => ({ desc, error: `${field}: ${desc}`, field, type }))];
}

/** Whether a schema is well formed, and if not why. Nothing is fetched for it. */
function verify(schema: Value, context: BuiltinContext): readonly [isSchema: boolean, complaint: string | null] {
  try {
    bounded(() => compileSchema(documentOf(schema), context, refuseSchema));
    return [true, null];
  } catch (error) {
    if (error instanceof BuiltinError) return [false, `jsonschema: ${error.message}`];
    throw error;
  }
}

const source = anyOf(string, object(any, any));
const mismatch = record({ desc: string, error: string, field: string, type: string });
const options = { load, checksOperands: true, cost: counted } as const;

// biome-ignore format: a table
export const jsonSchema: readonly Builtin[] = [
  builtin('json.match_schema', [arg('document', source), arg('schema', source)], tuple(boolean, array(mismatch)), match,
    { ...options, description: 'Whether a document matches a JSON Schema, and what does not.' }),
  builtin('json.verify_schema', [arg('schema', source)], tuple(boolean, anyOf(nullType, string)), verify,
    { ...options, description: 'Whether a document is a JSON Schema, and if not why.' }),
];
