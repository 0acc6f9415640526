/** Rules with one value, and functions. */
import type { Block } from '../../../ir-schema/index.js';
import type { Steps } from '../../../values/index.js';
import { isLiteral } from '../../ast/names.js';
import type { Rule, Term } from '../../ast/nodes.js';
import { elseChain } from '../../resolve/links.js';
import type { VirtualDocument } from '../../resolve/virtual-document.js';
import { indexOrderSteps } from '../../rule-index/order.js';
import { local } from '../emit/emit.js';
import type { FunctionPlanner } from '../function-planner.js';
import { Settled } from './settled.js';
import { because, movedRules, serve } from './subjects.js';

/**
 * Rules with one value: each sets it, all to the same; the default where none does. A step for each
 * rule and each `else`.
 */
export function* planValues(p: FunctionPlanner, document: VirtualDocument, result: number): Steps<readonly Block[]> {
  const { e } = p;
  const written = document.rules.filter(({ rule }) => !rule.default);
  const rules = yield* indexOrderSteps(p, written);
  const moved = movedRules(written, rules);
  const settled = new Settled(
    p,
    rules.map(({ rule }) => rule),
    result,
  );
  // One local for the values of all chains in turn: a frame has one register for it, however many
  // there are.
  const value = e.newLocal();
  const blocks: Block[] = [];
  for (const compiled of rules) {
    const { rule } = compiled;
    for (const link of elseChain(rule)) {
      serve(p, compiled, link, moved);
      blocks.push(planLink(p, link, rule, rule.else === undefined ? result : value, settled));
      yield;
    }
    if (rule.else !== undefined) blocks.push(planKeeping(p, rule, value, result));
    settled.end(rule);
  }
  const defaults = document.rules.find(({ rule }) => rule.default);
  if (defaults === undefined) return blocks;
  const fallback = defaults.rule;
  serve(p, defaults);
  const block = e.block(() => {
    e.emit('IsUndefinedStmt', fallback.loc, { source: result });
    bindArguments(p, fallback, true);
    p.body(fallback.body);
    e.emit('AssignVarOnceStmt', fallback.loc, { source: p.term(fallback.head.value!), target: result });
  });
  return [...blocks, block];
}

/** Behind a rule and its `else` chain: the first that is true has given the value. */
function planKeeping({ e }: FunctionPlanner, { loc }: Rule, value: number, result: number): Block {
  return e.block(() => {
    e.emit('IsDefinedStmt', loc, { source: value });
    e.emit('AssignVarOnceStmt', loc, { source: local(value), target: result });
  });
}

/** A rule, or one of its `else` branches, which `first` begins: assigns its value to a local. */
function planLink(p: FunctionPlanner, rule: Rule, first: Rule, target: number, settled: Settled): Block {
  const { e } = p;
  const { head, body, loc } = rule;
  return e.block(() => {
    if (rule !== first) e.emit('IsUndefinedStmt', loc, { source: target });
    else if (first.else !== undefined) e.emit('ResetLocalStmt', loc, { target });
    because(p, 'early exit', () => settled.start(first));
    bindArguments(p, first, false);
    p.ruleBody(body, first.head.args ?? [], () => because(p, 'early exit', () => settled.check(first)));
    const value = head.value!;
    const source = p.term(value);
    const isConstant = isLiteral(value);
    // With a constant for a source, the machine would end loops early by itself.
    e.emit('AssignVarOnceStmt', loc, {
      source: isConstant && !p.functions.earlyExit ? local(e.asLocal(source, loc)) : source,
      target,
    });
    if (isConstant && p.functions.earlyExit && e.loops > 0) e.emit('BreakStmt', loc, { index: e.loops });
  });
}

/** Matches the arguments with the head's terms. A default takes any. */
function bindArguments(p: FunctionPlanner, { head }: Rule, any: boolean): void {
  const isPattern = ({ type }: Term): boolean => type !== 'var';
  // Variables first: a pattern may name one of them.
  const args = [...(head.args ?? []).entries()].sort(([, a], [, b]) => Number(isPattern(a)) - Number(isPattern(b)));
  because(p, 'argument', () => {
    for (const [i, term] of args) if (!any || !isPattern(term)) p.match(term, local(p.args[i]!), term.loc);
  });
}
