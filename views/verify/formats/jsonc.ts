/** JSON with comments: `//`, slashes with stars, and `#`. */
import { FileFormatError, type Format } from './format.js';
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

/** Comments become spaces: offsets stay. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|\/\*/g, (part, offset: number) => {
    if (part === '/*') throw new FileFormatError('unmarshal jsonc: a comment does not end: expected */', offset);
    return part.startsWith('"') ? part : part.replace(/[^\n]/g, ' ');
  });
}
