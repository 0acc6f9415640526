/** Strings as YAML scalars: plain, quoted, folded or literal. */
import { countWork } from '../work.js';
import { doubleQuoted, lineWidth, unprintable } from './double-quoted.js';
import { readsAsOther } from './yaml-scalars.js';

/** Units for a character that is written. */
const unitsPerCharacter = 10;

/** Shorter strings cost no more than other values. */
const longText = 20;

const indicator = /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[-?:](?:[ \t]|$)|:(?:[ \t]|$)|(?:^|[ \t])#/;

export function stringScalar(text: string, indent: number, column: number | undefined): string {
  if (text.length > longText) countWork(text.length * unitsPerCharacter);
  if (!text.isWellFormed()) return `!!binary ${btoa(binaryOf(text))}`;
  if (unprintable.test(text)) return doubleQuoted(text, indent, column);
  if (text.includes('\n')) {
    // Literal text cannot show spaces before a line's end.
    if (column === undefined || / (?:\n|$)/.test(text)) return doubleQuoted(text, indent, column);
    return literal(text, indent);
  }
  if (readsAsOther(text)) return doubleQuoted(text, indent, column);
  // These end lines, for go-yaml, but a line end beside a space is lost in single quotes.
  if (/ [\u2028\u2029]|[\u2028\u2029] /.test(text)) return doubleQuoted(text, indent, column);
  if (!/^ | $|[\u2028\u2029]/.test(text) && !indicator.test(text)) return folded(text, indent, column, 0);
  return `'${folded(text, indent, column === undefined ? undefined : column + 1, 1).replaceAll("'", "''")}'`;
}

/**
 * Breaks lines at single spaces beyond the width; `edge` characters at either end stay where they
 * are.
 */
function folded(text: string, indent: number, column: number | undefined, edge: number): string {
  if (column === undefined || column + text.length <= lineWidth || !text.includes(' ')) return text;
  const characters = Array.from(text);
  let result = '';
  let at = column;
  let wasSpace = false;
  characters.forEach((c, i) => {
    const breaks = c === ' ' && !wasSpace && at > lineWidth && i >= edge && i < characters.length - edge && characters[i + 1] !== ' ';
    if (breaks) {
      result += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      result += c;
      at += c === "'" && edge === 1 ? 2 : 1;
    }
    wasSpace = c === ' ';
  });
  return result;
}

function binaryOf(text: string): string {
  return Array.from(text, (c) => (c >= '\udc80' && c <= '\udcff' ? String.fromCharCode(c.charCodeAt(0) - 0xdc00) : toLatin(c))).join('');
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
