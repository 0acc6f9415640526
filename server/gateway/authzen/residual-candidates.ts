/**
 * The candidates of a search that a policy itself names: what is left of its decision, while the id
 * is unknown, compares the id with constants.
 */

import type { Body, CallExpr, Expr, Module, RefTerm, Rule, Term } from '../../../compiler/index.js';
import { functionName, isLiteral, stringKeys } from '../../../compiler/index.js';
import type { PartialResult } from '../../../engine/index.js';
import { areOnOneWay, isSamePath } from '../../../values/index.js';

/**
 * All ids for which the residual can hold, and perhaps others; undefined where it may hold for ids
 * that it does not name.
 * @param unknown the path of the id in the input
 */
export function idsOfResidual(
  { queries, support }: PartialResult,
  unknown: readonly string[],
): ReadonlySet<string> | undefined {
  return new Residual(support, unknown).idsOfAny(queries);
}

class Residual {
  readonly #support: readonly Module[];
  readonly #unknown: readonly string[];
  /** Rules that are being looked at. */
  readonly #open = new Set<Rule>();

  constructor(support: readonly Module[], unknown: readonly string[]) {
    this.#support = support;
    this.#unknown = unknown;
  }

  idsOfAny(bodies: readonly Body[]): ReadonlySet<string> | undefined {
    const all = new Set<string>();
    for (const body of bodies) {
      const ids = this.#idsOfBody(body);
      if (ids === undefined) return undefined;
      for (const id of ids) all.add(id);
    }
    return all;
  }

  /** One expression that names the ids is enough: all of them must hold. */
  #idsOfBody(body: Body): Iterable<string> | undefined {
    for (const expr of body) {
      const ids = this.#idsOfExpr(expr);
      if (ids !== undefined) return ids;
    }
    return undefined;
  }

  #idsOfExpr(expr: Expr): Iterable<string> | undefined {
    if (expr.negated || expr.with.length > 0) return undefined;
    if (expr.kind === 'term') return expr.term.type === 'ref' ? this.#idsOfRules(expr.term) : undefined;
    return expr.kind === 'call' ? this.#idsOfCall(expr) : undefined;
  }

  #idsOfCall({ operator, args }: CallExpr): Iterable<string> | undefined {
    const [left, right] = args;
    if (left === undefined || right === undefined) return undefined;
    const name = functionName(operator);
    if (name === 'internal.member_2') return this.#isUnknown(left) ? stringsOf(right) : undefined;
    if (name !== 'eq' && name !== 'equal') return undefined;
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      // Ids are strings: none is equal to a number.
      if (this.#isUnknown(one) && isLiteral(other)) return other.type === 'string' ? [other.value] : [];
      if (one.type === 'ref' && other.type === 'boolean' && other.value) return this.#idsOfRules(one);
    }
    return undefined;
  }

  #isUnknown(term: Term): boolean {
    return term.type === 'ref' && isSamePath(namesOf(term.terms) ?? [], ['input', ...this.#unknown]);
  }

  /** The ids for which a rule of support can hold. */
  #idsOfRules(ref: RefTerm): Iterable<string> | undefined {
    const path = namesOf(ref.terms);
    if (path === undefined || path[0] !== 'data' || path[1] !== 'partial') return undefined;
    const rules = this.#support.flatMap(({ package: home, rules: all }) =>
      all.filter(({ head }) => areOnOneWay([...(namesOf(home.path) ?? []), ...(namesOf(head.ref) ?? [])], path)),
    );
    if (rules.some((rule) => this.#open.has(rule))) return undefined;
    for (const rule of rules) this.#open.add(rule);
    const ids = this.idsOfAny(rules.flatMap(bodiesOf));
    for (const rule of rules) this.#open.delete(rule);
    return ids;
  }
}

/** The bodies of a rule and its `else` branches, if their value can be true. */
function bodiesOf(rule: Rule): readonly Body[] {
  const others = rule.else === undefined ? [] : bodiesOf(rule.else);
  return isFalse(rule) ? others : [rule.body, ...others];
}

function isFalse({ head: { value } }: Rule): boolean {
  return value?.type === 'boolean' && !value.value;
}

/** The names of a path, of which the first is a variable's; undefined where one is no constant. */
function namesOf([first, ...others]: readonly Term[]): readonly string[] | undefined {
  const keys = stringKeys(others);
  return keys && (first?.type === 'var' ? [first.name, ...keys] : keys);
}

/** The strings of a constant collection: no id equals another member. */
function stringsOf(term: Term): readonly string[] | undefined {
  if ((term.type !== 'array' && term.type !== 'set') || !isLiteral(term)) return undefined;
  return term.items.flatMap((item) => (item.type === 'string' ? [item.value] : []));
}
