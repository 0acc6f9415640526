/** Tests among rules: a name of the head begins with `test_`, or if it is skipped `todo_test_`. */

import { refPrefix } from '../ast/make.js';
import type { Ref, Rule, RuleHead, Term } from '../ast/nodes.js';
import { groundPrefix } from '../resolve/tree.js';

const testName = /^(?:todo_)?test_/;

/** The ref of a head up to the term that makes it a test; undefined for other heads. */
export function testRef({ ref }: RuleHead): Ref | undefined {
  const prefix = groundPrefix(ref);
  const at = prefix.findIndex((term) => testName.test(nameOfKey(term)));
  return at < 0 ? undefined : refPrefix(prefix, at + 1);
}

/** Whether the rules of a head are tests, skipped ones included. */
export function isTestHead(head: RuleHead): boolean {
  return testRef(head) !== undefined;
}

/** Whether a test is listed and not run, by the last of its names. */
export function isSkippedTest(name: string | undefined): boolean {
  return name?.startsWith('todo_') === true;
}

/** The names of a test below its package; undefined for other rules, and for functions. */
export function testNames({ head }: Rule): readonly string[] | undefined {
  return head.args === undefined ? testRef(head)?.map(nameOfKey) : undefined;
}

/** The name that a term of a ref is; empty for others. */
export function nameOfKey(term: Term): string {
  return term.type === 'var' ? term.name : term.type === 'string' ? term.value : '';
}
