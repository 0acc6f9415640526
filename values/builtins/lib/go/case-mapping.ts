/**
 * Case of characters one by one, as Go maps it. JavaScript maps whole words: a final sigma gets a
 * form of its own, and a character may become several (`ß` to `SS`).
 */
import { TextBuilder } from '../../../text/text-builder.js';
import { isAscii } from '../../../text/utf8.js';
import { countWork } from '../../../work.js';

/** A loop often compares one text with many words: `contains(lower(name), word)`. */
let lastText = '';
let lastLower = '';

/** Longer texts are not kept. */
const maxKept = 64;

export function toLower(text: string): string {
  if (text === lastText) return lastLower;
  if (!isAscii(text)) return mapCharacters(text, lowerOf);
  const lower = text.toLowerCase();
  if (text.length <= maxKept) {
    lastText = text;
    lastLower = lower;
  }
  return lower;
}

export function toUpper(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapCharacters(text, upperOf);
}

/** Units for a character that is mapped. */
const unitsPerCharacter = 5;

function mapCharacters(text: string, map: (character: string) => string): string {
  countWork(text.length * unitsPerCharacter);
  const mapped = new TextBuilder();
  for (const character of text) mapped.add(map(character));
  return mapped.toString();
}

function lowerOf(character: string): string {
  const lower = character.toLowerCase();
  // The dotted capital I is the only one with several characters.
  return lower.length === character.length ? lower : 'i';
}

function upperOf(character: string): string {
  const upper = character.toUpperCase();
  if (upper.length === character.length) return upper;
  const code = character.codePointAt(0)!;
  // A Greek letter with iota subscript has a capital of one character. Other letters whose capital
  // has several characters are unchanged.
  if (code >= 0x1f80 && code <= 0x1faf) return String.fromCodePoint(code | 8);
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCodePoint(code + 9);
  return character;
}
