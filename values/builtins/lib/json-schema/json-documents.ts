/** Operands → JSON documents. */

import { sortedMembers } from '../../../compare.js';
import { JsonError, keyName, toJson } from '../../../json/json.js';
import { ExactNumber, toDouble } from '../../../numbers/number.js';
import { RegoObject } from '../../../object.js';
import { RegoSet } from '../../../set.js';
import { isArray, isObject, type PlainObject, type Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import { BuiltinError } from '../../builtin-errors.js';
import { toEscapedJson } from '../go/escaped-json.js';
import { readJson } from '../json/read-json.js';
import { membersByName } from './keywords.js';
import type { SchemaJson } from './schema.js';

/** The document of an operand: of a string the JSON that it holds. Throws a BuiltinError. */
export function jsonDocumentOf(operand: Value): SchemaJson {
  if (typeof operand === 'string') {
    try {
      return readJson(operand);
    } catch (error) {
      if (error instanceof JsonError) throw new BuiltinError('invalid JSON string');
      throw error;
    }
  }
  if (!isArray(operand) && !isObject(operand)) throw new BuiltinError('wrong type, expected string or object');
  return jsonOf(operand);
}

/** Units for a value that is read or copied. */
const unitsPerValue = 20;

/** The same value with arrays for sets and text for keys; shared where it is JSON already. */
function jsonOf(value: Value): SchemaJson {
  countWork(unitsPerValue);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  if (value instanceof RegoSet) return sortedMembers(value).map(jsonOf);
  if (isArray(value)) {
    const members = value.map(jsonOf);
    return members.every((member, i) => member === value[i]) ? value : members;
  }
  if (value instanceof RegoObject)
    return Object.fromEntries([...value.entries()].map(([key, member]) => [keyName(key), jsonOf(member)]));
  const entries = Object.entries(value as PlainObject).map(([key, member]) => [key, jsonOf(member)] as const);
  return entries.every(([key, member]) => member === (value as PlainObject)[key]) ? value : Object.fromEntries(entries);
}

/**
 * A document as JSON text with numbers as doubles, so that equal documents have equal texts.
 * Messages of the reference show documents in this form.
 */
export function canonicalJson(value: SchemaJson): string {
  return typeof value === 'object'
    ? toEscapedJson(asDoubles(value))
    : typeof value === 'string'
      ? toEscapedJson(value)
      : toJson(value);
}

function asDoubles(value: SchemaJson): SchemaJson {
  countWork(unitsPerValue);
  if (value instanceof ExactNumber) return toDouble(value);
  if (isArray(value)) return value.map(asDoubles);
  if (isObject(value))
    return Object.fromEntries(membersByName(value as PlainObject).map(([key, member]) => [key, asDoubles(member)]));
  return value;
}
