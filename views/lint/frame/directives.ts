/** Comments that switch rules off: `# regal ignore:rule,other-rule`. */

import type { Comment } from '../../../compiler/ast/nodes.js';

/** The names that comments ignore, by the row of the comment. */
export type Directives = ReadonlyMap<number, readonly string[]>;

const marker = /regal ignore:\s*(.*)$/;

export function directivesOf(comments: readonly Comment[]): Directives {
  const found = new Map<number, readonly string[]>();
  for (const { text, loc } of comments) {
    const names = marker.exec(text)?.[1];
    if (names !== undefined)
      found.set(
        loc.row,
        names.split(',').map((name) => name.trim()),
      );
  }
  return found;
}

/** Whether a directive in the row, or the row above it, names the rule. */
export function isIgnored(directives: Directives, rule: string, row: number): boolean {
  return [row, row - 1].some((at) => directives.get(at)?.includes(rule));
}
