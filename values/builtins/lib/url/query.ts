/** Objects as queries of URLs, and back. */
import { sortedMembers } from '../../../compare.js';
import { jsonEntries } from '../../../json/json.js';
import { checkTextLength } from '../../../memory.js';
import { isSet, type ObjectValue, type Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import { BuiltinError, operandError } from '../../builtin-errors.js';
import { queryEscape, queryUnescape, UrlError } from './escape.js';

/** Units for a character that is escaped. */
const unitsPerCharacter = 5;

export function encodeQuery(operand: ObjectValue): string {
  const pairs: string[] = [];
  for (const [key, member] of jsonEntries(operand)) {
    for (const value of queryValues(member)) {
      countWork(unitsPerCharacter * (key.length + value.length));
      pairs.push(`${queryEscape(key)}=${queryEscape(value)}`);
    }
  }
  checkTextLength(pairs.reduce((length, pair) => length + pair.length + 1, 0));
  return pairs.join('&');
}

function queryValues(member: Value): readonly string[] {
  if (typeof member === 'string') return [member];
  const values = isSet(member)
    ? sortedMembers(member)
    : Array.isArray(member)
      ? (member as readonly Value[])
      : undefined;
  if (values?.every((value) => typeof value === 'string') !== true) {
    throw operandError(1, 'values must be string, array[string], or set[string]');
  }
  return values as readonly string[];
}

const maxParameters = 10_000;

/**
 * The first complaint about an escape counts, but one about a semicolon that comes later replaces
 * it.
 */
export function decodeQuery(query: string): ObjectValue {
  const parts = query.split('&');
  if (parts.length > maxParameters) throw new BuiltinError('number of URL query parameters exceeded limit');
  const values = new Map<string, string[]>();
  let complaint: string | undefined;
  for (const part of parts) {
    if (part.includes(';')) complaint = 'invalid semicolon separator in query';
    else if (part !== '') {
      try {
        const equals = part.indexOf('=');
        const key = queryUnescape(equals < 0 ? part : part.slice(0, equals));
        const value = queryUnescape(equals < 0 ? '' : part.slice(equals + 1));
        const known = values.get(key);
        if (known === undefined) values.set(key, [value]);
        else known.push(value);
      } catch (error) {
        if (!(error instanceof UrlError)) throw error;
        complaint ??= error.message;
      }
    }
  }
  if (complaint !== undefined) throw new BuiltinError(complaint);
  return Object.fromEntries(values);
}
