/** Complete rules and functions that give two values for one input: with an input that shows it. */

import { compare, toJson, type Value } from '../../../values/index.js';
import { printRef } from '../../ast/print.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import { type CompiledRule, ruleKind } from '../../resolve/compiled-rule.js';
import { walkRules } from '../../resolve/tree.js';
import { argumentKey, type Branch, branchOf, testsAt } from '../conditions/branches.js';
import type { Conditions } from '../conditions/conditions.js';
import { keyPath } from '../conditions/key-paths.js';
import { witness } from '../conditions/value-tests.js';
import type { WarningSearch } from '../warning-search.js';

/** More definitions of one name are a table: comparing each with each would take long. */
const mostDefinitions = 60;

export function findConflicts({ compiled: { ruleTree, builtins }, warnings }: WarningSearch): void {
  walkRules(ruleTree, ({ rules }) => {
    if (rules.length < 2 || rules.length > mostDefinitions) return undefined;
    const branches = rules.filter(isComplete).map(({ rule }) => branchOf(rule, rule.head.args ?? [], builtins));
    for (const [j, branch] of branches.entries())
      for (const other of branches.slice(0, j)) if (reportConflict(other, branch, warnings)) break;
    return undefined;
  });
}

function isComplete({ rule, ref }: CompiledRule): boolean {
  const { head } = rule;
  return !rule.default && ruleKind(head) === 'single' && ref.slice(1).every(({ type }) => type === 'string');
}

function reportConflict(a: Branch, b: Branch, warnings: Warnings): boolean {
  if (a.value === undefined || b.value === undefined || compare(a.value, b.value) === 0) return false;
  const input = inputOf(a, b);
  if (input === undefined) return false;
  const { head } = b.link;
  warnings.report('conflictingRules', head.loc, {
    name: printRef(head.ref),
    values: [toJson(a.value), toJson(b.value)],
    row: a.link.loc.row,
    given: input,
  });
  return true;
}

/** An input, and arguments, for which both bodies hold; undefined where none is found. */
function inputOf(a: Branch, b: Branch): string | undefined {
  if (![a, b].every(isPlain)) return undefined;
  const both = [a.conditions, b.conditions];
  const keys = new Set(both.flatMap(({ tests, defined }) => [...tests, ...defined].map(({ key }) => key)));
  const values = new Map<string, Value>();
  const above: string[] = [];
  for (const key of keys) {
    const tests = both.flatMap((conditions) => testsAt(key, conditions));
    const isDefined = tests.length > 0 || both.some(({ defined }) => defined.some((each) => each.key === key));
    const failing = both.flatMap((conditions) => negatedAt(key, conditions));
    // An undefined value makes each negated condition hold; one with parts is defined.
    if (!isDefined && !isAbove(key, keys)) continue;
    if (isAbove(key, keys)) {
      if (failing.length > 0 || tests.some(({ op }) => op !== 'not false' && op !== 'defined')) return undefined;
      above.push(key);
      continue;
    }
    const value = witness(tests, failing);
    if (value === undefined) return undefined;
    values.set(key, value);
  }
  // An object whose parts are all left undefined.
  for (const key of above) if (![...values.keys()].some((other) => other.startsWith(`${key}[`))) values.set(key, {});
  return values.size === 0 ? undefined : shown(values, a.link.head.args?.length ?? 0);
}

/** Whether all conditions are tests of parts of the input, or of parameters. */
function isPlain({ conditions: { tests, others, defined }, hasPatterns }: Branch): boolean {
  return !hasPatterns && others.length === 0 && [...tests, ...defined].every(({ key }) => keyPath(key) !== undefined);
}

function negatedAt(key: string, { tests }: Conditions) {
  return tests.filter((condition) => condition.key === key && condition.isNegated).map(({ test }) => test);
}

/** Whether a value has parts that are tested too. */
function isAbove(key: string, keys: ReadonlySet<string>): boolean {
  return [...keys].some((other) => other.startsWith(`${key}[`));
}

function shown(values: ReadonlyMap<string, Value>, parameters: number): string {
  const root: { [key: string]: Value } = {};
  for (const [key, value] of values) {
    const path = keyPath(key)!;
    let object = root;
    for (const part of path.slice(0, -1)) object = (object[part] ??= {}) as { [key: string]: Value };
    object[path.at(-1)!] = value;
  }
  const { input } = root;
  const args = Array.from({ length: parameters }, (_, i) => toJson(root[argumentKey(i)] ?? null));
  const call = parameters === 0 ? [] : [`the arguments (${args.join(', ')})`];
  return [...call, ...(input === undefined ? [] : [`the input ${toJson(input)}`])].join(' and ');
}
