/** Schemas as options: JSON Schemas, and those of libraries that can tell theirs. */

/**
 * A schema of zod, ArkType or another library that follows Standard JSON Schema
 * (https://standardschema.dev/json-schema). Valibot's become one by `toStandardJsonSchema`.
 * @typeParam Input the type of the values that it takes
 */
export interface StandardJsonSchema<Input = unknown> {
  readonly '~standard': {
    readonly types?: { readonly input: Input } | undefined;
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-07' }) => object };
  };
}

/** A JSON Schema, as an object or a boolean. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/**
 * Schemas by name. `input` is that of the input, for all policies; annotations of policies name
 * any of them: `schema.order` is `order`.
 * @typeParam Input the type of the input
 */
export interface Schemas<Input = unknown> {
  readonly input?: StandardJsonSchema<Input> | JsonSchema | undefined;
  readonly [name: string]: StandardJsonSchema | JsonSchema | undefined;
}

/**
 * JSON Schemas by the names that policies have for them; a map has these names already.
 * @throws what the library of a schema throws that has no JSON Schema; Error for what is no schema
 */
export function schemaDocuments(schemas: Schemas | ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  if (schemas instanceof Map) return schemas;
  const found = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema === undefined) continue;
    const document = documentOf(name, schema);
    if (name === 'input') found.set('schema', document);
    found.set(`schema.${name}`, document);
  }
  return found;
}

function documentOf(name: string, schema: unknown): unknown {
  if (typeof schema === 'boolean') return schema;
  // Schemas of ArkType are functions.
  const isSchema =
    (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) || typeof schema === 'function';
  if (!isSchema) throw new Error(`schema ${name} is no schema`);
  const standard: unknown = (schema as { readonly '~standard'?: unknown })['~standard'];
  if (standard === undefined && typeof schema === 'object') return schema;
  const { jsonSchema } = (standard ?? {}) as Partial<StandardJsonSchema['~standard']>;
  if (typeof jsonSchema?.input !== 'function')
    throw new Error(`schema ${name} cannot tell its JSON Schema: its library must follow Standard JSON Schema`);
  return jsonSchema.input({ target: 'draft-07' });
}
