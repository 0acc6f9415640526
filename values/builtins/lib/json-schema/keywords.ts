/** The keywords of one schema, by the types that their values must have. */
import { compareStrings } from '../../../compare.js';
import { isJsonObject, type JsonObject, SchemaError, type SchemaJson } from './schema.js';

export class SchemaKeywords {
  readonly node: JsonObject;

  constructor(node: JsonObject) {
    this.node = node;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.node, name);
  }

  get(name: string): SchemaJson | undefined {
    return Object.hasOwn(this.node, name) ? this.node[name] : undefined;
  }

  string(name: string): string | undefined {
    const value = this.get(name);
    if (value !== undefined && typeof value !== 'string') throw invalidType('string', name);
    return value;
  }

  array(name: string): readonly SchemaJson[] {
    const value = this.get(name) ?? (this.has(name) ? null : []);
    if (!Array.isArray(value)) throw new SchemaError(`${name} must be of an array`);
    return value as readonly SchemaJson[];
  }
}

export function membersByName(object: JsonObject): [name: string, value: SchemaJson][] {
  return Object.entries(object).sort(([a], [b]) => compareStrings(a, b));
}

export function isSchemaLike(value: SchemaJson): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

export function invalidType(expected: string, given: string): SchemaError {
  return new SchemaError(`Invalid type. Expected: ${expected}, given: ${given}`);
}
