/**
 * A text without the characters of a set at its ends. A regular expression would take quadratic
 * time over a long run in the middle.
 */
export function trimCharacters(text: string, set: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && set.includes(text.charAt(start))) start++;
  while (end > start && set.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
