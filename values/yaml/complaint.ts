/** Complaints about YAML in go-yaml's words. */
import type * as library from 'js-yaml';

/** js-yaml's complaint in go-yaml's words, where it has one of the kind. */
export function complaint(error: library.YAMLException, text: string): string {
  const reason = error.reason ?? error.message;
  const line = error.mark?.line ?? 0;
  const scanned = lineText(line === 0 ? 0 : line + 1);
  const parsed = lineText(line);
  const row = text.split('\n')[line] ?? '';
  const next = text.slice(error.mark?.position ?? 0).trimStart();
  const alias = /^unidentified alias "(.*)"$/.exec(reason);
  if (alias !== null) return `unknown anchor '${alias[1]}' referenced`;
  if (/double quoted scalar|single quoted scalar/.test(reason)) return `${scanned}found unexpected end of stream`;
  if (/unknown escape sequence/.test(reason)) return `${scanned}found unknown escape character`;
  if (/within a flow collection|missed comma between flow/.test(reason)) return unclosed(text, line);
  if (/tab characters/.test(reason) || /^[@`]/.test(next))
    return `${scanned}found character that cannot start any token`;
  if (/expected the node content/.test(reason)) return `${parsed}did not find expected node content`;
  if (/^bad indentation of a mapping entry|end of the stream or a document separator/.test(reason)) {
    if (/:\s.*:(?:\s|$)/.test(row)) return `${scanned}mapping values are not allowed in this context`;
    if (/:\s+-(?:\s|$)/.test(row)) return `${scanned}block sequence entries are not allowed in this context`;
    if (/^- /m.test(text) && !row.startsWith('-') && line > 0) return `${parsed}did not find expected '-' indicator`;
    const isKey = reason.startsWith('bad') || /^[^\n]*:(?:\s|$)/.test(next);
    return `${parsed}did not find expected ${isKey ? 'key' : '<document start>'}`;
  }
  if (/^can not read (?:an implicit|a block) mapping/.test(reason)) return `${scanned}could not find expected ':'`;
  if (/^bad indentation of a sequence entry/.test(reason)) return `${parsed}did not find expected '-' indicator`;
  return scanned + reason;
}

export function lineText(line: number): string {
  return line === 0 ? '' : `line ${line}: `;
}

/** A flow collection that does not end: which kind is told by the last bracket that is open. */
function unclosed(text: string, line: number): string {
  const open: string[] = [];
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, 'x');
  if (/[[{,:]\s*$/.test(bare)) return `${lineText(Math.max(line, 1))}did not find expected node content`;
  for (const c of bare) {
    if (c === '[' || c === '{') open.push(c);
    else if (c === ']' || c === '}') open.pop();
  }
  const close = open.at(-1) === '{' ? '}' : ']';
  return `${lineText(Math.max(line, 1))}did not find expected ',' or '${close}'`;
}
