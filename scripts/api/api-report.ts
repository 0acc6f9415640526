/** Declarations without their comments, a name in a line. */

/** Texts in quotes and templates stay as they are. */
const commentOrText = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

export function apiReport(text: string): string {
  const code = text.replaceAll(commentOrText, (found) => (found.startsWith('/') ? '' : found));
  const lines = code.split('\n').map((line) => line.trimEnd());
  return lines
    .flatMap((line) => (line === '' ? [] : [`${/^(?:im|ex)port \{/.test(line) ? named(line) : line}\n`]))
    .join('');
}

/** A list of imports or exports, over lines. */
function named(line: string): string {
  return line.replaceAll(', ', ',\n    ').replace('{ ', '{\n    ').replace(' }', '\n}');
}
