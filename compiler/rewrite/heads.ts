/** Heads without evaluation: terms that need some are bound at the end of the body. */

import { equalTerms } from '../ast/equal.js';
import { isScalar } from '../ast/names.js';
import type { Expr, Rule, RuleHead, Term } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';
import { mapList } from '../ast/walk.js';
import { requiresEval } from '../resolve/expression-kinds.js';
import { mapLinks } from '../resolve/links.js';
import { type Context, report } from '../resolve/working-module.js';
import { append, bindToLocal } from './bodies.js';

/**
 * The ref of a head, with variables for terms that are neither variable nor scalar: `p[a.b]` is
 * `p[__local0__]`. The links of its `else` have the same head, so each binds them.
 */
export function rewriteHeadRef(rule: Rule, context: Context): Rule {
  const { head } = rule;
  if (head.ref.length === 1) return rule;
  if (!checkFeatures(head, rule, context)) return rule;
  if (head.ref.every((term, i) => i === 0 || term.type === 'var' || isScalar(term))) return rule;
  const added: Expr[] = [];
  let { key } = head;
  const ref = mapList(head.ref, (term, i) => {
    if (i === 0 || term.type === 'var' || isScalar(term)) return term;
    const { variable, binding } = bindToLocal(context, term);
    added.push(binding);
    if (i === head.ref.length - 1 && key && equalTerms(key, term)) key = variable;
    return variable;
  });
  return {
    ...rule,
    head: { ...head, ref, key },
    body: append(rule.body, added),
    else: rule.else && mapLinks(rule.else, (link) => ({ ...link, body: append(link.body, added) })),
  };
}

/** Older engines cannot have all kinds of refs. */
function checkFeatures(head: RuleHead, { loc }: Rule, context: Context): boolean {
  const features = context.options.capabilities?.features;
  if (features === undefined || features.includes('rego_v1')) return true;
  const takesGeneral = features.includes('rule_head_refs');
  if (!takesGeneral && !features.includes('rule_head_ref_string_prefixes') && head.name === '') {
    report(context, 'refHeadsUnsupported', loc, { ref: printRef(head.ref) });
    return false;
  }
  if (takesGeneral) return true;
  const last = head.ref.length - 1;
  for (const [i, term] of head.ref.entries()) {
    if (i > 0 && (head.value === undefined || i !== last) && term.type !== 'string')
      report(context, 'generalRefHeadsUnsupported', loc, { ref: printRef(head.ref) });
  }
  return true;
}

/** Key, value and arguments without refs and comprehensions. */
export function rewriteRefsInHead(link: Rule, context: Context): Rule {
  const added: Expr[] = [];
  const bind = (term: Term): Term => {
    if (!requiresEval(term)) return term;
    const { variable, binding } = bindToLocal(context, term);
    added.push(binding);
    return variable;
  };
  const key = link.head.key && bind(link.head.key);
  const value = link.head.value && bind(link.head.value);
  const args = link.head.args?.some(requiresEval) ? link.head.args.map(bind) : link.head.args;
  if (added.length === 0) return link;
  return { ...link, head: { ...link.head, key, value, args }, body: append(link.body, added) };
}
