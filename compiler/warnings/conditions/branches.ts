/** Branches: a head with its value, and the conditions under which it has it. */

import type { Value } from '../../../values/index.js';
import type { Rule, Term } from '../../ast/nodes.js';
import { isConstant, jsonOfTerm } from '../../check/typing/constant-terms.js';
import type { BuiltinTable } from '../../resolve/builtin-table.js';
import { type Condition, type Conditions, conditionsOf, isShared } from './conditions.js';
import { follows, isImpossible, type ValueTest } from './value-tests.js';

export interface Branch {
  readonly link: Rule;
  readonly conditions: Conditions;
  /** Whether the head has a value whenever the body holds. */
  readonly isTotal: boolean;
  /** The value, if it is a constant without sets. */
  readonly value: Value | undefined;
  /** Whether parameters are more than variables and constants. */
  readonly hasPatterns: boolean;
}

/** @param args the parameters of the rule that the link belongs to */
export function branchOf(link: Rule, args: readonly Term[], builtins: BuiltinTable): Branch {
  const given = new Map<string, string>();
  const tests: Condition[] = [];
  let hasPatterns = false;
  for (const [i, arg] of args.entries()) {
    const key = argumentKey(i);
    if (arg.type === 'var' && !given.has(arg.name)) given.set(arg.name, key);
    else {
      const value = isConstant(arg) ? jsonOfTerm(arg) : undefined;
      hasPatterns ||= value === undefined;
      const expr = link.body[0];
      if (value !== undefined && expr) tests.push({ key, test: { op: 'eq', value }, isNegated: false, expr });
    }
  }
  const conditions = conditionsOf(link.body, builtins, given);
  const { value } = link.head;
  const isTotal = value !== undefined && isConstant(value);
  return {
    link,
    conditions: { ...conditions, tests: [...tests, ...conditions.tests] },
    isTotal,
    value: isTotal ? jsonOfTerm(value) : undefined,
    hasPatterns,
  };
}

/** The key of a parameter. */
export function argumentKey(i: number): string {
  return `argument ${i}`;
}

/** Whether a branch has no condition at all. */
export function isUnconditional({ conditions, hasPatterns }: Branch): boolean {
  const { tests, others, defined } = conditions;
  return !hasPatterns && tests.length === 0 && others.length === 0 && defined.length === 0;
}

/**
 * Whether the conditions of one branch hold whenever those of another one do, as far as that is
 * plain.
 */
export function holdsWith(branch: Branch, other: Branch): boolean {
  if (branch.hasPatterns) return false;
  const { tests, others, defined } = branch.conditions;
  const known = other.conditions;
  return (
    tests.every((condition) => isShared(condition.key) && testHolds(condition, known)) &&
    defined.every(({ key }) => isShared(key) && isDefined(key, known)) &&
    others.every(({ text }) => isShared(text) && known.others.some((each) => each.text === text))
  );
}

/** The tests that a value is known to pass. */
export function testsAt(key: string, { tests, forms }: Conditions): readonly ValueTest[] {
  const own = tests.filter((condition) => condition.key === key && !condition.isNegated).map(({ test }) => test);
  return own.length === 0 ? own : [...own, ...(forms.get(key)?.tests ?? [])];
}

function testHolds({ key, test, isNegated }: Condition, known: Conditions): boolean {
  const tests = testsAt(key, known);
  if (!isNegated) return follows(test, tests);
  if (tests.length > 0 && isImpossible([...tests, test])) return true;
  return known.tests.some(
    (other) => other.isNegated && other.key === key && follows(other.test, [test]) && follows(test, [other.test]),
  );
}

function isDefined(key: string, { tests, defined }: Conditions): boolean {
  return (
    defined.some((condition) => condition.key === key) ||
    tests.some((condition) => condition.key === key && !condition.isNegated)
  );
}
