/** Built-ins that answer otherwise next time, in decisions that are said to be cached. */

import type { ObjectEntry } from '../../ast/nodes.js';
import { printRef } from '../../ast/print.js';
import { walk } from '../../ast/walk.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import { builtinName } from '../../resolve/builtin-table.js';
import type { Compiled } from '../../resolve/compiled.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { rulesRead } from '../../resolve/tree.js';
import type { WarningSearch } from '../warning-search.js';

const changing: ReadonlySet<string> = new Set([
  'http.send',
  'net.lookup_ip_addr',
  'opa.runtime',
  'rand.intn',
  'time.now_ns',
  'uuid.rfc4122',
]);

/**
 * A decision is cached where the metadata of its rule has `custom.cache`, or where its value has a
 * header `cache-control` that lets clients keep it.
 */
export function findCachedDecisions({ compiled, warnings }: WarningSearch): void {
  const { modules, ruleTree } = compiled;
  for (const { parsed, rules } of modules.values()) {
    if (!/\bcache\b/i.test(parsed.source.text)) continue;
    for (const { custom, path } of parsed.annotations)
      if (custom.cache !== undefined && custom.cache !== false)
        for (const rule of rulesRead(ruleTree, path)) report(rule, compiled, warnings);
    for (const rule of rules) if (hasCacheHeader(rule)) report(rule, compiled, warnings);
  }
}

function hasCacheHeader({ rule }: CompiledRule): boolean {
  let found = false;
  walk(rule, (node) => {
    if (node.type === 'object') found ||= node.entries.some(keepsAnswer);
  });
  return found;
}

function keepsAnswer({ key, value }: ObjectEntry): boolean {
  return (
    key.type === 'string' &&
    key.value.toLowerCase() === 'cache-control' &&
    value.type === 'string' &&
    /\b(?:s-)?max-?age=[1-9]|\bimmutable\b/.test(value.value)
  );
}

/** Reports the calls that a rule reaches. */
function report(rule: CompiledRule, { graph }: Compiled, warnings: Warnings): void {
  const reached = new Set([rule]);
  // A set yields members that are added during its iteration.
  for (const one of reached) for (const other of graph.dependencies(one)) reached.add(other);
  for (const one of reached)
    walk(one.rule, (node) => {
      if (node.type !== 'expr' || node.kind !== 'call') return;
      const name = builtinName(node.operator.terms);
      if (name !== undefined && changing.has(name))
        warnings.report('changingDecision', node.loc, { name, rule: printRef(rule.ref) });
    });
}
