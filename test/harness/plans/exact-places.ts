/** How many expressions of authors have a statement with exactly their range in a plan. */

import type { Module } from '../../../compiler/ast/nodes.js';
import { walk } from '../../../compiler/ast/walk.js';
import { elseChain } from '../../../compiler/resolve/links.js';
import type { Span } from '../../../compiler/source/location.js';
import { Addresses } from '../../../ir-schema/address.js';
import type { Policy } from '../../../ir-schema/plan.js';

/** The ranges of a plan's statements, as text. */
export function statementRanges(policy: Policy): ReadonlySet<string> {
  const files = policy.static!.files!.map(({ value }) => value);
  const placed = new Set<string>();
  for (const { stmt } of new Addresses(policy)) {
    const { file, row, col, end_row, end_col } = stmt.stmt;
    placed.add(`${files[file]} ${row}:${col}-${end_row}:${end_col}`);
  }
  return placed;
}

export function rangeText(span: Span): string {
  return `${span.file} ${span.row}:${span.col}-${span.endPosition.row}:${span.endPosition.col}`;
}

/**
 * The expressions in the rules of modules that a plan has, by their ranges.
 * @param ranges of the plan without optimization: a rule is planned if a statement has its range
 */
export function plannedExpressions(modules: readonly Module[], ranges: ReadonlySet<string>): readonly Span[] {
  const expressions: Span[] = [];
  for (const rule of modules.flatMap(({ rules }) => rules).flatMap((first) => [...elseChain(first)])) {
    if (!ranges.has(rangeText(rule.loc)) || rule.default) continue;
    walk({ ...rule, else: undefined }, (node) => {
      if (node.type !== 'expr' || (node.kind === 'some' && node.symbols.every(({ type }) => type === 'var'))) return;
      if (!(rule.generatedBody && node === rule.body[0])) expressions.push(node.loc);
    });
  }
  return expressions;
}
