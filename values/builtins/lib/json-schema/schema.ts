/** A compiled JSON Schema, and helpers of compiling and matching. */
import { ExactNumber, type NumberValue } from '../../../numbers/number.js';
import type { Value } from '../../../value.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { SchemaPattern } from './patterns.js';

/** A compiled (sub)schema. An absent keyword does not constrain. */
export interface SchemaValue {
  /** A boolean schema. */
  pass?: boolean;
  ref?: SchemaValue;
  types: string[];
  properties: Map<string, SchemaValue>;
  patternProperties: PatternProperty[];
  additionalProperties?: boolean | SchemaValue;
  propertyNames?: SchemaValue;
  dependencies: Map<string, readonly string[] | SchemaValue>;
  items?: SchemaValue | readonly SchemaValue[];
  additionalItems?: boolean | SchemaValue;
  contains?: SchemaValue;
  multipleOf?: NumberValue;
  minimum?: NumberValue;
  exclusiveMinimum?: NumberValue;
  maximum?: NumberValue;
  exclusiveMaximum?: NumberValue;
  minLength?: number;
  maxLength?: number;
  pattern?: SchemaPattern;
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
  oneOf: SchemaValue[];
  anyOf: SchemaValue[];
  allOf: SchemaValue[];
  not?: SchemaValue;
  if?: SchemaValue;
  then?: SchemaValue;
  else?: SchemaValue;
}

interface PatternProperty {
  readonly pattern: SchemaPattern;
  readonly schema: SchemaValue;
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
export type SchemaJson = Value;

export type JsonObject = { readonly [key: string]: SchemaJson };

export function isJsonObject(value: SchemaJson | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}
