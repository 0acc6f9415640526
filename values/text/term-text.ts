/** Values in Rego's notation, for `print`, `trace` and `sprintf`. */
import { sortedEntries, sortedMembers } from '../compare.js';
import { ExactNumber } from '../numbers/number.js';
import { RegoSet } from '../set.js';
import type { ObjectValue, Value } from '../value.js';
import { countText, countWork } from '../work.js';
import { TextBuilder } from './text-builder.js';

/** A value as a term: strings quoted, `{"a": [1, {2, 3}]}`, `set()`. */
export function termText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return goQuote(value);
    case 'object':
      break;
    default:
      return String(value);
  }
  if (value === null) return 'null';
  countWork();
  if (Array.isArray(value)) return `[${membersText(value)}]`;
  if (value instanceof ExactNumber) return value.text;
  if (value instanceof RegoSet) return value.size === 0 ? 'set()' : `{${membersText(sortedMembers(value))}}`;
  const text = new TextBuilder();
  for (const [key, member] of sortedEntries(value as ObjectValue)) {
    countWork(unitsPerMember);
    text.add(`${text.isEmpty ? '' : ', '}${termText(key)}: ${termText(member)}`);
  }
  return `{${text}}`;
}

function membersText(members: readonly Value[]): string {
  const text = new TextBuilder();
  for (const member of members) {
    countWork(unitsPerMember);
    text.add(text.isEmpty ? termText(member) : `, ${termText(member)}`);
  }
  return text.toString();
}

/** Units for the text of a member. */
const unitsPerMember = 20;

const plain = /^[ !#-[\]-~]*$/;
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const named: { readonly [character: string]: string } = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

/** A string as a Go literal in double quotes; `ascii` escapes all other characters. */
export function goQuote(text: string, ascii = false): string {
  countText(text.length);
  if (plain.test(text)) return `"${text}"`;
  countWork(text.length * unitsPerMember);
  const quoted = new TextBuilder();
  for (const character of text) quoted.add(quoteCharacter(character, '"', ascii));
  return `"${quoted}"`;
}

/** A string as Go quotes it, with no escapes but those that the language has. */
export function quotedTerm(text: string): string {
  return goQuote(text).replace(goEscape, (all, isBackslash, byte, wide, name) => {
    if (isBackslash !== undefined) return all;
    const code = name === undefined ? Number.parseInt(byte ?? wide, 16) : name === 'a' ? 7 : 11;
    return Array.from({ length: code > 0xffff ? 2 : 1 }, (_, i) => unitEscape(String.fromCodePoint(code), i)).join('');
  });
}

const goEscape = /\\(?:(\\)|x([\da-f]{2})|U([\da-f]{8})|([av]))/g;

function unitEscape(character: string, i: number): string {
  return `\\u${hex(character.charCodeAt(i), 4)}`;
}

/** A character as a Go literal in single quotes. */
export function goQuoteRune(code: number, ascii = false): string {
  const valid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return `'${quoteCharacter(String.fromCodePoint(valid ? code : 0xfffd), "'", ascii)}'`;
}

function quoteCharacter(character: string, quote: string, ascii: boolean): string {
  if (character === quote) return `\\${quote}`;
  const name = named[character];
  if (name !== undefined) return name;
  const code = character.codePointAt(0)!;
  // A byte that is not valid UTF-8: see utf8.ts.
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return ascii ? '\\ufffd' : '\ufffd';
  if ((!ascii || code < 0x80) && isPrintable(character)) return character;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}

/**
 * Whether a character is printable: a letter, mark, number, punctuation, symbol or the ASCII space.
 */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}
