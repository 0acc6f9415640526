/** Formatting: of the whole text, a part of it, or the line that was just ended. */

import type { Range, TextEdit } from 'vscode-languageserver-types';
import { CompileErrors, FormatError, formatText } from '../../../compiler/index.js';
import { fix } from '../../lint/fix/fix.js';
import { statementsOf } from '../syntax/statements.js';
import type { PolicyFile } from '../workspace/policy-file.js';
import { rangeBetween } from '../workspace/positions.js';
import type { DocumentParams, PositionParams, RequestContext, RequestFamily } from './request.js';
import { policyOf, RequestError } from './request.js';

interface RangeParams extends DocumentParams {
  readonly range: Range;
}

interface OnTypeParams extends PositionParams {
  readonly ch: string;
}

export const formatting: RequestFamily = {
  capabilities: {
    documentFormattingProvider: true,
    documentRangeFormattingProvider: true,
    documentOnTypeFormattingProvider: { firstTriggerCharacter: '\n', moreTriggerCharacter: ['}', ']', ')'] },
  },
  requests: {
    'textDocument/formatting': async (context, params: DocumentParams): Promise<TextEdit[] | null> => {
      const policy = policyOf(context, params);
      return policy === undefined ? null : editsTo(policy, await formatted(policy, context));
    },
    'textDocument/rangeFormatting': async (context, params: RangeParams): Promise<TextEdit[] | null> => {
      const policy = policyOf(context, params);
      if (policy === undefined) return null;
      const { start, end } = params.range;
      const last = end.character === 0 ? end.line - 1 : end.line;
      return editsTo(policy, await formatted(policy, context)).filter(
        ({ range }) => range.start.line >= start.line && range.end.line <= Math.max(last, start.line) + 1,
      );
    },
    'textDocument/onTypeFormatting': (context, params: OnTypeParams): TextEdit[] | null => {
      const policy = policyOf(context, params);
      return policy === undefined ? null : indentation(policy, params.position.line);
    },
  },
};

/** The edit that indents a line as deep as the brackets before it that are open. */
function indentation({ source, text }: PolicyFile, line: number): TextEdit[] {
  const start = source.lineStarts[line];
  if (start === undefined) return [];
  const [blanks] = /^[ \t]*/.exec(source.line(line + 1))!;
  const depth = openBrackets(text.slice(0, start)) - Number(/^[)\]}]/.test(text.slice(start + blanks.length)));
  const newText = '\t'.repeat(Math.max(0, depth));
  return newText === blanks ? [] : [{ range: rangeBetween(source, start, start + blanks.length), newText }];
}

/** The brackets that are open behind a text, from the last statement on. */
function openBrackets(text: string): number {
  const statement = statementsOf(text).at(-1);
  let depth = 0;
  for (const [token] of text.slice(statement?.start ?? 0).matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|#.*|[()[\]{}]/g)) {
    if (/^[([{]/.test(token)) depth++;
    else if (/^[)\]}]/.test(token)) depth--;
  }
  return Math.max(0, depth);
}

/** The text as the formatter of the editor's settings writes it. */
async function formatted(policy: PolicyFile, { client, lint }: RequestContext): Promise<string> {
  const { formatter = 'opa-fmt' } = client.initializationOptions;
  const { name, text, regoVersion } = policy;
  try {
    if (formatter === 'regal-fix') {
      const [fixed] = await fix([{ file: name, text, regoVersion }], { config: lint.config });
      return fixed?.text ?? text;
    }
    return formatText(name, text, { regoVersion }, formatter === 'opa-fmt-rego-v1' ? { to: 'v1' } : {});
  } catch (error) {
    if (error instanceof CompileErrors || error instanceof FormatError)
      throw new RequestError(`a text with errors cannot be formatted: ${error.message.split('\n', 1)[0]}`);
    throw error;
  }
}

/** The edits that make a text of the policy's: one for each row of lines that differ. */
export function editsTo({ text, source }: PolicyFile, wanted: string): TextEdit[] {
  if (text === wanted) return [];
  const before = linesOf(text);
  const after = linesOf(wanted);
  const edits: TextEdit[] = [];
  let offset = 0;
  for (const { kept, removed, added } of differences(before, after)) {
    const start = offset + length(kept);
    const end = start + length(removed);
    if (removed.length + added.length > 0)
      edits.push({ range: rangeBetween(source, start, end), newText: added.join('') });
    offset = end;
  }
  return edits;
}

function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/);
}

function length(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

/** Lines that stay, and those that follow them and differ. */
interface Difference {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Lines ahead that are searched for one that stays. */
const window = 200;

/**
 * The differences of two texts whose lines are mostly the same: from each line that differs on, the
 * nearest line that both have. They are not the shortest there are.
 */
function* differences(before: readonly string[], after: readonly string[]): Iterable<Difference> {
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const from = i;
    while (i < before.length && before[i] === after[j]) {
      i++;
      j++;
    }
    const kept = before.slice(from, i);
    const [skipped, made] = nextCommon(before, i, after, j);
    yield { kept, removed: before.slice(i, i + skipped), added: after.slice(j, j + made) };
    i += skipped;
    j += made;
  }
}

/** How many lines of each text there are before the next line that both have. */
function nextCommon(
  before: readonly string[],
  i: number,
  after: readonly string[],
  j: number,
): readonly [number, number] {
  for (let distance = 1; distance < window; distance++) {
    for (let skipped = 0; skipped <= distance; skipped++) {
      const made = distance - skipped;
      if (i + skipped < before.length && j + made < after.length && before[i + skipped] === after[j + made])
        return [skipped, made];
    }
  }
  return [before.length - i, after.length - j];
}
