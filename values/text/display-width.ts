/** The columns that a text takes on a terminal. */

import { lazy } from '../lazy.js';

const joined = /\ufe0f/;
const plain = /^[\x20-\x7e]*$/;

/** They look up classes of Unicode, which takes a millisecond: most texts need none. */
const unicodePatterns = lazy(() => ({
  characters: new Intl.Segmenter('en', { granularity: 'grapheme' }),
  // East Asian wide and fullwidth characters, by Unicode's EastAsianWidth.
  wide: /[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u,
  noWidth: /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]*$/u,
}));

/**
 * A character with its marks takes two columns if it is wide, and none if it is not shown.
 * @example displayWidth('aé日') // 4
 */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  const { characters, wide, noWidth } = unicodePatterns();
  let total = 0;
  for (const { segment } of characters.segment(text)) {
    if (wide.test(segment) || joined.test(segment)) total += 2;
    else if (!noWidth.test(segment)) total += 1;
  }
  return total;
}
