/** Where the parts of texts that the compiler has written come from. */

import type { Span } from '../source/location.js';
import { varTerm } from './make.js';
import { isWildcard } from './names.js';
import type { Module, Term } from './nodes.js';
import { printTerm } from './print.js';
import { mapTermChildren } from './walk.js';

/** Where the parts of a generated text come from. */
export interface Origins {
  /** The authors' modules. */
  readonly modules: readonly Module[];
  /** The place in one of them; undefined for generated text. */
  originOf(span: Span): Span | undefined;
  /** The authors' variables that a variable of the text stands for. */
  authorsOf(variable: string): readonly AuthorVariable[];
  /** Variables that a term of the text has replaced, by its key. */
  replacedBy(key: string): readonly ReplacedVariable[];
  /** Variables that a term of the text has replaced, by its place. */
  replacedAt(span: Span): readonly ReplacedVariable[];
}

export interface ReplacedVariable {
  readonly name: string;
  /** The expression that gave it its value, as the author wrote it. */
  readonly place: Span;
}

export interface AuthorVariable {
  readonly name: string;
  /** The rule, or the `else`, whose variable it is. */
  readonly rule: Span;
}

/**
 * A term as a key: equal terms of one rule have the same.
 * @param nameOf the name of a variable in the text
 */
export function termKey(term: Term, nameOf: (name: string) => string | undefined = () => undefined): string {
  const named = (one: Term): Term => {
    if (one.type !== 'var') return mapTermChildren(one, { term: named, body: (body) => body });
    return varTerm(one.loc, nameOf(one.name) ?? (isWildcard(one.name) ? '_' : one.name));
  };
  return printTerm(named(term));
}

/** Whether a key may be that of terms with several values. */
export function isVagueKey(key: string): boolean {
  return /(?<![\w"])_(?!\w)/.test(key);
}
