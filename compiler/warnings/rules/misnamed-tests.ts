/** Rules among tests that nothing reads, with names that almost begin with `test_`. */

import { editDistance } from '../../../values/index.js';
import { isTestHead } from '../../check/test-heads.js';
import type { CompiledModule, CompiledRule } from '../../resolve/compiled-rule.js';
import type { WarningSearch } from '../warning-search.js';

export function findMisnamedTests({ compiled: { modules, graph }, warnings }: WarningSearch): void {
  const found = [...modules.values()].filter(isOfTests).flatMap(({ rules }) => rules.filter(isMisnamed));
  if (found.length === 0) return;
  const read = new Set<CompiledRule>();
  for (const { rules } of modules.values())
    for (const rule of rules) for (const other of graph.dependencies(rule)) read.add(other);
  for (const rule of found) {
    const { name, loc } = rule.rule.head;
    if (!read.has(rule)) warnings.report('misnamedTest', loc, { name, meant: testName(name)! });
  }
}

/** The name as a test's: `tset_x`, `tes_x`, `ttest_x`, `Test_x`, `testX`. Undefined for others. */
function testName(name: string): string | undefined {
  const [, first = '', rest = ''] = /^([a-zA-Z][a-z]*)_*(.*)$/.exec(name) ?? [];
  if (rest === '' || name.startsWith('test_')) return undefined;
  const prefix = first.toLowerCase();
  const isMixed = [...prefix].sort().join('') === 'estt';
  // A letter too few or too many: other letters make other words, such as `best` and `text`.
  const isUneven = prefix.length !== 4 && editDistance(prefix, 'test') === 1;
  return isMixed || isUneven ? `test_${rest}` : undefined;
}

function isMisnamed({ rule: { head, default: isDefault } }: CompiledRule): boolean {
  return !isDefault && head.args === undefined && testName(head.name) !== undefined;
}

/** Whether tests stand in a module: by its package, its file, or a test in it. */
function isOfTests({ name, parsed, rules }: CompiledModule): boolean {
  const last = parsed.package.path.at(-1);
  const isByName = /_test\.rego$/.test(name) || (last?.type === 'string' && /(?:^|_)test$/.test(last.value));
  return isByName || rules.some(({ rule }) => isTestHead(rule.head));
}
