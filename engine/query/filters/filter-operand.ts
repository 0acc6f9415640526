/** Operands of residual expressions: columns, constants, and operands that no target has. */

import type { RefTerm, ScalarTerm, Term } from '../../../compiler/index.js';
import { isRoot, nowhere, printTerm, type Span, stringKeys } from '../../../compiler/index.js';
import type { Column } from './condition.js';
import { type Fragment, refuse } from './fragment.js';
import { isVariable } from './shared-variables.js';

/** An operand of an operator. */
type Operand =
  | Column
  | { readonly type: 'scalar'; readonly value: ScalarTerm }
  | { readonly type: 'variable' }
  | { readonly type: 'ref' | 'call' | 'other'; readonly term: Term };

export function operandIn(term: Term, fragment: Fragment): Operand {
  if (isVariable(term)) return { type: 'variable' };
  switch (term.type) {
    case 'ref':
      return columnOf(term, fragment) ?? { type: 'ref', term };
    case 'call':
      return { type: 'call', term };
    case 'null':
    case 'boolean':
    case 'number':
    case 'string':
      return { type: 'scalar', value: term };
    default:
      return { type: 'other', term };
  }
}

export interface FilterOperator {
  readonly name: string;
  /** Undefined for an equality that evaluation made. */
  readonly loc: Span | undefined;
}

/** Notes the problem of an operand that is wrong by itself, if it is. */
export function refuseOperand(operand: Operand, { name, loc }: FilterOperator, fragment: Fragment): boolean {
  if (operand.type !== 'call' && operand.type !== 'ref') return false;
  const { type, term } = operand;
  const problem = type === 'call' ? 'nested call operand' : 'invalid ref operand';
  refuse(fragment, `${name}: ${problem}: ${printTerm(term)}`, loc ?? placeOf(term));
  return true;
}

/** `some x in xs` has no ref to an element in the text: evaluation made it, and it has no place. */
function placeOf(term: Term): Span {
  if (term.type === 'call') return term.operator.loc;
  const isWritten = term.type !== 'ref' || term.terms.at(-1)?.type !== 'var' || term.loc.text.endsWith(']');
  return isWritten ? term.loc : nowhere;
}

/** `input.<table>.<column>`, or `input.<column>` where the mappings name its table. */
function columnOf({ terms }: RefTerm, { targets }: Fragment): Column | undefined {
  const [head, ...path] = terms;
  const [first, second, third] = (isRoot(head, 'input') && stringKeys(path)) || [];
  if (first === undefined || third !== undefined) return undefined;
  if (second !== undefined) return { type: 'column', table: first, name: second };
  return targets.every((target) => target.hasTableOf(first))
    ? { type: 'column', table: undefined, name: first }
    : undefined;
}
