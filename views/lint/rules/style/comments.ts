/** Comments, lines and the layout of files. */

import { CompileErrors, FormatError, formatParsed } from '../../../../compiler/index.js';
import type { LintRule } from '../../frame/lint-rule.js';
import { patternOf } from '../tree.js';

export const commentRules: readonly LintRule[] = [
  {
    name: 'no-whitespace-comment',
    category: 'style',
    finds: 'Begin the comment with a space',
    isFixable: true,
    visit: ({ file, options, report }) => {
      const except = patternOf(options['except-pattern']);
      return {
        comment: ({ text, loc }) => {
          // A file that is run by its path begins with `#!` and its interpreter.
          if (loc.row === 1 && text.startsWith('!')) return;
          if (text === '' || /^#*\s/.test(text) || /^#*$/.test(text) || except?.(text)) return;
          // The first line of metadata has the place of the block.
          report(file.module.annotations.find((block) => block.loc.start === loc.start)?.loc ?? loc);
        },
      };
    },
  },
  {
    name: 'todo-comment',
    category: 'style',
    finds: 'A comment says that something is left to do',
    visit: ({ report }) => ({
      comment: ({ text, loc }) => {
        if (/^\s*(todo|fixme)/i.test(text)) report(loc);
      },
    }),
  },
  {
    name: 'detached-metadata',
    category: 'style',
    finds: 'An empty line stands between metadata and what it is about',
    visit: ({ file, report }) => ({
      annotations: (block) => {
        const { loc, endRow } = block;
        // A block that begins with other comments is none.
        if (/^#/.test(file.lines[loc.row - 2] ?? '')) return;
        const next = file.module.annotations[file.module.annotations.indexOf(block) + 1];
        // Blocks of several scopes stand one above the other.
        const isAbove = next !== undefined && file.lines.slice(endRow, next.loc.row - 1).every((line) => line === '');
        if (file.lines[endRow]?.trim() === '' && !isAbove) report(loc);
      },
    }),
  },
  {
    name: 'line-length',
    category: 'style',
    finds: 'The line is too long',
    options: { 'max-line-length': 120, 'non-breakable-word-threshold': 0 },
    visit: ({ file, options, report }) => ({
      file: () => {
        const most = Number(options['max-line-length'] ?? 120);
        const threshold = Number(options['non-breakable-word-threshold'] ?? 0);
        file.lines.forEach((line, i) => {
          // Most lines are short: their characters need not be counted.
          if (line.length <= most) return;
          const length = line.length - (line.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
          if (length <= most || (threshold > 0 && hasLongWord(line, threshold))) return;
          report({ row: i + 1, col: 1, end: { row: i + 1, col: length } });
        });
      },
    }),
  },
  {
    name: 'file-length',
    category: 'style',
    finds: 'The file is too long',
    options: { 'max-file-length': 500 },
    visit: ({ file, options, report }) => ({
      package: ({ loc }) => {
        if (file.lines.length > Number(options['max-file-length'])) report(loc);
      },
    }),
  },
  {
    name: 'opa-fmt',
    category: 'style',
    finds: 'Format the file',
    isFixable: true,
    visit: ({ file, report }) => ({
      file: () => {
        const formatted = formattedText(file.module);
        if (formatted !== undefined && formatted !== file.text.replaceAll('\r\n', '\n')) report({ row: 1, col: 1 });
      },
    }),
  },
];

function hasLongWord(line: string, threshold: number): boolean {
  return line.split(' ').some((word) => [...word].length > threshold);
}

/** The formatted text; undefined for a module that cannot be formatted. */
function formattedText(module: Parameters<typeof formatParsed>[0]): string | undefined {
  try {
    return formatParsed(module);
  } catch (error) {
    if (error instanceof FormatError || error instanceof CompileErrors) return undefined;
    throw error;
  }
}
