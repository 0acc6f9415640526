/** The paths that are unknown, and refs that may lead there. */

import { compareTerms, isLiteral, isRoot, type RefTerm, type Term } from '../../../compiler/index.js';
import { lookup, type Value } from '../../../values/index.js';
import { canBeEqual } from './residual/shapes.js';
import { symbolicTerm } from './symbolic.js';

export class Unknowns {
  readonly #paths: readonly (readonly Term[])[];

  /** @param refs unknown documents: refs or variables; only those below `input` and `data` count */
  constructor(refs: readonly Term[]) {
    this.#paths = refs.map((ref) => (ref.type === 'ref' ? ref.terms : [ref]));
  }

  /**
   * Whether a ref names something unknown, has it inside or lies in it. A key that is not known
   * yet may be any.
   */
  includes(terms: readonly Term[]): boolean {
    return this.#paths.some((path) => meets(path, terms));
  }

  /** The paths that a ref meets. */
  meeting(terms: readonly Term[]): readonly (readonly Term[])[] {
    return this.#paths.filter((path) => meets(path, terms));
  }

  /** Whether all of a ref is unknown. */
  contains(terms: readonly Term[]): boolean {
    return this.#paths.some((path) => path.length <= terms.length && meets(path, terms));
  }
}

/** Whether a ref is defined for all values of the unknowns, in a given input. */
export function isSurelyDefined(term: Term, unknowns: Unknowns, input: Value | undefined): boolean {
  if (term.type !== 'ref' || unknowns.contains(term.terms)) return false;
  const [head, ...keys] = term.terms as [Term, ...Term[]];
  if (!isRoot(head, 'input') || !keys.every(isLiteral)) return false;
  let value = input;
  for (const key of keys) value = value === undefined ? undefined : lookup(value, symbolicTerm(key) as Value);
  return value !== undefined;
}

function meets(path: readonly Term[], terms: readonly Term[]): boolean {
  return path.every((key, i) => {
    const term = terms[i];
    if (term === undefined) return true;
    return i === 0 || isLiteral(term) ? compareTerms(key, term) === 0 : canBeEqual(key, term);
  });
}

/** Whether one path leads to the other or below it. */
export function areRelated(path: readonly string[], { terms }: RefTerm): boolean {
  return path.every((key, i) => {
    const term = terms[i + 1];
    return term === undefined || (term.type === 'string' && term.value === key);
  });
}
