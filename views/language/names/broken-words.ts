/** Words of statements that cannot be read: names and paths, without strings and comments. */

import type { Stretch } from '../syntax/statements.js';

export interface Word {
  readonly text: string;
  readonly start: number;
}

/** A name, and the names that follow it behind dots. */
export type WordPath = readonly [Word, ...Word[]];

const tokens = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|#.*|[\p{L}_][\p{L}\w]*(?:\.[\p{L}_][\p{L}\w]*)*/gu;

/** The paths of words in a part of a text. */
export function* wordPaths(text: string, { start, end }: Stretch): Iterable<WordPath> {
  for (const { 0: token, index } of text.slice(start, end).matchAll(tokens)) {
    if (!/^[\p{L}_]/u.test(token)) continue;
    let at = start + index;
    const words: Word[] = [];
    for (const word of token.split('.')) {
      words.push({ text: word, start: at });
      at += word.length + 1;
    }
    yield words as [Word, ...Word[]];
  }
}
