/** Strings in double quotes. */

/** Columns before a line is broken. */
export const lineWidth = 80;

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

export function doubleQuoted(text: string, indent: number, column: number | undefined): string {
  const characters = Array.from(text);
  let quoted = '"';
  let at = (column ?? 0) + 1;
  let wasSpace = false;
  characters.forEach((c, i) => {
    if (c === ' ' && column !== undefined && !wasSpace && at > lineWidth && i > 0 && i < characters.length - 1) {
      // A space after the break would be lost without the backslash.
      const mark = characters[i + 1] === ' ' ? '\\' : '';
      quoted += `\n${' '.repeat(indent)}${mark}`;
      at = indent + mark.length;
      wasSpace = true;
      return;
    }
    const written = quotedCharacter(c);
    quoted += written;
    at += written.length > 2 ? written.length : Array.from(written).length;
    wasSpace = c === ' ';
  });
  return `${quoted}"`;
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
