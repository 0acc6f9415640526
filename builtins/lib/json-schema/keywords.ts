/** The keywords of one schema, by the types that their values must have. */
import { compareStrings } from '../../../values/compare.js';
import { isJsonObject, type Json, type JsonObject, SchemaError } from './schema.js';

export class Keywords {
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

export function membersByName(object: JsonObject): [name: string, value: Json][] {
  return Object.entries(object).sort(([a], [b]) => compareStrings(a, b));
}

export function isSchemaLike(value: Json): boolean {
  return typeof value === 'boolean' || isJsonObject(value);
}

export function invalidType(expected: string, given: string): SchemaError {
  return new SchemaError(`Invalid type. Expected: ${expected}, given: ${given}`);
}
