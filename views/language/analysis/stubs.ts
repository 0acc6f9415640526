/** Rules in the place of faulty ones: the rules that read them have no errors on their account. */

import type { Rule, RuleHead, Span, Term } from '../../../compiler/index.js';
import { isScalar, stringTerm, varTerm } from '../../../compiler/index.js';

/** A document of which nothing is known: `data` has it nowhere. */
const unknownDocument = '__unknown';

/** A rule with the name and the parameters of a faulty one, of which nothing else is known. */
export function stubOf(rule: Rule): Rule {
  const unknown = (loc: Span): Term => ({
    type: 'ref',
    loc,
    terms: [varTerm(loc, 'data'), stringTerm(loc, unknownDocument)],
  });
  const { head } = rule;
  const [name, ...keys] = head.ref;
  const known: RuleHead = {
    ...head,
    ref: [name, ...keys.map((term) => (isScalar(term) ? term : unknown(term.loc)))],
    args: head.args?.map((arg, i) => varTerm(arg.loc, `__arg${i}`)),
    key: head.key && unknown(head.key.loc),
    value: head.value && unknown(head.value.loc),
  };
  const { loc } = head;
  const body: Rule['body'] = [
    {
      type: 'expr',
      kind: 'term',
      loc,
      negated: false,
      generated: false,
      with: [],
      term: { type: 'boolean', loc, value: true },
    },
  ];
  return { ...rule, default: false, head: known, body, generatedBody: true, else: undefined };
}
