/** JSON, its numbers as doubles. */

import { JsonError, parseJson, type Value } from '../../../values/index.js';
import { FileFormatError, type Format } from './format.js';
import { jsonFinder } from './json-find.js';
import { markJson } from './json-marks.js';

export const json: Format = {
  parse(text, _context, marks) {
    const bare = text.replace(/^\ufeff/, ' ');
    const value = readJsonText(bare, 'unmarshal json');
    if (marks !== undefined) markJson(bare, value, marks);
    return value;
  },
  finder: jsonFinder,
};

/** Throws a FileFormatError that begins with the stage. */
export function readJsonText(text: string, stage: string): Value {
  try {
    // Characters that `JSON.parse` would keep in half.
    const hasHalves = text.includes('\\ud') || text.includes('\\uD');
    if (text.length < shortest || hasHalves) return parseJson(text);
    return JSON.parse(text) as Value;
  } catch (error) {
    throw jsonError(error, text, stage);
  }
}

/** Reading a short text exactly costs nothing. */
const shortest = 10_000;

function jsonError(error: unknown, text: string, stage: string): unknown {
  if (error instanceof JsonError)
    return new FileFormatError(`${stage}: ${error.message}`, error.offset ?? text.trimEnd().length);
  if (!(error instanceof SyntaxError)) return error;
  try {
    parseJson(text);
  } catch (again) {
    return jsonError(again, text, stage);
  }
  return error;
}
