/** Refs to base documents that are not there. */

import type { Term, VirtualDocument } from '../../../compiler/index.js';
import { isLiteral } from '../../../compiler/index.js';
import { baseAt } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import { childDocument } from '../child-document.js';
import type { SearchProgram } from '../search.js';
import { supportPackage } from './residual/support-modules.js';
import { symbolicTerm } from './symbolic.js';
import type { Unknowns } from './unknowns.js';

interface Known {
  readonly program: SearchProgram;
  readonly unknowns: Unknowns;
  /** The documents without modifiers. */
  readonly first: { readonly data: Value | undefined };
}

/**
 * Whether a ref leads where neither a rule nor a known document has a value. A ref is saved while
 * one of its keys may be that of an unknown document, and an expression behind it may say which key
 * it is.
 */
export function isMissing({ program, first, unknowns }: Known, terms: readonly Term[]): boolean {
  const [head, top] = terms;
  if (head?.type !== 'var' || head.name !== 'data' || top === undefined || unknowns.includes(terms)) return false;
  if (top.type === 'string' && top.value === supportPackage) return false;
  let document: VirtualDocument | undefined = program.root;
  let base: Value | undefined = first.data;
  for (const term of terms.slice(1)) {
    if (!isLiteral(term)) return false;
    const key = symbolicTerm(term) as Value;
    document = document !== undefined && typeof key === 'string' ? childDocument(document, key) : undefined;
    if (document !== undefined && document.kind !== 'package') return false;
    base = base === undefined ? undefined : baseAt(base, key);
    if (document === undefined && base === undefined) return true;
  }
  return false;
}
