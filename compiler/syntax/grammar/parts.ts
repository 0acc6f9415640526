/** Parts of statements that rules hand to each other before a node is built of them. */

import type { Body, Ref, Term, WrittenBody } from '../../ast/nodes.js';
import type { Span } from '../../source/location.js';

/** A term's head with its fields and indexes: `a.b[c]`. */
export interface RefParts {
  readonly terms: Ref;
  /** The arguments, if it ends with some: `f(x)`. */
  readonly args: readonly Term[] | undefined;
}

/** An operand of `and`, `or` and `not`: a body, in braces if `explicit`. */
export interface ParsedOperand {
  readonly body: WrittenBody;
  readonly explicit: boolean;
  readonly loc: Span;
}

/** A rule's head before its body is read. */
export interface HeadParts {
  readonly loc: Span;
  /** The span of the ref and the arguments alone. */
  readonly refLoc: Span;
  readonly ref: Ref;
  readonly args: readonly Term[] | undefined;
  /** After `contains`. */
  readonly key: Term | undefined;
  readonly value: Term | undefined;
  readonly assign: boolean;
}

export interface ElseParts {
  readonly loc: Span;
  readonly headLoc: Span;
  readonly assign: boolean;
  readonly value: Term | undefined;
  readonly hasIf: boolean;
  readonly body: Body | undefined;
}

/**
 * A list of a tree, without the room for 16 more that V8 gives to a list to which one is added:
 * most are short, and all of them stay.
 */
export function fitted<Item>(list: [Item, ...Item[]]): [Item, ...Item[]];
export function fitted<Item>(list: Item[]): Item[];
export function fitted<Item>(list: Item[]): Item[] {
  return list.slice();
}
