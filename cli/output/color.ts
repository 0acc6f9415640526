/** Colours of JSON on a terminal: keys blue, strings green, other values by type. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Adds colour escape sequences to JSON text. */
export function colored(json: string): string {
  return json.replace(tokens, (token: string, text: string | undefined, colon: string | undefined) => {
    if (text !== undefined) return colon === undefined ? paint(32, text) : paint(34, text) + colon;
    if (token === 'null') return paint(90, token);
    return paint(token === 'true' || token === 'false' ? 33 : 36, token);
  });
}

/** Paints a text in one of the terminal's colours. */
function paint(color: number, text: string): string {
  return `\u001b[${color}m${text}\u001b[39m`;
}
