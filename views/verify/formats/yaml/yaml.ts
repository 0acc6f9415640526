/**
 * YAML 1.1, its numbers as doubles. Documents are split at lines that are exactly `---`; several
 * are a list of them.
 */

import { parseYaml, useYaml, type Value, YamlError } from '../../../../values/index.js';
import { FileFormatError, type Format, offsetOfLine } from '../format.js';
import { type DocumentPart, markYaml } from './yaml-marks.js';

export const yaml: Format = {
  parse(text, _context, marks) {
    useYaml('1.1');
    const parts = documentsIn(text);
    const [only] = parts;
    if (parts.length === 1) {
      const value = documentValue(only!, 'unmarshal yaml');
      if (marks !== undefined) markYaml(only!, value, marks);
      return value;
    }
    const stage = 'unmarshal multiple documents: unmarshal subdocument yaml';
    const values = parts.map((part) => documentValue(part, stage));
    if (marks !== undefined)
      for (const [i, part] of parts.entries()) {
        const start = part.start + (/^(?:\s*(?:#.*)?\r?\n)*/.exec(part.text)?.[0].length ?? 0);
        marks.at(values, i, Math.min(start, part.start + part.text.length), part.start + part.text.length);
        markYaml(part, values[i]!, marks);
      }
    return values;
  },
};

function documentsIn(text: string): DocumentPart[] {
  const separator = text.includes('\r\n') ? '\r\n---\r\n' : '\n---\n';
  const [first = '', ...others] = text.split(separator);
  // Directives belong to the first document.
  if (text.startsWith('%') && others.length > 0) others[0] = first + separator + others[0]!;
  const parts = text.startsWith('%') && others.length > 0 ? others : [first, ...others];
  let start = 0;
  return parts.map((part) => {
    const found = { text: part, start };
    start += part.length + separator.length;
    return found;
  });
}

function documentValue({ text, start }: DocumentPart, stage: string): Value {
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const line = Number(/line (\d+)/.exec(error.message)?.[1] ?? 1);
    throw new FileFormatError(
      `${stage}: error converting YAML to JSON: ${error.message}`,
      start + offsetOfLine(text, line),
    );
  }
}
