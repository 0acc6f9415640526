/** The purposes of the statements in a rule's block, for their notes. */
import type { DebugReason } from '../../../ir-schema/index.js';
import type { Rule } from '../../ast/nodes.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import type { FunctionPlanner } from '../function-planner.js';

/** The rules whose blocks do not stand where the rules stand in the sources. */
export function movedRules(
  written: readonly CompiledRule[],
  ordered: readonly CompiledRule[],
): ReadonlySet<CompiledRule> {
  return new Set(ordered.filter((rule, i) => rule !== written[i]));
}

/**
 * From here on, statements serve a rule, or one of its `else`.
 * @param moved the rules whose blocks stand elsewhere
 */
export function serve(
  p: FunctionPlanner,
  compiled: CompiledRule,
  link: Rule = compiled.rule,
  moved?: ReadonlySet<CompiledRule>,
): void {
  const reason = moved?.has(compiled) === true ? 'index order' : 'rule';
  p.e.subject = { reason, rule: link, names: compiled.module.names };
}

/** The statements that `fill` emits stand here for another reason. */
export function because({ e }: FunctionPlanner, reason: DebugReason, fill: () => void): void {
  const { subject } = e;
  e.subject = { ...subject, reason };
  fill();
  e.subject = subject;
}
