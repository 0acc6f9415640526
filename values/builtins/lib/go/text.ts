/** Texts by the verbs of formats: their width, their first characters, their bytes. */
import { TextBuilder } from '../../../text/text-builder.js';
import { toBinary } from '../../../text/utf8.js';
import { countWork } from '../../../work.js';
import type { Style } from './directive.js';

const surrogate = /[\ud800-\udfff]/;

/**
 * A text as wide as its style wants, in characters: filled on the left unless `-` is among the
 * flags, with zeros or spaces as the flags say.
 */
export function pad(text: string, style: Style): string {
  return style.width === undefined ? text : fill(text, style, style.zero ? '0' : ' ');
}

/** A text as wide as its style wants, filled with spaces in any case. */
export function padWithSpaces(text: string, style: Style): string {
  return style.width === undefined ? text : fill(text, style, ' ');
}

function fill(text: string, { width = 0, minus }: Style, filler: '0' | ' '): string {
  // Characters of two units make the text longer than it is wide.
  const target = surrogate.test(text) ? width + text.length - Array.from(text).length : width;
  return minus ? text.padEnd(target) : text.padStart(target, filler);
}

/** The text, of which a precision may take the first characters. */
export function cut(text: string, { precision }: Style): string {
  if (precision === undefined) return text;
  return surrogate.test(text) ? Array.from(text).slice(0, precision).join('') : text.slice(0, precision);
}

/** Units for a byte in hexadecimal. */
const unitsPerByte = 10;

/** The bytes of a text in hexadecimal: all together, or, with a space, each for itself. */
export function hexText(text: string, verb: 'x' | 'X', { precision, sharp, space }: Style): string {
  const bytes = toBinary(text).slice(0, precision);
  countWork(bytes.length * unitsPerByte);
  const prefix = sharp ? `0${verb}` : '';
  const separator = space ? ` ${prefix}` : '';
  const hex = new TextBuilder();
  for (let i = 0; i < bytes.length; i++) {
    const digits = bytes.charCodeAt(i).toString(16).padStart(2, '0');
    hex.add((i === 0 ? prefix : separator) + (verb === 'X' ? digits.toUpperCase() : digits));
  }
  return hex.toString();
}
