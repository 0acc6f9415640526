/** Strings: searching, cutting, replacing. Positions count characters (code points). */

import { decimalOf, integerOf, type NumberValue } from '../../numbers/number.js';
import { any, anyOf, array, boolean, number, object, set, string } from '../../type.js';
import { isNumber, type Value } from '../../value.js';
import { countWork } from '../../work.js';
import { arg, type Builtin, builtin, type OperandReader } from '../builtin.js';
import { operandError, operandTypeError } from '../builtin-errors.js';
import { counted, linear } from '../cost.js';
import { toLower, toUpper } from '../lib/go/case-mapping.js';
import { sprintf } from '../lib/go/sprintf.js';
import { reverse, splitByDelimiter, splitN, substring } from '../lib/strings/cut.js';
import { anyPrefixMatch, anySuffixMatch } from '../lib/strings/prefixes.js';
import { replaceAll, replaceText } from '../lib/strings/replace.js';
import { allIndexesOf, containsText, countMatches, indexOf } from '../lib/strings/search.js';
import { fewParts, joinedUnits, shortUnits } from '../lib/strings/text-units.js';
import { trimLeft, trimPrefix, trimRight, trimSpace, trimSuffix } from '../lib/strings/trim.js';
import { renderTemplate } from '../lib/template/render.js';
import { int64, stringsOperand } from '../value-operands.js';

const stringCollection = anyOf(array(string), set(string));

const parts: OperandReader<readonly string[]> = (operand, position) =>
  stringsOperand(operand, position, 'set', 'array');

const oneOrMore = anyOf(string, array(string), set(string));

const texts: OperandReader<readonly string[]> = (operand, position) =>
  typeof operand === 'string' ? [operand] : stringsOperand(operand, position, 'string', 'set', 'array');

const searchAndBase = [arg('search', oneOrMore, texts), arg('base', oneOrMore, texts)] as const;

// biome-ignore format: a table
export const strings: readonly Builtin[] = [
  builtin('concat', [arg('delimiter', string), arg('collection', stringCollection, parts)], string, concat, { cost: counted }),
  builtin('contains', [arg('haystack', string), arg('needle', string)], boolean, containsText, { cost: counted }),
  builtin('startswith', [arg('search', string), arg('base', string)], boolean, (search, base) => search.startsWith(base), { cost: linear(0.1) }),
  builtin('endswith', [arg('search', string), arg('base', string)], boolean, (search, base) => search.endsWith(base), { cost: linear(0.1) }),
  builtin('format_int', [arg('number', number), arg('base', number, baseOperand)], string, formatInt, { cost: linear(20) }),
  builtin('indexof', [arg('haystack', string), arg('needle', string)], number, indexOf, { cost: counted }),
  builtin('indexof_n', [arg('haystack', string), arg('needle', string)], array(number), allIndexesOf, { cost: counted }),
  builtin('lower', [arg('x', string)], string, toLower, { cost: linear(0.2) }),
  builtin('upper', [arg('x', string)], string, toUpper, { cost: linear(0.2) }),
  builtin('replace', [arg('x', string), arg('old', string), arg('new', string)], string, replaceText, { cost: counted }),
  builtin('split', [arg('x', string), arg('delimiter', string)], array(string), splitByDelimiter, { cost: counted }),
  builtin('sprintf', [arg('format', string), arg('values', array())], string, sprintf, { cost: counted }),
  builtin('substring', [arg('value', string), arg('offset', number, int64), arg('length', number, int64)], string, substring, { cost: linear(0.1) }),
  builtin('trim', [arg('value', string), arg('cutset', string)], string, (value, cutset) => trimLeft(trimRight(value, cutset), cutset), { cost: counted }),
  builtin('trim_left', [arg('value', string), arg('cutset', string)], string, trimLeft, { cost: counted }),
  builtin('trim_right', [arg('value', string), arg('cutset', string)], string, trimRight, { cost: counted }),
  builtin('trim_prefix', [arg('value', string), arg('prefix', string)], string, trimPrefix, { cost: linear(0.1) }),
  builtin('trim_suffix', [arg('value', string), arg('suffix', string)], string, trimSuffix, { cost: linear(0.1) }),
  builtin('trim_space', [arg('value', string)], string, trimSpace, { cost: counted }),
  builtin('strings.any_prefix_match', searchAndBase, boolean, anyPrefixMatch, { cost: counted }),
  builtin('strings.any_suffix_match', searchAndBase, boolean, anySuffixMatch, { cost: counted }),
  builtin('strings.count', [arg('search', string), arg('substring', string)], number, countMatches, { cost: counted }),
  builtin('strings.replace_n', [arg('patterns', object(string, string)), arg('value', string)], string, replaceAll, { cost: counted }),
  builtin('strings.reverse', [arg('x', string)], string, (x) => reverse(x), { cost: counted }),
  builtin('strings.split_n', [arg('x', string), arg('delimiter', string), arg('n', number, int64)], array(string), splitN, { cost: counted }),
  builtin('strings.render_template', [arg('value', string), arg('vars', object(string, any))], string, renderTemplate, { cost: counted }),
];

/** A few short texts take no longer than the call itself. */
function concat(delimiter: string, parts: readonly string[]): string {
  if (parts.length > fewParts) countWork(parts.length);
  let length = Math.max(parts.length - 1, 0) * delimiter.length;
  for (const part of parts) length += part.length;
  return parts.length <= fewParts && length <= shortUnits
    ? parts.join(delimiter)
    : joinedUnits(parts, delimiter, length);
}

function baseOperand(operand: Value, position: number): number {
  if (!isNumber(operand)) throw operandTypeError(position, operand, 'number');
  if (operand !== 2 && operand !== 8 && operand !== 10 && operand !== 16)
    throw operandError(position, 'must be one of {2, 8, 10, 16}');
  return operand;
}

/** A fraction is cut off. */
function formatInt(value: NumberValue, base: number): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value.toString(base);
  const { digits, exponent } = decimalOf(value);
  const whole = integerOf(value) ?? (exponent < -100_000 ? 0n : digits / 10n ** BigInt(-exponent));
  return whole.toString(base);
}
