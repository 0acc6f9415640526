/**
 * Comments that silence findings of the compiler and of the linter: `# writ:ignore CODE`, and
 * Regal's `# regal ignore:RULE`. Codes are names of rules.
 */

import type { Comment } from '../ast/nodes.js';

/** The codes that are silent, by row; `*` stands for all. */
export type Directives = ReadonlyMap<number, readonly string[]>;

/**
 * Several codes stand with blanks or commas between them; without a code, all are meant. What
 * follows ` -- ` is a reason.
 */
const own = /^\s*writ:ignore(?![\w:-])(?<codes>(?:(?!\s--\s).)*)/;

/** The last names count; commas stand between them, and words behind one make it void. */
const ofRegal = /^.*regal ignore:\s*(?<codes>.*)$/;

const all: readonly string[] = ['*'];

export function directivesOf(comments: readonly Comment[]): Directives {
  const rows = new Map<number, readonly string[]>();
  const add = (row: number, codes: readonly string[]): void => void rows.set(row, [...(rows.get(row) ?? []), ...codes]);
  for (const { text, loc } of comments) {
    const { row } = loc;
    const names = ofRegal.exec(text)?.groups?.codes;
    if (names !== undefined) {
      const listed = names
        .trim()
        .split(/,\s*/)
        .filter((name) => name !== '*');
      add(row, listed);
      add(row + 1, listed);
    }
    const codes = own
      .exec(text)
      ?.groups?.codes?.split(/[\s,]+/)
      .filter((code) => code !== '');
    if (codes === undefined) continue;
    add(row, codes.length === 0 ? all : codes);
    // A comment behind an expression is about its own line.
    if (/^\s*#/.test(loc.source.line(row))) add(row + 1, codes.length === 0 ? all : codes);
  }
  return rows;
}

/** Whether a comment silences a code in a row. */
export function isIgnored(directives: Directives, code: string, row: number): boolean {
  const codes = directives.get(row);
  return codes !== undefined && (codes.includes(code) || codes.includes('*'));
}
