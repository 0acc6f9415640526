/** Nodes of single tokens. */

import { refTerm, stringTerm, varTerm } from '../../ast/make.js';
import type { RefTerm, Term } from '../../ast/nodes.js';
import type { Token } from '../tokens.js';
import type { Cursor } from './cursor.js';

export function literalString($: Cursor, token: Token): Term {
  return stringTerm($.tokenSpan(token), token.image);
}

/** A string in quotes. Its token has the literal itself as the image if JSON has no such string. */
export function quotedString($: Cursor, token: Token): Term {
  if (token.image.length === token.end - token.startOffset) {
    $.fail('illegalToken', $.tokenSpan(token), { reason: `illegal string literal: ${token.image}` }, token);
  }
  return literalString($, token);
}

/** The ref of an operator's built-in. */
export function operator($: Cursor, token: Token): RefTerm {
  const loc = $.tokenSpan(token);
  return refTerm(loc, [varTerm(loc, token.image)]);
}
