/** A compiled JSON Schema, and helpers of compiling and matching. */
import { ExactNumber, type NumberValue } from '../../../values/numbers/number.js';
import type { Value } from '../../../values/value.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { Pattern } from './patterns.js';

/** A compiled (sub)schema. An absent keyword does not constrain. */
export interface Schema {
  /** A boolean schema. */
  pass?: boolean;
  ref?: Schema;
  types: string[];
  properties: Map<string, Schema>;
  patternProperties: PatternProperty[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  dependencies: Map<string, readonly string[] | Schema>;
  items?: Schema | readonly Schema[];
  additionalItems?: boolean | Schema;
  contains?: Schema;
  multipleOf?: NumberValue;
  minimum?: NumberValue;
  exclusiveMinimum?: NumberValue;
  maximum?: NumberValue;
  exclusiveMaximum?: NumberValue;
  minLength?: number;
  maxLength?: number;
  pattern?: Pattern;
  format?: string;
  minProperties?: number;
  maxProperties?: number;
  required: string[];
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  /** JSON texts as `canonicalJson` makes them. */
  const?: string;
  enum?: string[];
  oneOf: Schema[];
  anyOf: Schema[];
  allOf: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
}

interface PatternProperty {
  readonly pattern: Pattern;
  readonly schema: Schema;
}

/** A mistake in a schema, in the reference's words. */
export class SchemaError extends BuiltinError {
  constructor(message: string) {
    super(message);
    this.name = 'SchemaError';
  }
}

/**
 * A JSON document as the reference decodes it: plain objects, arrays, strings, numbers, booleans,
 * null.
 */
export type Json = Value;

export type JsonObject = { readonly [key: string]: Json };

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
