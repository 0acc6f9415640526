/** JSON with comments: `//`, slashes with stars, and `#`. */
import type { Format } from './format.js';
import { readJsonText } from './json.js';
import { markJson } from './json-marks.js';

export const jsonc: Format = {
  parse(text, _context, marks) {
    const plain = withoutComments(text);
    const value = readJsonText(plain, 'unmarshal jsonc');
    if (marks !== undefined) markJson(plain, value, marks);
    return value;
  },
};

/** Comments become spaces: offsets stay. One that does not end goes to the end of the text. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
    part.startsWith('"') ? part : part.replace(/[^\n]/g, ' '),
  );
}
