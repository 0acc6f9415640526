/**
 * The number of code points in the UTF-16 units [start, end): a surrogate pair counts as one, and
 * so does an unpaired surrogate.
 */
export function codePoints(text: string, start = 0, end: number = text.length): number {
  let count = end - start;
  for (let i = start; i < end - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}
