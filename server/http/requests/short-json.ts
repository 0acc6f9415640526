/**
 * JSON in short bodies. As in the reference, text behind the first value is ignored where not all
 * counts.
 */

import type { Value } from '../../../values/index.js';
import { JsonError, jsonComplaint, parseJson } from '../../../values/index.js';
import { MalformedBody } from '../responses/api-error.js';

/** The first JSON value of a text; the rest is ignored. Throws a MalformedBody. */
export function firstJson(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    const end = endOfValue(text);
    if (end < text.length) {
      try {
        return parseJson(text.slice(0, end));
      } catch {
        // The error of the whole text is thrown below.
      }
    }
    throw new MalformedBody(complaint(text, error));
  }
}

/** The only JSON value of a text. Throws a MalformedBody. */
export function wholeJson(text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new MalformedBody(complaint(text, error));
  }
}

function complaint(text: string, error: JsonError): string {
  // `jsonComplaint` recurses, so a text that nests too deeply is not given to it.
  return error.message.startsWith('nested') ? 'exceeded max depth' : (jsonComplaint(text) ?? error.message);
}

/**
 * A word, or a number that does not continue as a wrong one: the reference accepts these before any
 * text.
 */
const scalar = /true|false|null|-?(?:0|[1-9]\d*(?!\d))(?:\.\d+(?!\d)|(?!\.))(?:[eE][+-]?\d+(?!\d)|(?![eE]))/y;

/** The end of the first value of a text. */
function endOfValue(text: string): number {
  let depth = 0;
  let i = text.search(/[^ \t\r\n]|$/);
  const first = text[i];
  if (first !== '{' && first !== '[' && first !== '"') {
    scalar.lastIndex = i;
    return scalar.test(text) ? scalar.lastIndex : text.length;
  }
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      i = endOfString(text, i);
      if (depth === 0) return i + 1;
    } else if (c === 91 || c === 123) depth++;
    else if ((c === 93 || c === 125) && --depth === 0) return i + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 34) return i;
  }
  return text.length;
}
