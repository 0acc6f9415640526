/** Whether texts have lone surrogates. */

/** V8 copies a part of a text that is so short: to keep it does not keep the whole. */
const longest = 12;

/** A power of two. */
const places = 256;

/** Short texts without lone surrogates, each in the place of its length and last unit. */
const known: string[] = new Array<string>(places).fill('');

/**
 * As the method of texts, which takes three times as long for a text that was asked about lately:
 * results are made of few texts.
 */
export function isWellFormed(text: string): boolean {
  const { length } = text;
  if (length > longest) return text.isWellFormed();
  const place = (length * 32 + text.charCodeAt(length - 1)) & (places - 1);
  if (known[place] === text) return true;
  if (!text.isWellFormed()) return false;
  known[place] = text;
  return true;
}

/** A text as its JSON has it: bytes that are no UTF-8, and other lone surrogates, are U+FFFD. */
export function jsonString(text: string): string {
  return isWellFormed(text) ? text : text.toWellFormed();
}
