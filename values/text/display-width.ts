/** How many columns of a terminal a text takes. */

/** Combining marks and format characters. */
const zero = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** East Asian wide and full-width characters, and emoji. */
const double =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const narrow = /^[\x20-\x7e]*$/;

/** @example displayWidth('aé日') // 4 */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += zero.test(character) ? 0 : double.test(character) ? 2 : 1;
  return width;
}
