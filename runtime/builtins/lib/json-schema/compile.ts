/**
 * Compiles the document of a schema. The checks, their order and their messages are those of the
 * reference's library.
 */
import { sortStrings } from '../../../values/compare.js';
import { compareNumbers, ExactNumber, type NumberValue, numberText } from '../../../values/numbers/number.js';
import { isNumber } from '../../../values/value.js';
import type { BuiltinContext } from '../../context.js';
import { canonicalJson } from './documents.js';
import { type Draft, draftOf } from './drafts.js';
import { fetchSchema } from './fetch.js';
import { compilePattern } from './patterns.js';
import { ReferencePool, type RemoteLoader } from './references.js';
import { isJsonObject, type Json, type JsonObject, type Schema, SchemaError } from './schema.js';

/**
 * Throws a SchemaError at the first mistake, and a RangeError where the schema nests too deeply for
 * the stack. @param fetch reads the schemas that others refer to by address
 */
export function compileSchema(
  document: Json,
  context: BuiltinContext,
  fetch: RemoteLoader = (address) => fetchSchema(address, context),
): Schema {
  const pool = new ReferencePool(fetch);
  const copy = pool.add(document, '');
  return new Compiler(pool, context).compile(copy, draftOf(copy) ?? 'hybrid');
}

const primitives = ['array', 'boolean', 'integer', 'number', 'null', 'object', 'string'];

/** Units for reading a nested schema. */
const unitsPerSchema = 300;

class Compiler {
  readonly #pool: ReferencePool;
  readonly #context: BuiltinContext;
  readonly #referenced = new Map<string, Schema>();

  constructor(pool: ReferencePool, context: BuiltinContext) {
    this.#pool = pool;
    this.#context = context;
  }

  compile(node: Json, draft: Draft, schema: Schema = emptySchema()): Schema {
    this.#context.tick(unitsPerSchema);
    if (typeof node === 'boolean' && draft !== 4) {
      schema.pass = node;
      return schema;
    }
    if (!isJsonObject(node)) throw new SchemaError('Expected: Valid Schema, given: Invalid JSON');
    const keyword = new Keywords(node);
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
    this.#types(keyword, schema);
    this.#objectShape(keyword, schema, draft);
    this.#arrayShape(keyword, schema, draft);
    this.#numbers(keyword, schema, draft);
    this.#strings(keyword, schema);
    this.#objectLimits(keyword, schema);
    this.#arrayLimits(keyword, schema, draft);
    this.#values(keyword, schema, draft);
    this.#combinations(keyword, schema, draft);
    return schema;
  }

  #followed(reference: string, draft: Draft): Schema {
    const target = emptySchema();
    this.#referenced.set(reference, target);
    const found = this.#pool.find(reference);
    if (typeof found.document !== 'boolean' && !isJsonObject(found.document)) throw new SchemaError('Valid Schema must be of type object');
    return this.compile(found.document, found.draft ?? draft, target);
  }

  #definitions(keyword: Keywords, draft: Draft): void {
    const definitions = keyword.get('definitions');
    if (definitions === undefined) return;
    if (!isJsonObject(definitions)) throw invalidType('Array Of Schemas', 'definitions');
    for (const name of sortedNames(definitions)) {
      if (!isSchemaLike(definitions[name]!)) throw invalidType('Array Of Schemas', 'definitions');
      this.compile(definitions[name]!, draft);
    }
  }

  #types({ node }: Keywords, schema: Schema): void {
    if (!Object.hasOwn(node, 'type')) return;
    const type = node.type!;
    for (const name of Array.isArray(type) ? type : [type]) {
      if (typeof name !== 'string') throw invalidType('type', 'string/Array Of Strings');
      if (!primitives.includes(name)) {
        const valid = `[${primitives.join(' ')}]`;
        throw new SchemaError(`has a primitive type that is NOT VALID -- given: /${name}/ Expected valid values are:${valid}`);
      }
      if (schema.types.includes(name)) throw new SchemaError(`${name} type is duplicated`);
      schema.types.push(name);
    }
  }

  #objectShape(keyword: Keywords, schema: Schema, draft: Draft): void {
    const properties = keyword.get('properties');
    if (properties !== undefined) {
      if (!isJsonObject(properties)) throw new SchemaError('Properties must be of type object');
      for (const name of sortedNames(properties)) schema.properties.set(name, this.compile(properties[name]!, draft));
    }
    const additional = this.#booleanOrSchema(keyword, 'additionalProperties', draft);
    if (additional !== undefined) schema.additionalProperties = additional;
    const patterns = keyword.get('patternProperties');
    if (patterns !== undefined) {
      if (!isJsonObject(patterns)) throw invalidType('Valid Schema', 'patternProperties');
      for (const source of sortedNames(patterns)) {
        const pattern = compilePattern(source, this.#context);
        if (pattern === undefined) throw new SchemaError(`Invalid regex pattern '${source}'`);
        schema.patternProperties.push({ pattern, schema: this.compile(patterns[source]!, draft) });
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

  #dependencies(dependencies: Json, schema: Schema, draft: Draft): void {
    if (!isJsonObject(dependencies)) throw new SchemaError('dependencies must be of type object');
    for (const name of sortedNames(dependencies)) {
      const dependency = dependencies[name]!;
      if (Array.isArray(dependency) && dependency.every((key) => typeof key === 'string')) {
        schema.dependencies.set(name, dependency as readonly string[]);
      } else if (isSchemaLike(dependency)) schema.dependencies.set(name, this.compile(dependency, draft));
      else throw new SchemaError('Dependency must be of type Schema Or Array Of Strings');
    }
  }

  #booleanOrSchema(keyword: Keywords, name: string, draft: Draft): boolean | Schema | undefined {
    const value = keyword.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    if (!isJsonObject(value)) throw invalidType('boolean/Valid Schema', name);
    return this.compile(value, draft);
  }

  #arrayShape(keyword: Keywords, schema: Schema, draft: Draft): void {
    const items = keyword.get('items');
    if (Array.isArray(items)) {
      schema.items = (items as readonly Json[]).map((item) => {
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

  #numbers(keyword: Keywords, schema: Schema, draft: Draft): void {
    const multipleOf = keyword.get('multipleOf');
    if (multipleOf !== undefined) {
      if (!isNumber(multipleOf)) throw invalidType('Number', 'multipleOf');
      if (compareNumbers(multipleOf, 0) <= 0) throw new SchemaError('multipleOf must be strictly greater than 0');
      schema.multipleOf = multipleOf;
    }
    for (const [limit, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum'],
    ] as const) {
      const value = keyword.get(limit);
      if (value !== undefined && !isNumber(value)) throw new SchemaError(`${limit} must be of a Number`);
      const bound = keyword.get(exclusive);
      if (isNumberOf(bound, draft)) schema[exclusive] = bound;
      else if (typeof bound === 'boolean' && (draft === 4 || draft === 'hybrid')) {
        if (value === undefined) throw new SchemaError(`${exclusive} cannot be used without ${limit}`);
        if (bound) {
          schema[exclusive] = value;
          continue;
        }
      } else if (bound !== undefined) {
        throw invalidType(draft === 4 ? 'boolean' : draft === 'hybrid' ? 'boolean/number' : 'number', exclusive);
      }
      if (value !== undefined) schema[limit] = value;
    }
  }

  #strings(keyword: Keywords, schema: Schema): void {
    limits(keyword, schema, 'minLength', 'maxLength');
    const source = keyword.string('pattern');
    if (source !== undefined) {
      const pattern = compilePattern(source, this.#context);
      if (pattern === undefined) throw new SchemaError('pattern must be a valid regex');
      schema.pattern = pattern;
    }
    const format = keyword.string('format');
    if (format !== undefined) schema.format = format;
  }

  #objectLimits(keyword: Keywords, schema: Schema): void {
    limits(keyword, schema, 'minProperties', 'maxProperties');
    const names = new Set<string>();
    for (const name of keyword.array('required')) {
      if (typeof name !== 'string') throw invalidType('string', 'required');
      if (names.has(name)) throw new SchemaError('required items must be unique');
      names.add(name);
    }
    schema.required = [...names];
  }

  #arrayLimits(keyword: Keywords, schema: Schema, draft: Draft): void {
    limits(keyword, schema, 'minItems', 'maxItems', false);
    const unique = keyword.get('uniqueItems');
    if (unique !== undefined) {
      if (typeof unique !== 'boolean') throw new SchemaError('uniqueItems must be of a boolean');
      schema.uniqueItems = unique;
    }
    const contains = keyword.get('contains');
    if (contains !== undefined && draft !== 4) schema.contains = this.compile(contains, draft);
  }

  #values(keyword: Keywords, schema: Schema, draft: Draft): void {
    const constant = keyword.get('const');
    if (constant !== undefined && draft !== 4) schema.const = canonicalJson(constant);
    const members = new Set<string>();
    for (const member of keyword.array('enum')) {
      const text = canonicalJson(member);
      if (members.has(text)) throw new SchemaError('enum items must be unique');
      members.add(text);
    }
    if (keyword.has('enum')) schema.enum = [...members];
  }

  #combinations(keyword: Keywords, schema: Schema, draft: Draft): void {
    for (const name of ['oneOf', 'anyOf', 'allOf'] as const) {
      for (const member of keyword.array(name)) schema[name].push(this.compile(member, draft));
    }
    const conditional = draft === 7 || draft === 'hybrid' ? (['not', 'if', 'then', 'else'] as const) : (['not'] as const);
    for (const name of conditional) {
      const value = keyword.get(name);
      if (value === undefined) continue;
      if (!isSchemaLike(value)) throw new SchemaError(`${name} must be of an object`);
      schema[name] = this.compile(value, draft);
    }
  }
}

class Keywords {
  readonly node: JsonObject;

  constructor(node: JsonObject) {
    this.node = node;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.node, name);
  }

  get(name: string): Json | undefined {
    return Object.hasOwn(this.node, name) ? this.node[name] : undefined;
  }

  string(name: string): string | undefined {
    const value = this.get(name);
    if (value !== undefined && typeof value !== 'string') throw invalidType('string', name);
    return value;
  }

  array(name: string): readonly Json[] {
    const value = this.get(name) ?? (this.has(name) ? null : []);
    if (!Array.isArray(value)) throw new SchemaError(`${name} must be of an array`);
    return value as readonly Json[];
  }
}

function emptySchema(): Schema {
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

function sortedNames(object: JsonObject): string[] {
  return sortStrings(Object.keys(object));
}

function isSchemaLike(value: Json): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

function isNumberOf(value: Json | undefined, draft: Draft): value is NumberValue {
  return draft !== 4 && value !== undefined && isNumber(value);
}

function invalidType(expected: string, given: string): SchemaError {
  return new SchemaError(`Invalid type. Expected: ${expected}, given: ${given}`);
}

type Limit = 'minLength' | 'maxLength' | 'minProperties' | 'maxProperties' | 'minItems' | 'maxItems';

/** Reads a pair of limits. Only a literal without point and exponent is an integer here. */
function limits(keyword: Keywords, schema: Schema, least: Limit, most: Limit, ordered = true): void {
  for (const name of [least, most]) {
    const value = keyword.get(name);
    if (value === undefined) continue;
    if (!isNumber(value) || !/^-?\d{1,19}$/.test(numberText(value))) throw new SchemaError(`${name} must be of an integer`);
    if (compareNumbers(value, 0) < 0) throw new SchemaError(`${name} must be greater than or equal to 0`);
    schema[name] = value instanceof ExactNumber ? Number(value.text) : value;
  }
  const [low, high] = [schema[least], schema[most]];
  if (ordered && low !== undefined && high !== undefined && low > high) throw new SchemaError(`${least} cannot be greater than ${most}`);
}
