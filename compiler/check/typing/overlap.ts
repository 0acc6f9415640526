/** Whether values of two types can be equal. */

import { isMet } from './compare-types.js';
import { hasProperty, selectType } from './select.js';
import type { AnyType, ArrayType, FunctionType, ObjectType, Type } from './type.js';
import { isAnything, isEmpty } from './type.js';

/**
 * Whether there may be a value of both types. Nothing is known to be of a type that is not known.
 */
export function unifies(a: Type | undefined, b: Type | undefined): boolean {
  return new Overlap().has(a, b);
}

class Overlap {
  /** Named objects may contain themselves: a pair that comes up again decides nothing. */
  readonly #met = new Map<ObjectType, Set<ObjectType>>();

  has(a: Type | undefined, b: Type | undefined): boolean {
    if (a === undefined || b === undefined) return false;
    if (a.kind === 'any') return this.#hasAlternative(a, b);
    if (b.kind === 'any') return this.#hasAlternative(b, a);
    if (a.kind === 'array' && b.kind === 'array') return this.#ofArrays(a, b);
    if (a.kind === 'object' && b.kind === 'object') return this.#ofObjects(a, b);
    if (a.kind === 'set' && b.kind === 'set') return isEmpty(a) || isEmpty(b) || this.has(a.of, b.of);
    if (a.kind === 'function' && b.kind === 'function') return this.#ofFunctions(a, b);
    return a.kind === b.kind;
  }

  #hasAlternative(any: AnyType, type: Type): boolean {
    if (type.kind === 'function') return false;
    return isAnything(any) || isAnything(type) || any.of.some((alternative) => this.has(alternative, type));
  }

  #ofArrays(a: ArrayType, b: ArrayType): boolean {
    const [longer, shorter] = a.fixed.length < b.fixed.length ? [b, a] : [a, b];
    const fixedFit = longer.fixed.every((_, i) => this.has(selectType(longer, i), selectType(shorter, i)));
    return fixedFit && this.#mayBeAbsent(a.rest, b.rest);
  }

  #ofObjects(a: ObjectType, b: ObjectType): boolean {
    if (a === b && !a.unknown) return true;
    if (a.named && b.named && isMet(a, b, this.#met)) return true;
    // Keys of rules are known, but rules may be undefined. Composite keys are known only in part.
    const isOpen = a.rest !== undefined || b.rest !== undefined;
    const fits = (type: Type | undefined, other: Type | undefined): boolean =>
      (isOpen && type !== undefined && other === undefined) || this.has(type, other);
    return (
      a.fixed.every(({ key, type }) => fits(type, selectType(b, key))) &&
      // A key of both was compared above: comparing it twice at each level takes exponential time.
      b.fixed.every(({ key, type }) => hasProperty(a, key) || fits(type, selectType(a, key))) &&
      this.#mayBeAbsent(a.rest?.value, b.rest?.value)
    );
  }

  #ofFunctions(a: FunctionType, b: FunctionType): boolean {
    return a.args.length === b.args.length && a.args.every((arg, i) => this.has(arg, b.args[i]));
  }

  /** Elements or properties that only one of the types allows need not be there. */
  #mayBeAbsent(a: Type | undefined, b: Type | undefined): boolean {
    return a === undefined || b === undefined || this.has(a, b);
  }
}
