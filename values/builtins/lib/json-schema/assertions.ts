/** Keywords that assert something of the value itself: types, limits, patterns, listed values. */
import { compareNumbers, ExactNumber, type NumberValue, numberText } from '../../../numbers/number.js';
import { isNumber } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import type { SchemaDraft } from './drafts.js';
import { canonicalJson } from './json-documents.js';
import { invalidType, type SchemaKeywords } from './keywords.js';
import { compilePattern } from './patterns.js';
import { SchemaError, type SchemaJson, type SchemaValue } from './schema.js';

const primitives = ['array', 'boolean', 'integer', 'number', 'null', 'object', 'string'];

export function readTypes(keyword: SchemaKeywords, schema: SchemaValue): void {
  const type = keyword.get('type');
  if (type === undefined) return;
  for (const name of Array.isArray(type) ? type : [type]) {
    if (typeof name !== 'string') throw invalidType('type', 'string/Array Of Strings');
    if (!primitives.includes(name)) {
      const valid = `[${primitives.join(' ')}]`;
      throw new SchemaError(
        `has a primitive type that is NOT VALID -- given: /${name}/ Expected valid values are:${valid}`,
      );
    }
    if (schema.types.includes(name)) throw new SchemaError(`${name} type is duplicated`);
    schema.types.push(name);
  }
}

export function readNumbers(keyword: SchemaKeywords, schema: SchemaValue, draft: SchemaDraft): void {
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

export function readStrings(keyword: SchemaKeywords, schema: SchemaValue, context: BuiltinContext): void {
  limits(keyword, schema, 'minLength', 'maxLength');
  const source = keyword.string('pattern');
  if (source !== undefined) {
    const pattern = compilePattern(source, context);
    if (pattern === undefined) throw new SchemaError('pattern must be a valid regex');
    schema.pattern = pattern;
  }
  const format = keyword.string('format');
  if (format !== undefined) schema.format = format;
}

export function readObjectLimits(keyword: SchemaKeywords, schema: SchemaValue): void {
  limits(keyword, schema, 'minProperties', 'maxProperties');
  const names = new Set<string>();
  for (const name of keyword.array('required')) {
    if (typeof name !== 'string') throw invalidType('string', 'required');
    if (names.has(name)) throw new SchemaError('required items must be unique');
    names.add(name);
  }
  schema.required = [...names];
}

export function readArrayLimits(keyword: SchemaKeywords, schema: SchemaValue): void {
  limits(keyword, schema, 'minItems', 'maxItems', false);
  const unique = keyword.get('uniqueItems');
  if (unique !== undefined) {
    if (typeof unique !== 'boolean') throw new SchemaError('uniqueItems must be of a boolean');
    schema.uniqueItems = unique;
  }
}

export function readValues(keyword: SchemaKeywords, schema: SchemaValue, draft: SchemaDraft): void {
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

function isNumberOf(value: SchemaJson | undefined, draft: SchemaDraft): value is NumberValue {
  return draft !== 4 && value !== undefined && isNumber(value);
}

type Limit = 'minLength' | 'maxLength' | 'minProperties' | 'maxProperties' | 'minItems' | 'maxItems';

/** Reads a pair of limits. Only a literal without point and exponent is an integer here. */
function limits(keyword: SchemaKeywords, schema: SchemaValue, least: Limit, most: Limit, ordered = true): void {
  for (const name of [least, most]) {
    const value = keyword.get(name);
    if (value === undefined) continue;
    if (!isNumber(value) || !/^-?\d{1,19}$/.test(numberText(value)))
      throw new SchemaError(`${name} must be of an integer`);
    if (compareNumbers(value, 0) < 0) throw new SchemaError(`${name} must be greater than or equal to 0`);
    schema[name] = value instanceof ExactNumber ? Number(value.text) : value;
  }
  const [low, high] = [schema[least], schema[most]];
  if (ordered && low !== undefined && high !== undefined && low > high)
    throw new SchemaError(`${least} cannot be greater than ${most}`);
}
