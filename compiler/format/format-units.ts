/**
 * Rules as they are written: a rule with the further bodies that are chained to it, which are rules
 * of their own in the tree.
 */

import type { Expr, Rule, RuleHead, Term } from '../ast/nodes.js';
import { mapExprChildren, mapHeadChildren, mapTermChildren } from '../ast/walk.js';
import { Span } from '../source/location.js';

export type Unit = readonly [Rule, ...Rule[]];

/** Rules by the text they share. */
export function unitsOf(rules: readonly Rule[]): readonly Unit[] {
  const units: [Rule, ...Rule[]][] = [];
  for (const rule of rules) {
    const last = units.at(-1);
    if (last && isChained(rule)) last.push(rule);
    else units.push([rule]);
  }
  return units;
}

/**
 * Whether a rule is a further body in braces after another rule: its head has no text of its own.
 */
function isChained({ loc, head }: Rule): boolean {
  return head.loc.start === loc.start && loc.source.text[loc.start] === '{';
}

/** Where the text of a unit ends. */
export function unitEnd(unit: Unit): number {
  const last = unit.at(-1) ?? unit[0];
  return last.loc.end;
}

/**
 * The head of a further body, which stands nowhere: the comments in the first one's, and its lines,
 * are that one's.
 */
export function formattedHead(rule: Rule): RuleHead {
  if (!isChained(rule)) return rule.head;
  const { source, start } = rule.loc;
  const loc = new Span(source, start, start);
  const term = (node: Term): Term => ({ ...mapTermChildren(node, mapper), loc });
  const expr = (node: Expr): Expr => {
    const mapped = mapExprChildren(node, mapper);
    return { ...mapped, loc, with: mapped.with.map((modifier) => ({ ...modifier, loc })) };
  };
  const mapper = { term, body: (body: readonly Expr[]) => body.map(expr) };
  return { ...mapHeadChildren(rule.head, mapper), loc };
}
