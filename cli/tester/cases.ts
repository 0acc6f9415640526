/**
 * Rules with a result for each case (`test_add[tc.note] if …`): instruments them to report each
 * case that they reach, even if it fails afterwards.
 */

import type { Body, CallExpr, Expr, Rule, Term } from '../../compiler/index.js';
import { isEquality, operatorRef, testRef, varsOf, walk } from '../../compiler/index.js';
import { any, arg, array, type Builtin, builtin, type Value } from '../../values/index.js';

const caseName = 'internal.test_case';

/** The built-in that the rules call: it reports a case by its keys. */
export function caseBuiltin(report: (keys: readonly Value[]) => void): Builtin {
  return builtin(caseName, [arg('keys', array(any))], undefined, (keys: readonly Value[]) => {
    report(keys);
    return true;
  });
}

/** Adds the call to a compiled rule that has cases. The call does not change the rule's result. */
export function reportCases(rule: Rule): Rule {
  const ref = testRef(rule.head);
  if (ref === undefined || rule.head.args !== undefined || ref.length >= rule.head.ref.length || callsItself(rule))
    return rule;
  return { ...rule, body: withCase(rule.body, rule.head.ref.slice(ref.length)) };
}

function callsItself(rule: Rule): boolean {
  let found = false;
  for (const expr of rule.body) {
    walk(expr, (node) => {
      if (node.type === 'expr' && node.kind === 'call' && isCaseCall(node)) found = true;
    });
  }
  return found;
}

function isCaseCall({ operator }: CallExpr): boolean {
  const [head, name] = operator.terms;
  return head?.type === 'var' && head.name === 'internal' && name?.type === 'string' && name.value === 'test_case';
}

/** Binds the keys as early as possible and reports them immediately. */
function withCase(body: Body, keys: readonly Term[]): Body {
  let exprs: readonly Expr[] = body;
  for (const key of keys) if (key.type === 'var') exprs = boundEarly(exprs, key.name);
  const at = 1 + Math.max(-1, ...keys.flatMap((key) => [...varsOf(key)]).map((name) => firstUse(exprs, name)));
  const { loc } = body[0]!;
  const call: CallExpr = {
    type: 'expr',
    kind: 'call',
    loc,
    negated: false,
    generated: true,
    with: [],
    operator: operatorRef(loc, caseName),
    args: [{ type: 'array', loc, items: keys }],
  };
  return [...exprs.slice(0, at), call, ...exprs.slice(at)];
}

/**
 * Moves a generated `key = value` to the first position where the value's variables are bound; the
 * author's expressions stay in place.
 */
function boundEarly(body: readonly Expr[], name: string): readonly Expr[] {
  const at = body.findIndex((expr) => expr.generated && isEquality(expr) && isVar(expr.args[0], name));
  const binding = body[at];
  if (binding === undefined) return body;
  const rest = body.filter((_, i) => i !== at);
  const needed = [...varsOf(binding, { skipOperators: true })].filter(
    (used) => used !== name && used !== 'data' && used !== 'input',
  );
  const to = 1 + Math.max(-1, ...needed.map((used) => firstUse(rest, used)));
  return to < at ? [...rest.slice(0, to), binding, ...rest.slice(to)] : body;
}

function isVar(term: Term | undefined, name: string): boolean {
  return term?.type === 'var' && term.name === name;
}

function firstUse(body: readonly Expr[], name: string): number {
  return body.findIndex((expr) => varsOf(expr, { skipOperators: true }).has(name));
}
