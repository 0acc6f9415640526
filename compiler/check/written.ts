/** The refs of rules as their author wrote them. */

import type { Term } from '../ast/nodes.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import { isGeneratedName } from '../resolve/local-names.js';

/**
 * A term of a rule's ref: for a generated variable the written one, or the text of the term that it
 * stands for.
 */
function writtenTerm(term: Term, { module }: CompiledRule): Term {
  if (term.type !== 'var' || !isGeneratedName(term.name)) return term;
  return { ...term, name: module.names.get(term.name) ?? term.loc.text };
}

/** A rule's whole ref. */
export function writtenRef(rule: CompiledRule): readonly Term[] {
  return rule.ref.map((term) => writtenTerm(term, rule));
}
