/**
 * Finding one text in another, in time and work that grow with the texts' lengths, not with their
 * product.
 */
import { checkElements } from '../../../memory.js';
import { countWork } from '../../../work.js';

/** The index of the first match at or after `from`, -1 if there is none. */
type Find = (text: string, from: number) => number;

/**
 * The platform finds parts up to this length in time; longer ones may take it the product of both
 * lengths, which is minutes for a million characters.
 */
const longestNative = 256;

/** Long texts are searched piece by piece. */
const pieceLength = 1 << 16;

/** A search for a part, which is not empty. It can be repeated. */
export function finderOf(part: string): Find {
  return part.length <= longestNative ? nativeFinder(part) : linearFinder(part);
}

function nativeFinder(part: string): Find {
  return (text, from) => {
    for (let start = from; ; start += pieceLength) {
      const end = start + pieceLength + part.length - 1;
      const at = end >= text.length ? text.indexOf(part, start) : text.slice(start, end).indexOf(part);
      if (end >= text.length) return at;
      countWork((at < 0 ? pieceLength : at) >> 4);
      if (at >= 0) return start + at;
    }
  };
}

/** The algorithm of Knuth, Morris and Pratt: no character of the text is looked at twice. */
function linearFinder(part: string): Find {
  const borders = bordersOf(part);
  return (text, from) => {
    let matched = 0;
    for (let i = from; i < text.length; i++) {
      if (i % pieceLength === 0) countWork(pieceLength >> 1);
      const c = text.charCodeAt(i);
      while (matched > 0 && part.charCodeAt(matched) !== c) matched = borders[matched - 1]!;
      if (part.charCodeAt(matched) === c) matched++;
      if (matched === part.length) return i + 1 - part.length;
    }
    return -1;
  };
}

/** For each prefix the length of its longest proper prefix that is also its suffix. */
function bordersOf(part: string): Int32Array {
  countWork(part.length);
  const borders = new Int32Array(part.length);
  let matched = 0;
  for (let i = 1; i < part.length; i++) {
    const c = part.charCodeAt(i);
    while (matched > 0 && part.charCodeAt(matched) !== c) matched = borders[matched - 1]!;
    if (part.charCodeAt(matched) === c) matched++;
    borders[i] = matched;
  }
  return borders;
}

/** The pieces of a text between the matches of a delimiter, which is not empty. */
export function splitAt(text: string, delimiter: string): string[] {
  if (text.length <= pieceLength && delimiter.length <= longestNative) return text.split(delimiter);
  const find = finderOf(delimiter);
  const pieces: string[] = [];
  let start = 0;
  for (let at = find(text, 0); at >= 0; at = find(text, start)) {
    countWork(unitsPerPiece);
    checkElements(pieces.length + 1);
    pieces.push(text.slice(start, at));
    start = at + delimiter.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** Units for a piece that is cut out. */
const unitsPerPiece = 5;

/** The characters of a text, each as a string. */
export function charactersOf(text: string): string[] {
  countWork(text.length * unitsPerPiece);
  checkElements(text.length);
  return Array.from(text);
}
