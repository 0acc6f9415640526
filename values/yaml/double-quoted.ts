/** Strings in double quotes. */

/** Characters that only double quotes can show. */
export const unprintable = /[^\n\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

const escapes: { readonly [character: string]: string } = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
  '"': '"',
  '\\': '\\',
  '\x85': 'N',
  '\u2028': 'L',
  '\u2029': 'P',
};

/** On one line, however long. */
export function doubleQuoted(text: string): string {
  return `"${Array.from(text, quotedCharacter).join('')}"`;
}

function quotedCharacter(c: string): string {
  const name = escapes[c];
  if (name !== undefined) return `\\${name}`;
  return unprintable.test(c) ? escapeCode(c.codePointAt(0)!) : c;
}

function escapeCode(code: number): string {
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
