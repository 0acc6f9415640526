/** JSON, its numbers as doubles. */
import { parseJson } from '../../../values/json/json.js';
import { JsonError } from '../../../values/json/json-error.js';
import type { Value } from '../../../values/value.js';
import { type Format, FormatError } from './format.js';
import { markJson } from './json-marks.js';

/** Numbers that may be too large, and characters that `JSON.parse` would keep in half. */
const needsCare = /[eE]\+?\d{3}|\d{308}|\\u[dD][89a-fA-F]/;

export const json: Format = {
  parse(text, _context, marks) {
    const value = jsonValue(text, 'unmarshal json');
    if (marks !== undefined) markJson(text, value, marks);
    return value;
  },
};

/** Throws a FormatError that begins with the stage. */
export function jsonValue(text: string, stage: string): Value {
  try {
    if (needsCare.test(text) || text.length < shortest) return parseJson(text);
    return JSON.parse(text) as Value;
  } catch (error) {
    throw jsonError(error, text, stage);
  }
}

/** Reading a short text exactly costs nothing. */
const shortest = 10_000;

function jsonError(error: unknown, text: string, stage: string): unknown {
  if (error instanceof JsonError) return new FormatError(`${stage}: ${error.message}`, error.offset ?? text.length);
  if (!(error instanceof SyntaxError)) return error;
  try {
    parseJson(text);
  } catch (again) {
    return jsonError(again, text, stage);
  }
  return error;
}
