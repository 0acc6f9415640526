/** Strings as YAML scalars: plain, quoted or literal. */

import { countWork } from '../work.js';
import { readsAsOther } from './yaml-scalars.js';

/** Units for a character that is written. */
const unitsPerCharacter = 10;

/** Shorter strings cost no more than other values. */
const longText = 20;

const indicator = /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[-?:](?:[ \t]|$)|:(?:[ \t]|$)|(?:^|[ \t])#/;

/** @param indent of the lines of literal text; undefined for a key, which is on one line */
export function stringScalar(text: string, indent: number | undefined): string {
  if (text.length > longText) countWork(text.length * unitsPerCharacter);
  if (!text.isWellFormed()) return `!!binary ${btoa(binaryOf(text))}`;
  if (unprintable.test(text.replaceAll('\t', ''))) return doubleQuoted(text);
  if (text.includes('\n')) {
    // Literal text cannot show spaces before a line's end.
    if (indent === undefined || / (?:\n|$)/.test(text)) return doubleQuoted(text);
    return literal(text, indent);
  }
  if (text.includes('\t') || readsAsOther(text)) return doubleQuoted(text);
  // These end lines, for go-yaml, but a line end beside a space is lost in single quotes.
  if (/ [\u2028\u2029]|[\u2028\u2029] /.test(text)) return doubleQuoted(text);
  if (!/^ | $|[\u2028\u2029]/.test(text) && !indicator.test(text)) return text;
  return `'${text.replaceAll("'", "''")}'`;
}

function binaryOf(text: string): string {
  return Array.from(text, (c) =>
    c >= '\udc80' && c <= '\udcff' ? String.fromCharCode(c.charCodeAt(0) - 0xdc00) : toLatin(c),
  ).join('');
}

function toLatin(character: string): string {
  return String.fromCharCode(...new TextEncoder().encode(character));
}

function literal(text: string, indent: number): string {
  const pad = ' '.repeat(indent);
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
  return `|${hint}${chomp}${lines.map((line) => (line === '' ? '\n' : `\n${pad}${line}`)).join('')}`;
}

/** Characters that only double quotes can show. */
const unprintable = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

const escapes: { readonly [character: string]: string } = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** On one line, however long. */
function doubleQuoted(text: string): string {
  return `"${Array.from(text, quotedCharacter).join('')}"`;
}

function quotedCharacter(c: string): string {
  const name = escapes[c];
  if (name !== undefined) return `\\${name}`;
  return unprintable.test(c) ? escapeCode(c.codePointAt(0)!) : c;
}

function escapeCode(code: number): string {
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
