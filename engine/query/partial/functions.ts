/** Calls of the policy's functions. */

import { isLiteral, type RefTerm, type Rule, type Term, type VirtualDocument } from '../../../compiler/index.js';
import { equal, type Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { givenTerm } from '../head-terms.js';
import type { Next } from '../machine.js';
import { inRule } from './partial-rules.js';
import type { OpenCall, PartialSearch } from './partial-search.js';
import { supportRef } from './residual/support-modules.js';
import { supportDocument } from './support.js';
import { isOpen, resolved } from './symbolic.js';
import { matchSymbolic } from './symbolic-unification.js';

export function partialFunction(search: PartialSearch, document: VirtualDocument, call: OpenCall): Next {
  const rules = search.program.index.rulesOf(document);
  const isKnown = !search.reach.document(document) && !call.args.some(isOpen);
  if (isKnown && !isAmbiguous(rules.map(({ rule }) => rule))) {
    return search.call(document, call.args as Value[], call.frame, (value) => call.finish(value, 'term'));
  }
  if (rules.some(({ rule }) => rule.else !== undefined)) return call.leave();
  if (search.keepsRules(document) || rules.some(({ rule }) => rule.default)) {
    if (search.machine.environment !== search.first) return call.leave();
    return supportDocument(search, document, call.frame, (entry) =>
      entry.isEmpty ? search.machine.fail() : call.leave(supportRef(document.path) as RefTerm),
    );
  }
  return inlineFunction(search, document, call);
}

/** Whether rules may have several values for the same arguments. */
function isAmbiguous(rules: readonly Rule[]): boolean {
  return rules.length > 1 && rules.every((rule) => !rule.default && rule.else === undefined);
}

/** Inlines a call. The first of equal values that do not depend on unknowns counts. */
function inlineFunction(search: PartialSearch, document: VirtualDocument, call: OpenCall): Next {
  const { machine } = search;
  const { saved } = search.context;
  const values: Value[] = [];
  return machine.each(search.rulesOf(document, call.args), (compiled) => {
    const { rule } = compiled;
    const bind = (own: Frame): boolean => bindArguments(search, rule.head.args ?? [], call, own);
    const found = (own: Frame): Next => {
      const value = resolved(givenTerm(rule.head), own);
      if (!isOpen(value) && search.context.saved === saved) {
        if (values.some((one) => equal(one, value))) return machine.fail();
        values.push(value);
      }
      return call.finish(value, 'rule');
    };
    return inRule(search, document, compiled, call.frame, { found, bind });
  });
}

/** Variables first: a pattern may name one of them. */
function bindArguments(search: PartialSearch, terms: readonly Term[], { args }: OpenCall, own: Frame): boolean {
  const bindAll = (isWanted: (term: Term) => boolean): boolean =>
    // A call gives an argument for each.
    terms.every((term, i) => !isWanted(term) || matchSymbolic(search, term, args[i]!, own, !isLiteral(term)));
  return bindAll(({ type }) => type === 'var') && bindAll(({ type }) => type !== 'var');
}
