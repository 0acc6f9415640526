/** Rules that no entrypoint and no test reaches. */

import { printRef } from '../../ast/print.js';
import { isTestHead } from '../../check/test-heads.js';
import { writtenRef } from '../../check/written.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { packageKey } from '../../resolve/imports.js';
import { rulesRead, walkRules } from '../../resolve/tree.js';
import type { WarningSearch } from '../warning-search.js';

/**
 * Any rule of a package without an entrypoint may be asked for: of these only functions are told,
 * if there are entrypoints elsewhere, and rules whose names begin with `_`.
 */
export function findUnusedRules({
  compiled: { modules, ruleTree, graph },
  scope: { isMentioned = () => false },
  warnings,
}: WarningSearch): void {
  const all = [...modules.values()].flatMap(({ rules }) => rules);
  const entrypoints = [...modules.values()].flatMap(({ parsed }) =>
    parsed.annotations.filter(({ entrypoint }) => entrypoint),
  );
  const reached = new Set(entrypoints.flatMap(({ path }) => rulesRead(ruleTree, path)));
  const packages = new Set([...reached].map(({ module }) => packageKey(module.parsed.package)));
  const hasEntrypoint = reached.size > 0;
  for (const rule of all) {
    const isOfEntrypoints = packages.has(packageKey(rule.module.parsed.package));
    const isInside = isOfEntrypoints || isPrivate(rule) || (hasEntrypoint && rule.rule.head.args !== undefined);
    if (!isInside || isAskedByHosts(rule)) reached.add(rule);
  }
  // A set has what is added while it is gone through.
  for (const rule of reached) for (const other of graph.dependencies(rule)) reached.add(other);
  walkRules(ruleTree, ({ rules }) => {
    const [first] = rules;
    if (first === undefined || rules.some((rule) => reached.has(rule)) || isMentioned(nameOf(first))) return undefined;
    const { head } = first.rule;
    const written = writtenRef(first);
    const name = printRef([head.ref[0], ...written.slice(written.length - head.ref.length + 1)]);
    warnings.report('unusedRule', head.loc, { name, hasEntrypoint });
    return undefined;
  });
}

/** Tests, and policies of hosts. */
function isAskedByHosts({ rule, ref }: CompiledRule): boolean {
  const [, first] = ref;
  if (isTestHead(rule.head) || rule.head.name.startsWith('__')) return true;
  return first?.type === 'string' && first.value === 'system';
}

/** A name that begins with `_` is for its package; hosts read some that begin with two. */
function isPrivate(rule: CompiledRule): boolean {
  return /^_(?!_)/.test(nameOf(rule));
}

/** The name by which others read a rule. */
function nameOf({ rule }: CompiledRule): string {
  const name = rule.head.ref.findLast(({ type }) => type === 'string') ?? rule.head.ref[0];
  return name.type === 'string' ? name.value : name.type === 'var' ? name.name : '';
}
