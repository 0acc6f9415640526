/** Texts of policies as they are sent. */
import { isUtf8 } from 'node:buffer';
import { type ApiError, invalidParameter } from './api-error.js';
import { textOf } from './body.js';

/** A policy's text. Throws an ApiError where it is no UTF-8: replaced characters would change what it says. */
export function policyText(id: string, bytes: Uint8Array): string {
  const text = textOf(bytes);
  if (!isUtf8(bytes)) throw illegalCharacter(id, bytes, text);
  return text;
}

function illegalCharacter(file: string, bytes: Uint8Array, text: string): ApiError {
  // Up to there the text, with its replacements, has the same bytes.
  const replaced = Buffer.from(text);
  const offset = bytes.findIndex((byte, i) => byte !== replaced[i]);
  const before = Buffer.from(bytes.subarray(0, offset)).toString().split('\n');
  const location = { file, row: before.length, col: [...before.at(-1)!].length + 1 };
  const entry = { code: 'rego_parse_error', message: 'illegal utf-8 character', location };
  return invalidParameter('error(s) occurred while compiling module(s)', [entry]);
}
