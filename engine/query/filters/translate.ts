/** Residual queries → a condition on rows, or the expressions that a target cannot express. */

import type { Body, CallExpr, Expr, Module, Term, TermExpr } from '../../../compiler/index.js';
import { functionName, isRoot, printTerm } from '../../../compiler/index.js';
import { comparisonOf, conditionOfComparison } from './comparisons.js';
import { allOf, always, eitherOf, type FilterCondition, negationOf, neverHolds } from './condition.js';
import { FilterError, type FilterProblem } from './filter-error.js';
import { type Fragment, lacking, lackingFeature, refuse } from './fragment.js';
import type { NamedTarget } from './mappings.js';
import { conditionOfReference, refuseFunction } from './references.js';
import { conditionOfSearch, searchBuiltin } from './searches.js';
import { withoutSharedVariables } from './shared-variables.js';
import { SupportRules } from './support-rules.js';

/** A residual: alternatives, and the rules that were not inlined. */
export interface Residual {
  readonly queries: readonly Body[];
  readonly support: readonly Module[];
}

/**
 * The condition under which one of the queries holds. Throws a FilterError that names each
 * expression that one of the targets cannot express.
 */
export function translate({ queries, support }: Residual, targets: readonly NamedTarget[]): FilterCondition {
  const problems: FilterProblem[] = [];
  const fragment: Fragment = {
    targets,
    support: new SupportRules(support),
    problems,
    bodies: (bodies) => eitherOf(bodies.map((body) => conditionOfBody(body, fragment))),
  };
  const condition = fragment.bodies(queries);
  if (problems.length > 0) throw new FilterError(distinct(problems));
  return condition;
}

/** Alternatives share expressions, and so problems. */
function distinct(problems: readonly FilterProblem[]): readonly FilterProblem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

function conditionOfBody(body: Body, fragment: Fragment): FilterCondition {
  return allOf(withoutSharedVariables(body).map((expr) => conditionOf(expr, fragment)));
}

function conditionOf(expr: Expr, fragment: Fragment): FilterCondition {
  if (expr.with.length > 0) return refuse(fragment, '"with" not permitted', expr.loc);
  return expr.negated ? negated({ ...expr, negated: false }, fragment) : positive(expr, fragment);
}

function positive(expr: Expr, fragment: Fragment): FilterCondition {
  switch (expr.kind) {
    case 'term':
      return conditionOfTerm(expr, fragment);
    case 'call':
      return conditionOfCall(expr, fragment);
    case 'not':
      return supportsNot(expr, fragment) ? negationOf(fragment.bodies([expr.body])) : neverHolds;
    case 'and':
      return allOf([fragment.bodies([expr.lhs]), fragment.bodies([expr.rhs])]);
    case 'or':
      return fragment.bodies([expr.lhs, expr.rhs]);
    case 'some':
      return always;
    case 'every':
      return refuse(fragment, '"every" not permitted', expr.loc);
  }
}

/** An expression that is its term: defined, and not false. */
function conditionOfTerm({ term, loc }: TermExpr, fragment: Fragment): FilterCondition {
  switch (term.type) {
    case 'boolean':
      return term.value ? always : neverHolds;
    case 'null':
    case 'number':
    case 'string':
      return always;
    case 'ref':
      return conditionOfReference(term, undefined, loc, fragment);
    default:
      return refuse(fragment, `invalid statement "${printTerm(term)}"`, loc);
  }
}

function negated(expr: Expr, fragment: Fragment): FilterCondition {
  const isSupported = supportsNot(expr, fragment);
  if (expr.kind === 'term' && !isCondition(expr.term, fragment)) {
    return isSupported ? refuse(fragment, '"not" not permitted', expr.loc) : neverHolds;
  }
  const condition = positive(expr, fragment);
  return negationOf(condition);
}

/** Whether a term alone is a condition: a constant, or a rule that is one. */
function isCondition(term: Term, { support }: Fragment): boolean {
  if (term.type === 'ref') return support.bodiesFor(term, undefined) !== undefined;
  return term.type === 'boolean' || term.type === 'null' || term.type === 'number' || term.type === 'string';
}

function supportsNot(expr: Expr, fragment: Fragment): boolean {
  const reason = lackingFeature(fragment, 'not');
  if (reason !== undefined) refuse(fragment, `"not" not permitted: ${reason}`, expr.loc);
  return reason === undefined;
}

/** Calls of residual queries → conditions. */
function conditionOfCall(call: CallExpr, fragment: Fragment): FilterCondition {
  // The name of a rule of the residual is nowhere in the text.
  const loc = call.operator.loc.file === '' ? call.loc : call.operator.loc;
  const name = functionName(call.operator) ?? '';
  if (isRoot(call.operator.terms[0], 'data')) return refuseFunction(call, loc, fragment);
  const comparison = comparisonOf(name);
  if (comparison !== undefined) return conditionOfComparison(call, name, comparison, fragment);
  if (name === 'internal.member_3') return refuse(fragment, 'invalid use of "... in ..."', loc);
  const builtin = searchBuiltin(name);
  if (builtin === undefined) return refuse(fragment, `invalid builtin \`${name}\``, loc);
  const reason = lacking(fragment, '', ({ builtins }) => builtins.has(builtin));
  if (reason !== undefined) return refuse(fragment, `invalid builtin \`${builtin}\`: ${reason}`, loc);
  return conditionOfSearch(call, { name, builtin }, fragment);
}
