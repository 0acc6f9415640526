/** A type as a field or argument names it, with its lists in one row. */
import type { GraphqlType } from './ast.js';

export interface TypeRef {
  readonly name: string;
  /** Whether null is ruled out: first for the outermost list, last for the named type itself. */
  readonly nonNull: readonly boolean[];
}

export function typeRef(type: GraphqlType | null): TypeRef {
  const nonNull: boolean[] = [];
  let inner = type;
  for (; inner !== null && inner.NamedType === '' && inner.Elem !== null; inner = inner.Elem)
    nonNull.push(inner.NonNull);
  nonNull.push(inner?.NonNull ?? false);
  return { name: inner?.NamedType ?? '', nonNull };
}

/** The name of the type in the innermost list. */
export function namedType(type: GraphqlType | null): string {
  let inner = type;
  while (inner !== null && inner.NamedType === '' && inner.Elem !== null) inner = inner.Elem;
  return inner?.NamedType ?? '';
}

/** The source text of a type: `[String!]!`. */
export function typeRefText({ name, nonNull }: TypeRef): string {
  const open = '['.repeat(nonNull.length - 1);
  const close = nonNull.map((is) => (is ? '!' : '')).reverse();
  return open + name + close.join(']');
}

/** Whether two types are lists of the same depth. */
export function haveSameDepth(a: TypeRef, b: TypeRef): boolean {
  return a.nonNull.length === b.nonNull.length;
}

/** Whether `a` rules out null at each level at which `b` does. */
export function isStricter(a: TypeRef, b: TypeRef): boolean {
  return b.nonNull.every((must, i) => !must || a.nonNull[i] === true);
}
