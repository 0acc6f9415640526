/**
 * Local variables of whole rules: parameters, declarations of the body, and the head, which uses
 * both.
 */

import { varTerm } from '../ast/make.js';
import { isScalar, isWildcard } from '../ast/names.js';
import type { Body, Rule, RuleHead, Term } from '../ast/nodes.js';
import { type Mapper, mapExprChildren, mapHeadChildren, mapList, mapTermChildren } from '../ast/walk.js';
import { addVars, isComprehension } from './expression-kinds.js';
import { mapLinks } from './links.js';
import { LocalScopes, type LocalVariable } from './local-scopes.js';
import { LocalRewriter } from './locals.js';
import { type Context, report } from './working-module.js';

/** A rule with its variables rewritten. The links of an `else` chain share the parameters. */
export function rewriteLocals(rule: Rule, context: Context): Rule {
  const params = new LocalScopes(context.locals);
  const args = rule.head.args?.map((arg) => rewriteParam(arg, params, context));
  const unused = context.options.strict ? new Set<string>() : noNames;
  if (context.options.strict) for (const arg of rule.head.args ?? []) addVars(arg, unused);
  const rewritten = mapLinks(rule, (link, first) => {
    const head = first && args ? { ...link.head, args } : link.head;
    return rewriteLink(head === link.head ? link : { ...link, head }, params.top, unused, context);
  });
  for (const name of unused) if (!isWildcard(name)) report(context, 'argumentUnused', rule.head.loc, { name });
  return rewritten;
}

/** Never added to. */
const noNames = new Set<string>();

/** Parameters bind the variables in arrays and in the values of objects. */
function rewriteParam(arg: Term, params: LocalScopes, context: Context): Term {
  switch (arg.type) {
    case 'var': {
      const known = params.find(arg.name);
      if (known) known.count++;
      return varTerm(arg.loc, known ? known.name : params.declare(arg.name, 'argument'));
    }
    case 'array':
      return { ...arg, items: arg.items.map((item) => rewriteParam(item, params, context)) };
    case 'object':
      return {
        ...arg,
        entries: arg.entries.map(({ key, value }) => ({ key, value: rewriteParam(value, params, context) })),
      };
    case 'ref':
      return { ...arg, terms: mapList(arg.terms, (term) => rewriteParam(term, params, context)) };
    case 'call':
      report(context, 'callInArguments', arg.loc, {});
      return arg;
    default:
      return arg;
  }
}

function rewriteLink(
  link: Rule,
  params: ReadonlyMap<string, LocalVariable>,
  unused: Set<string>,
  context: Context,
): Rule {
  const rewriter = new LocalRewriter(context, new LocalScopes(context.locals, params));
  if (!mayHaveVars(link.head)) {
    const body = rewriter.body(link.body, noNames);
    forgetUsed(rewriter.scopes, unused);
    return { ...link, body };
  }
  const head = rewriteClosures(link.head, context);
  const used = new Set<string>();
  for (const term of head.ref.slice(1)) addVars(term, used);
  if (head.key) addVars(head.key, used);
  if (head.value) {
    const names = new Set<string>();
    addVars(head.value, names);
    for (const name of names) {
      used.add(name);
      unused.delete(name);
    }
  }
  const body: Body = rewriter.body(link.body, used);
  forgetUsed(rewriter.scopes, unused);
  return { ...link, head: renameHead(head, rewriter.scopes.top), body };
}

function forgetUsed(scopes: LocalScopes, unused: Set<string>): void {
  for (const name of unused) if ((scopes.find(name)?.count ?? 0) > 1) unused.delete(name);
}

/** Whether a head has more than scalars. */
export function mayHaveVars({ ref, args, key, value }: RuleHead): boolean {
  const has = (term: Term | undefined): boolean => term !== undefined && !isScalar(term);
  return has(key) || has(value) || (args?.some(has) ?? false) || ref.some((term, i) => i > 0 && has(term));
}

function mayHoldClosures({ ref, args, key, value }: RuleHead): boolean {
  if ((key && !isSimple(key)) || (value && !isSimple(value))) return true;
  return !ref.every(isSimple) || !(args?.every(isSimple) ?? true);
}

function isSimple(term: Term): boolean {
  return isScalar(term) || term.type === 'var' || (term.type === 'ref' && term.terms.every(isSimple));
}

/** Comprehensions in a head declare variables of their own, so they come before the body. */
function rewriteClosures(head: RuleHead, context: Context): RuleHead {
  if (!mayHoldClosures(head)) return head;
  const mapper: Mapper = {
    term: (term) => {
      if (isScalar(term) || term.type === 'var') return term;
      if (isComprehension(term) || term.type === 'templatestring') return new LocalRewriter(context).term(term);
      return mapTermChildren(term, mapper);
    },
    body: (body) => body,
  };
  return mapHeadChildren(head, mapper);
}

/** The head's variables under the names that the body gave them. */
function renameHead(head: RuleHead, names: ReadonlyMap<string, LocalVariable>): RuleHead {
  if (names.size === 0) return head;
  const mapper: Mapper = {
    term: (term) => {
      if (isScalar(term)) return term;
      if (term.type !== 'var') return mapTermChildren(term, mapper);
      const local = names.get(term.name);
      return local && local.name !== term.name ? varTerm(term.loc, local.name) : term;
    },
    body: (body) => body.map((expr) => mapExprChildren(expr, mapper)),
  };
  // The first term of the ref is the rule's name, no variable.
  const mapped = mapHeadChildren(head, mapper);
  return mapped.ref === head.ref ? mapped : { ...mapped, ref: [head.ref[0], ...mapped.ref.slice(1)] };
}
