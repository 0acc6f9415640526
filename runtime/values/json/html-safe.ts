/** JSON text as Go's encoder writes it: the characters that HTML or a script would read are escaped. They occur only within strings. */
export function htmlSafe(json: string): string {
  return unsafe.test(json) ? json.replace(everyUnsafe, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) : json;
}

const unsafe = /[<>&\u2028\u2029]/;
const everyUnsafe = /[<>&\u2028\u2029]/g;
