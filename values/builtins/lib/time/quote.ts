/** Quotes a text of a complaint as Go's time package does: bytes beyond ASCII one by one. */
export function quotedTimeText(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= 0x80 || code < 0x20) {
      for (const byte of new TextEncoder().encode(character)) quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
    } else quoted += character === '"' || character === '\\' ? `\\${character}` : character;
  }
  return `${quoted}"`;
}
