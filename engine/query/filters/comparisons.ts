/** Comparisons of residual queries → conditions. */

import type { CallExpr, ScalarTerm, Term } from '../../../compiler/index.js';
import { compareTerms, isLiteral, nowhere, type Span } from '../../../compiler/index.js';
import { allOf, always, type Column, type ColumnComparison, type FilterCondition, neverHolds } from './condition.js';
import { type FilterOperator, operandIn, refuseOperand } from './filter-operand.js';
import { type Fragment, lackingFeature, refuse } from './fragment.js';
import { conditionOfReference, refuseReference } from './references.js';
import { isSupportRef } from './support-rules.js';

/** The comparison that a built-in makes, and the same with its operands exchanged. */
type BothWays = readonly [straight: ColumnComparison, mirrored: ColumnComparison];

const comparisons: ReadonlyMap<string, BothWays> = new Map([
  ['eq', ['eq', 'eq']],
  ['equal', ['eq', 'eq']],
  ['neq', ['ne', 'ne']],
  ['lt', ['lt', 'gt']],
  ['lte', ['lte', 'gte']],
  ['gt', ['gt', 'lt']],
  ['gte', ['gte', 'lte']],
]);

/** Undefined for built-ins that compare nothing. */
export function comparisonOf(builtin: string): BothWays | undefined {
  return comparisons.get(builtin);
}

export function conditionOfComparison(
  call: CallExpr,
  builtin: string,
  [straight, mirrored]: BothWays,
  fragment: Fragment,
): FilterCondition {
  const name = builtin === 'equal' ? 'eq' : builtin;
  // Unification makes an equality of `==`, `=` and of arguments of functions: it has no operator.
  const loc = name === 'eq' ? call.loc : call.operator.loc;
  const operator = { name, loc: name === 'eq' ? undefined : loc };
  const [a, b] = call.args as [Term, Term];
  for (const [ref, value] of [
    [a, b],
    [b, a],
  ] as const) {
    if (!isSupportRef(ref)) continue;
    return name === 'eq' && isLiteral(value)
      ? conditionOfReference(ref, value, loc, fragment)
      : refuseReference(ref, call.loc, fragment);
  }
  // It says only that the operand is defined.
  if (name === 'eq' && a.type === 'ref' && compareTerms(a, b) === 0)
    return conditionOfReference(a, undefined, nowhere, fragment);
  const [left, right] = [operandIn(a, fragment), operandIn(b, fragment)];
  if (left.type === 'column') return columnWith(left, straight, { term: b, loc, operator }, fragment);
  if (right.type === 'column') return columnWith(right, mirrored, { term: a, loc, operator }, fragment);
  const isRefused = [left, right].filter((operand) => refuseOperand(operand, operator, fragment)).length > 0;
  if (isRefused) return neverHolds;
  if (left.type === 'scalar' && right.type === 'scalar')
    return holds(left.value, straight, right.value) ? always : neverHolds;
  if (name === 'eq' && left.type === 'variable') return existenceOf(b, loc, fragment);
  if (name === 'eq' && right.type === 'variable') return existenceOf(a, loc, fragment);
  return refuse(fragment, nonScalar, loc);
}

const nonScalar = 'both rhs and lhs non-scalar/non-ground';

interface Compared {
  readonly term: Term;
  readonly loc: Span;
  readonly operator: FilterOperator;
}

function columnWith(
  column: Column,
  comparison: ColumnComparison,
  { term, loc, operator }: Compared,
  fragment: Fragment,
): FilterCondition {
  const other = operandIn(term, fragment);
  if (other.type === 'scalar') return withScalar(column, comparison, other.value);
  if (other.type === 'variable' && operator.name === 'eq') return exists(column, loc, fragment);
  if (other.type !== 'column')
    return refuseOperand(other, operator, fragment) ? neverHolds : refuse(fragment, nonScalar, loc);
  const reason = lackingFeature(fragment, 'field-ref');
  if (reason !== undefined) return refuse(fragment, `reference to field: ${reason}`, loc);
  return { type: 'compare', operator: comparison, column, value: other };
}

/** Null is the least value of the language, and databases do not compare with it. */
function withScalar(column: Column, operator: ColumnComparison, value: ScalarTerm): FilterCondition {
  if (value.type !== 'null' || operator === 'eq' || operator === 'ne')
    return { type: 'compare', operator, column, value };
  if (operator === 'lt') return neverHolds;
  return operator === 'gte' ? always : { type: 'compare', operator: operator === 'lte' ? 'eq' : 'ne', column, value };
}

/** A term has a value where all columns in it have one. */
function existenceOf(term: Term, loc: Span, fragment: Fragment): FilterCondition {
  switch (term.type) {
    case 'array':
    case 'set':
      return allOf(term.items.map((item) => existenceOf(item, loc, fragment)));
    case 'object':
      return allOf(
        term.entries.flatMap(({ key, value }) => [key, value]).map((part) => existenceOf(part, loc, fragment)),
      );
    case 'call':
    case 'ref': {
      const operand = operandIn(term, fragment);
      if (operand.type === 'column') return exists(operand, loc, fragment);
      refuseOperand(operand, { name: 'eq', loc: undefined }, fragment);
      return neverHolds;
    }
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return refuse(fragment, nonScalar, loc);
    default:
      return always;
  }
}

function exists(column: Column, loc: Span, fragment: Fragment): FilterCondition {
  const reason = lackingFeature(fragment, 'existence-ref');
  return reason === undefined ? { type: 'exists', column } : refuse(fragment, `existence of field: ${reason}`, loc);
}

function holds(a: ScalarTerm, operator: ColumnComparison, b: ScalarTerm): boolean {
  const order = compareTerms(a, b);
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'ne':
      return order !== 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
  }
}
