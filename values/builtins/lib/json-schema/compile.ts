/**
 * Compiles the document of a schema. The checks, their order and their messages are those of the
 * reference's library.
 */
import type { BuiltinContext } from '../../builtin-context.js';
import { readArrayLimits, readNumbers, readObjectLimits, readStrings, readTypes, readValues } from './assertions.js';
import { type SchemaDraft, schemaDraftOf } from './drafts.js';
import { fetchSchema } from './fetch.js';
import { invalidType, isSchemaLike, membersByName, SchemaKeywords } from './keywords.js';
import { compilePattern } from './patterns.js';
import { ReferencePool } from './references.js';
import { isJsonObject, SchemaError, type SchemaJson, type SchemaValue } from './schema.js';

/**
 * Throws a SchemaError at the first mistake, and a RangeError where the schema nests too deeply for
 * the stack. Schemas at addresses are fetched.
 */
export function compileSchema(document: SchemaJson, context: BuiltinContext): SchemaValue {
  const pool = new ReferencePool((address) => fetchSchema(address, context));
  const { document: copy } = pool.add(document, '');
  return new Compiler(pool, context).compile(copy, schemaDraftOf(copy) ?? 'hybrid');
}

/** Units for reading a nested schema. */
const unitsPerSchema = 300;

class Compiler {
  readonly #pool: ReferencePool;
  readonly #context: BuiltinContext;
  readonly #referenced = new Map<string, SchemaValue>();

  constructor(pool: ReferencePool, context: BuiltinContext) {
    this.#pool = pool;
    this.#context = context;
  }

  compile(node: SchemaJson, draft: SchemaDraft, schema: SchemaValue = emptySchema()): SchemaValue {
    this.#context.tick(unitsPerSchema);
    if (typeof node === 'boolean' && draft !== 4) {
      schema.pass = node;
      return schema;
    }
    if (!isJsonObject(node)) throw new SchemaError('Expected: Valid Schema, given: Invalid JSON');
    const keyword = new SchemaKeywords(node);
    keyword.string(draft === 4 || (draft === 'hybrid' && keyword.has('id')) ? 'id' : '$id');
    this.#definitions(keyword, draft);
    keyword.string('title');
    keyword.string('description');
    const reference = keyword.string('$ref');
    if (reference !== undefined) {
      const known = this.#referenced.get(reference);
      // The reference stops reading here the first time it meets an address, and ignores the
      // neighbours of `$ref` in any case.
      schema.ref = known ?? this.#followed(reference, draft);
      if (known === undefined) return schema;
    }
    readTypes(keyword, schema);
    this.#objectShape(keyword, schema, draft);
    this.#arrayShape(keyword, schema, draft);
    readNumbers(keyword, schema, draft);
    readStrings(keyword, schema, this.#context);
    readObjectLimits(keyword, schema);
    readArrayLimits(keyword, schema);
    const contains = keyword.get('contains');
    if (contains !== undefined && draft !== 4) schema.contains = this.compile(contains, draft);
    readValues(keyword, schema, draft);
    this.#combinations(keyword, schema, draft);
    return schema;
  }

  #followed(reference: string, draft: SchemaDraft): SchemaValue {
    const target = emptySchema();
    this.#referenced.set(reference, target);
    const found = this.#pool.find(reference);
    if (typeof found.document !== 'boolean' && !isJsonObject(found.document))
      throw new SchemaError('Valid Schema must be of type object');
    return this.compile(found.document, found.draft ?? draft, target);
  }

  #definitions(keyword: SchemaKeywords, draft: SchemaDraft): void {
    const definitions = keyword.get('definitions');
    if (definitions === undefined) return;
    if (!isJsonObject(definitions)) throw invalidType('Array Of Schemas', 'definitions');
    for (const [, definition] of membersByName(definitions)) {
      if (!isSchemaLike(definition)) throw invalidType('Array Of Schemas', 'definitions');
      this.compile(definition, draft);
    }
  }

  #objectShape(keyword: SchemaKeywords, schema: SchemaValue, draft: SchemaDraft): void {
    const properties = keyword.get('properties');
    if (properties !== undefined) {
      if (!isJsonObject(properties)) throw new SchemaError('Properties must be of type object');
      for (const [name, property] of membersByName(properties))
        schema.properties.set(name, this.compile(property, draft));
    }
    const additional = this.#booleanOrSchema(keyword, 'additionalProperties', draft);
    if (additional !== undefined) schema.additionalProperties = additional;
    const patterns = keyword.get('patternProperties');
    if (patterns !== undefined) {
      if (!isJsonObject(patterns)) throw invalidType('Valid Schema', 'patternProperties');
      for (const [source, member] of membersByName(patterns)) {
        const pattern = compilePattern(source, this.#context);
        if (pattern === undefined) throw new SchemaError(`Invalid regex pattern '${source}'`);
        schema.patternProperties.push({ pattern, schema: this.compile(member, draft) });
      }
    }
    const names = keyword.get('propertyNames');
    if (names !== undefined && draft !== 4) {
      if (!isSchemaLike(names)) throw invalidType('Valid Schema', 'patternProperties');
      schema.propertyNames = this.compile(names, draft);
    }
    const dependencies = keyword.get('dependencies');
    if (dependencies !== undefined) this.#dependencies(dependencies, schema, draft);
  }

  #dependencies(dependencies: SchemaJson, schema: SchemaValue, draft: SchemaDraft): void {
    if (!isJsonObject(dependencies)) throw new SchemaError('dependencies must be of type object');
    for (const [name, dependency] of membersByName(dependencies)) {
      if (Array.isArray(dependency) && dependency.every((key) => typeof key === 'string')) {
        schema.dependencies.set(name, dependency as readonly string[]);
      } else if (isSchemaLike(dependency)) schema.dependencies.set(name, this.compile(dependency, draft));
      else throw new SchemaError('Dependency must be of type Schema Or Array Of Strings');
    }
  }

  #booleanOrSchema(keyword: SchemaKeywords, name: string, draft: SchemaDraft): boolean | SchemaValue | undefined {
    const value = keyword.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    if (!isJsonObject(value)) throw invalidType('boolean/Valid Schema', name);
    return this.compile(value, draft);
  }

  #arrayShape(keyword: SchemaKeywords, schema: SchemaValue, draft: SchemaDraft): void {
    const items = keyword.get('items');
    if (Array.isArray(items)) {
      schema.items = (items as readonly SchemaJson[]).map((item) => {
        if (!isSchemaLike(item)) throw invalidType('Valid Schema/Array Of Schemas', 'items');
        return this.compile(item, draft);
      });
    } else if (items !== undefined) {
      if (!isSchemaLike(items)) throw invalidType('Valid Schema/Array Of Schemas', 'items');
      schema.items = this.compile(items, draft);
    }
    const additional = this.#booleanOrSchema(keyword, 'additionalItems', draft);
    if (additional !== undefined) schema.additionalItems = additional;
  }

  #combinations(keyword: SchemaKeywords, schema: SchemaValue, draft: SchemaDraft): void {
    for (const name of ['oneOf', 'anyOf', 'allOf'] as const) {
      for (const member of keyword.array(name)) schema[name].push(this.compile(member, draft));
    }
    const conditional =
      draft === 7 || draft === 'hybrid' ? (['not', 'if', 'then', 'else'] as const) : (['not'] as const);
    for (const name of conditional) {
      const value = keyword.get(name);
      if (value === undefined) continue;
      if (!isSchemaLike(value)) throw new SchemaError(`${name} must be of an object`);
      schema[name] = this.compile(value, draft);
    }
  }
}

function emptySchema(): SchemaValue {
  return {
    types: [],
    properties: new Map(),
    patternProperties: [],
    dependencies: new Map(),
    required: [],
    oneOf: [],
    anyOf: [],
    allOf: [],
  };
}
