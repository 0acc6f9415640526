/** Texts of HCL1: quoted ones, whose interpolations stay as written, and heredocs. */

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

/** The character of a number; the sign of a broken one where there is none. */
export function characterOf(point: number): string {
  const isNone = point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff);
  return isNone ? '\ufffd' : String.fromCodePoint(point);
}

/** The text within quotes; undefined where a sequence of it is none of the language. */
export function unquotedHcl1(quoted: string): string | undefined {
  let text = '';
  for (let at = 1; at < quoted.length - 1; ) {
    if (quoted.startsWith('${', at)) {
      const end = interpolationEnd(quoted, at);
      text += quoted.slice(at, end);
      at = end;
      continue;
    }
    if (quoted[at] !== '\\') {
      text += quoted[at++];
      continue;
    }
    const part = unescaped(quoted.slice(at + 1, at + 10));
    if (part === undefined) return undefined;
    text += part.text;
    at += 1 + part.length;
  }
  return text;
}

function interpolationEnd(quoted: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < quoted.length - 1; at++) {
    if (quoted[at] === '{') depth++;
    if (quoted[at] === '}' && --depth === 0) return at + 1;
  }
  return quoted.length - 1;
}

function unescaped(rest: string): { readonly text: string; readonly length: number } | undefined {
  const simple = escapes[rest[0] ?? ''];
  if (simple !== undefined) return { text: simple, length: 1 };
  const code = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2}))/.exec(rest);
  if (code === null) return undefined;
  const [all, byte, short, long, octal] = code;
  const point = octal === undefined ? Number.parseInt((byte ?? short ?? long)!, 16) : Number.parseInt(octal, 8);
  if (point > 0x10ffff) return undefined;
  return { text: characterOf(point), length: all.length };
}

/**
 * The lines of a heredoc. Those of `<<-` lose the indentation of the closing word where all lines
 * have it, empty ones too; otherwise they stay as they are.
 */
export function heredocText(content: string, indentation: string, isIndented: boolean): string {
  if (!isIndented) return content + indentation;
  const lines = content.split('\n');
  const last = lines.pop();
  if (!lines.every((line) => line.startsWith(indentation))) return content;
  return [...lines.map((line) => line.slice(indentation.length)), last].join('\n');
}
