/**
 * Escapes JSON text as Go's encoder does: the characters that are special in HTML or scripts. They
 * occur only within strings.
 */
export function htmlSafe(json: string): string {
  return unsafe.some((character) => json.includes(character))
    ? json.replace(everyUnsafe, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;
}

// Most texts have none, and searching for each takes less time than compiling a pattern.
const unsafe = ['<', '>', '&', '\u2028', '\u2029'];
const everyUnsafe = /[<>&\u2028\u2029]/g;
