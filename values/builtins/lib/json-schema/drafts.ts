/** The drafts of JSON Schema and their meta-schemas, which need no network. */
import { isJsonObject, SchemaError, type SchemaJson } from './schema.js';

/**
 * A schema that names no draft may use the keywords of all of them, and both forms of
 * `exclusiveMinimum`.
 */
export type SchemaDraft = 4 | 6 | 7 | 'hybrid';

const drafts: ReadonlyMap<string, Exclude<SchemaDraft, 'hybrid'>> = new Map([
  ['http://json-schema.org/draft-04/schema', 4],
  ['http://json-schema.org/draft-06/schema', 6],
  ['http://json-schema.org/draft-07/schema', 7],
]);

const metaSchemas = new Map<string, SchemaJson>();

/** Loads the meta-schemas. */
export async function loadMetaSchemas(): Promise<void> {
  if (metaSchemas.size > 0) return;
  const [four, six, seven] = await Promise.all([
    import('ajv-draft-04/dist/refs/json-schema-draft-04.json', { with: { type: 'json' } }),
    import('ajv/dist/refs/json-schema-draft-06.json', { with: { type: 'json' } }),
    import('ajv/dist/refs/json-schema-draft-07.json', { with: { type: 'json' } }),
  ]);
  const documents: Readonly<Record<Exclude<SchemaDraft, 'hybrid'>, unknown>> = {
    4: four.default,
    6: six.default,
    7: seven.default,
  };
  for (const [address, draft] of drafts) metaSchemas.set(address, documents[draft] as SchemaJson);
}

export function metaSchemaOf(address: string): SchemaJson | undefined {
  return metaSchemas.get(address);
}

/**
 * The draft that a document names, undefined if that is unknown or absent. Throws a SchemaError if
 * the document is not a schema.
 */
export function schemaDraftOf(document: SchemaJson): SchemaDraft | undefined {
  if (typeof document === 'boolean') return undefined;
  if (!isJsonObject(document)) throw new SchemaError('schema is invalid');
  if (!Object.hasOwn(document, '$schema')) return undefined;
  const name = document.$schema;
  if (typeof name !== 'string') throw new SchemaError('$schema must be of type string');
  return drafts.get(name.endsWith('#') ? name.slice(0, -1) : name);
}
