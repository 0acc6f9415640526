/** Whether a value is a listed one, and a text has its length, pattern and format. */
import { codePoints } from '../../../text/code-points.js';
import { countText } from '../../../work.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { matchesFormat } from './formats.js';
import { canonicalJson } from './json-documents.js';
import type { SchemaResult } from './result.js';
import type { SchemaJson, SchemaValue } from './schema.js';

export function checkValue(
  schema: SchemaValue,
  value: SchemaJson,
  path: string,
  result: SchemaResult,
  context: BuiltinContext,
): void {
  if (schema.const !== undefined && canonicalJson(value) !== schema.const) {
    result.add('const', path, (field) => `${field} does not match: ${schema.const}`);
  }
  const allowed = schema.enum;
  if (allowed !== undefined && !allowed.includes(canonicalJson(value))) {
    result.add('enum', path, (field) => `${field} must be one of the following: ${allowed.join(', ')}`);
  }
  if (schema.format !== undefined && typeof value === 'string' && !matchesFormat(schema.format, value, context)) {
    result.add('format', path, `Does not match format '${schema.format}'`);
  }
  result.score++;
}

export function checkString(
  schema: SchemaValue,
  value: string,
  path: string,
  result: SchemaResult,
  context: BuiltinContext,
): void {
  const { minLength, maxLength, pattern } = schema;
  if (minLength !== undefined || maxLength !== undefined) {
    countText(value.length);
    const length = codePoints(value);
    if (minLength !== undefined && length < minLength)
      result.add('string_gte', path, `String length must be greater than or equal to ${minLength}`);
    if (maxLength !== undefined && length > maxLength)
      result.add('string_lte', path, `String length must be less than or equal to ${maxLength}`);
  }
  if (pattern !== undefined && !pattern.regex.test(value, context))
    result.add('pattern', path, `Does not match pattern '${pattern.source}'`);
  result.score++;
}
