/** Warnings as text, JSON, and workflow commands. */

import { errorParagraphs, excerptOf, type ShownError, type Warning } from '../../compiler/index.js';
import type { Io } from '../io.js';
import { excerptStyle } from '../output/color.js';
import { jsonOutput, Ordered } from '../output/ordered-json.js';
import { githubCommand } from './workflow-command.js';

/** A line each; at a terminal a paragraph for each message, with its line of source. */
export function warningsText(warnings: readonly Warning[], io: Io): string {
  if (warnings.length === 0) return '';
  if (!io.isTerminal?.('stderr')) return warnings.map((warning) => `${lineOf(warning)}\n`).join('');
  return `${errorParagraphs(shown(warnings), excerptStyle(io.env), undefined, 'warnings')}\n`;
}

function lineOf({ code, message, location: { file, row, col }, page }: Warning): string {
  // A query is in no file.
  return `${file === '' ? '' : `${file}:`}${row}:${col}: warning: ${code}: ${message} (${page})`;
}

/** The first warning of a code names its page. */
function shown(warnings: readonly Warning[]): ShownError[] {
  const pages = new Set<string>();
  return warnings.map(({ code, message, location, span, mark, hint, page }) => {
    const notes = pages.has(page) ? [] : [`see ${page}`];
    pages.add(page);
    const excerpt = excerptOf(mark ?? span);
    const cause = { cause: code, ...(hint !== undefined && { text: hint }) };
    return { code: `warning: ${code}`, message, text: message, location, excerpt, notes, hint: cause };
  });
}

/** A document like that of errors. */
export function warningsJson(warnings: readonly Warning[]): string {
  const documents = warnings.map(
    ({ code, message, location: { file, row, col }, page }) =>
      new Ordered(
        ['message', message],
        ['code', code],
        ['location', new Ordered(['file', file], ['row', row], ['col', col])],
        ['page', page],
      ),
  );
  return jsonOutput(new Ordered(['warnings', documents]));
}

export function warningsGithub(warnings: readonly Warning[]): string {
  return warnings
    .map(({ code, message, location, page }) => githubCommand('warning', location, code, `${message}\n${page}`))
    .join('');
}
