import { countWork } from '../../../work.js';
import { characterBefore } from './cut.js';
import { block, unitsPerPart } from './text-units.js';

type Membership = (character: string) => boolean;

/** The cutset is a set of characters, not a prefix: trim_left("xyxa", "xy") is "a". */
export function trimLeft(text: string, cutset: string): string {
  return withoutStart(text, memberOf(cutset));
}

export function trimRight(text: string, cutset: string): string {
  return withoutEnd(text, memberOf(cutset));
}

function withoutStart(text: string, isCut: Membership): string {
  let start = 0;
  for (let cut = 1; start < text.length; cut++) {
    const character = characterAt(text, start);
    if (!isCut(character)) break;
    if (cut % block === 0) countWork(block * unitsPerPart);
    start += character.length;
  }
  return start === 0 ? text : text.slice(start);
}

function withoutEnd(text: string, isCut: Membership): string {
  let end = text.length;
  for (let cut = 1; end > 0; cut++) {
    const character = characterBefore(text, end);
    if (!isCut(character)) break;
    if (cut % block === 0) countWork(block * unitsPerPart);
    end -= character.length;
  }
  return end === text.length ? text : text.slice(0, end);
}

const shortCutset = 40;

function memberOf(cutset: string): Membership {
  if (cutset.length === 1) return (character) => character === cutset;
  if (cutset.length <= shortCutset) return (character) => cutset.includes(character);
  const characters = new Set(cutset);
  return (character) => characters.has(character);
}

function characterAt(text: string, at: number): string {
  if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) return text.charAt(at);
  return (text.codePointAt(at) ?? 0) > 0xffff ? text.slice(at, at + 2) : text.charAt(at);
}

export function trimPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

export function trimSuffix(text: string, suffix: string): string {
  return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
}

// Unlike String.prototype.trim this takes U+0085 and leaves U+FEFF.
const space =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

export function trimSpace(text: string): string {
  return withoutStart(withoutEnd(text, isSpace), isSpace);
}

function isSpace(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : space.includes(character);
}
