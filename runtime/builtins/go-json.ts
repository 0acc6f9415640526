import { toJson } from '../values/json.js';
import type { Value } from '../values/value.js';

const escapes: { readonly [character: string]: string } = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** A value as Go's encoder writes it by default: what could end a script in HTML is escaped. It matters where the text is hashed or signed. */
export function toEscapedJson(value: Value): string {
  // None of them occurs outside of strings.
  return toJson(value).replace(/[<>&\u2028\u2029]/g, (character) => escapes[character]!);
}
