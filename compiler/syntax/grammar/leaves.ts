/** Nodes of single tokens. */

import { refTerm, stringTerm, varTerm } from '../../ast/make.js';
import type { RefTerm, Term } from '../../ast/nodes.js';
import type { Token } from '../tokens.js';
import type { Cursor } from './cursor.js';

export function literalString($: Cursor, token: Token): Term {
  return stringTerm($.tokenSpan(token), token.image);
}

/** The ref of an operator's built-in. */
export function operator($: Cursor, token: Token): RefTerm {
  const loc = $.tokenSpan(token);
  return refTerm(loc, [varTerm(loc, token.image)]);
}
