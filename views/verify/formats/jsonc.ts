/** JSON with comments: `//`, slashes with stars, and `#`. */
import { type Format, FormatError } from './format.js';
import { jsonValue } from './json.js';
import { markJson } from './json-marks.js';

export const jsonc: Format = {
  parse(text, _context, marks) {
    const plain = withoutComments(text);
    const value = jsonValue(plain, 'unmarshal jsonc');
    if (marks !== undefined) markJson(plain, value, marks);
    return value;
  },
};

/** Comments become spaces: offsets stay. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|\/\*/g, (part, offset: number) => {
    if (part === '/*') throw new FormatError('unmarshal jsonc: a comment does not end: expected */', offset);
    return part.startsWith('"') ? part : part.replace(/[^\n]/g, ' ');
  });
}
