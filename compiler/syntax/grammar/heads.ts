/**
 * Builds rules from their parts: which heads are sets, objects, functions; the meaning of a rule
 * without a body.
 */

import { builtins } from '../../../values/index.js';
import { booleanTerm, refTerm, trueBody, varTerm } from '../../ast/make.js';
import { isGround, isRootName, isWildcard } from '../../ast/names.js';
import type { Body, Expr, Ref, Rule, RuleHead, Term, WrittenBody } from '../../ast/nodes.js';
import { printTerm } from '../../ast/print.js';
import { mapList, walk } from '../../ast/walk.js';
import type { ComplaintName, Holes } from '../../diagnostics/complaints.js';
import { Span } from '../../source/location.js';
import type { ElseParts, HeadParts } from './parts.js';

/** The parser, as far as heads need it. */
export interface RuleContext {
  fail<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): never;
  problem<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): void;
  noRule(span: Span, reason: string): undefined;
  /** A name for a wildcard. */
  wildcard(): string;
}

function nameOf(term: Term): string {
  return term.type === 'var' ? term.name : '';
}

/** The text of a head's ref. */
export function refHeadText(ref: Ref): string {
  return printTerm(ref.length === 1 ? ref[0] : refTerm(ref[0].loc, ref));
}

function makeHead(parts: HeadParts, over: Partial<RuleHead>): RuleHead {
  return {
    type: 'head',
    loc: parts.loc,
    name: parts.ref.length === 1 ? nameOf(parts.ref[0]) : '',
    ref: parts.ref,
    args: parts.args && parts.args.length > 0 ? parts.args : undefined,
    key: parts.key,
    value: parts.value,
    assign: parts.assign,
    generatedValue: false,
    hasIf: false,
    hasContains: parts.key !== undefined,
    ...over,
  };
}

/** The head of a rule with a body, in braces or after `if`. */
export function headOf(parts: HeadParts, hasIf: boolean): RuleHead {
  const { ref, value, key } = parts;
  const isFunction = parts.args !== undefined && parts.args.length > 0;
  if (key) return makeHead(parts, { hasIf });
  const generated = { value: booleanTerm(parts.loc, true), generatedValue: true };
  const [first, second] = ref;
  if (second === undefined || ref.length > 2 || isFunction)
    return makeHead(parts, value ? { hasIf } : { hasIf, ...generated });
  // `p[x] if …` is an object, or one of its keys; `p[x] { … }` of version 0 is a set.
  if (hasIf) {
    const named = !isGround(second) || second.type === 'ref' ? { key: second } : {};
    return makeHead(parts, { hasIf, ...named, ...(value ? { name: nameOf(first) } : generated) });
  }
  return makeHead(parts, { name: nameOf(first), key: second, ref: value ? ref : [first] });
}

interface WithBody {
  readonly head: RuleHead;
  readonly body: Body;
}

function makeRule(loc: Span, head: RuleHead, body: Body, over: Partial<Rule> = {}): Rule {
  return {
    type: 'rule',
    loc,
    default: false,
    head,
    body,
    generatedBody: false,
    else: undefined,
    annotations: [],
    ...over,
  };
}

export const buildRule = {
  default(parts: HeadParts, loc: Span, context: RuleContext): Rule {
    const isPair = parts.ref.length === 2 && !(parts.args && parts.args.length > 0);
    if (!parts.value && (isPair || parts.key)) context.fail('defaultWithoutValue', loc, {});
    const value = parts.value ?? booleanTerm(parts.loc, true);
    const head = makeHead(parts, { value, generatedValue: parts.value === undefined });
    checkDefaultValue(value, loc, context);
    checkDefaultArguments(head.args ?? [], loc, context);
    // Located at the keyword, as the reference does.
    return makeRule(loc, head, trueBody(new Span(loc.source, loc.start, loc.start + 'default'.length)), {
      default: true,
    });
  },

  withBody({ head, body }: WithBody, elses: readonly Rule[], loc: Span): Rule {
    const first = elses.reduceRight<Rule | undefined>((rest, branch) => ({ ...branch, else: rest }), undefined);
    return makeRule(loc, head, body, { else: first });
  },

  /**
   * `p := 1`, `p contains x`, `p[x]`, `f(x)`: the body is `true`. Undefined for what is no rule.
   */
  withoutBody(parts: HeadParts, context: RuleContext): Rule | undefined {
    const { ref, args, value, loc, refLoc } = parts;
    const [first, second, ...more] = ref;
    if (parts.key) return makeRule(loc, makeHead(parts, {}), trueBody(refLoc), { generatedBody: true });
    const generatedBody = { generatedBody: true };
    if (value) {
      const isPair = second !== undefined && more.length === 0 && !args;
      const named = isPair ? { name: nameOf(first), key: second } : {};
      return makeRule(loc, makeHead(parts, named), trueBody(value.loc), generatedBody);
    }
    const head = { ...parts, loc: refLoc };
    if (args) {
      if (builtins.has(refHeadText(ref))) return context.noRule(refLoc, 'rule name conflicts with built-in function');
      if (args.length === 0) return context.noRule(refLoc, 'rule argument list must take at least one argument');
      return makeRule(refLoc, makeHead(head, { value: booleanTerm(refLoc, true) }), trueBody(refLoc), generatedBody);
    }
    if (more.length > 0) {
      const over = { value: booleanTerm(refLoc, true), generatedValue: true };
      return makeRule(refLoc, makeHead(head, over), trueBody(refLoc), generatedBody);
    }
    if (second === undefined)
      return context.noRule(
        refLoc,
        isRootName(nameOf(first)) ? 'refs cannot be used for rule head' : 'var cannot be used for rule name',
      );
    const over: Partial<RuleHead> = { name: nameOf(first), ref: [first], key: second };
    return makeRule(refLoc, makeHead(head, over), trueBody(refLoc), generatedBody);
  },
};

/** Says why a query at the top of a module is no rule. */
export function ruleOfBody([expr, ...others]: WrittenBody, context: RuleContext): undefined {
  return context.noRule(
    expr.loc,
    others.length > 0 ? 'multiple expressions cannot be used for rule head' : reasonOf(expr),
  );
}

function reasonOf(expr: Expr): string {
  if (expr.with.length > 0) return 'expressions using with keyword cannot be used for rule head';
  if (expr.negated) return 'negated expressions cannot be used for rule head';
  if (expr.kind === 'some') return "'some' declarations cannot be used for rule head";
  if (expr.kind === 'term') {
    if (expr.term.type !== 'ref') return `${expr.term.type} cannot be used for rule name`;
    return expr.term.terms.length === 1 ? 'refs cannot be used for rule head' : 'invalid rule head';
  }
  if (expr.kind !== 'call') return 'expression cannot be used for rule head';
  const [operator] = expr.operator.terms;
  const name = operator.type === 'var' ? operator.name : '';
  if (name !== 'eq' && name !== 'assign') return 'rule name conflicts with built-in function';
  const [left, right] = expr.args;
  if (left === undefined || right === undefined) return 'assignment requires two operands';
  return `${left.type} cannot be used for rule name`;
}

/** A wildcard argument of a further body or an `else` is another variable. */
function freshArgs(args: readonly Term[] | undefined, context: RuleContext): readonly Term[] | undefined {
  if (!args?.some((arg) => arg.type === 'var' && isWildcard(arg.name))) return args;
  return args.map((arg) => (arg.type === 'var' && isWildcard(arg.name) ? varTerm(arg.loc, context.wildcard()) : arg));
}

/** One `else` of a chain: the rule's head with a value and a body of its own. */
export function elseRule(head: RuleHead, parts: ElseParts, context: RuleContext): Rule {
  const elseHead: RuleHead = {
    ...head,
    loc: parts.headLoc,
    args: freshArgs(head.args, context),
    value: parts.value ?? booleanTerm(parts.headLoc, true),
    assign: parts.value ? parts.assign : head.assign,
    generatedValue: parts.value === undefined,
    hasIf: parts.hasIf,
    hasContains: false,
  };
  if (parts.body) return makeRule(parts.loc, elseHead, parts.body);
  return makeRule(parts.loc, elseHead, trueBody(parts.loc), { generatedBody: true });
}

/** A further body in braces after the first: the same head again, located at the braces. */
export function chainedRule(first: Rule, body: Body, loc: Span, context: RuleContext): Rule {
  const at = <T extends Term | undefined>(term: T): T => (term && { ...term, loc }) as T;
  const { head } = first;
  const chained: RuleHead = {
    ...head,
    loc,
    ref: mapList(head.ref, at),
    args: freshArgs(head.args, context)?.map(at),
    key: at(head.key),
    value: at(head.value),
  };
  return makeRule(loc, chained, body);
}

/** A default may not depend on anything, except inside comprehensions. */
function checkDefaultValue(value: Term, loc: Span, context: RuleContext): void {
  walk(value, (node) => {
    switch (node.type) {
      case 'ref':
      case 'var':
      case 'call':
        context.fail('defaultValue', loc, { kind: node.type });
        break;
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension':
        return false;
      case 'expr':
        return node.kind === 'term';
    }
    return true;
  });
}

function checkDefaultArguments(args: readonly Term[], loc: Span, context: RuleContext): void {
  const names = new Set<string>();
  for (const arg of args) {
    if (arg.type !== 'var') context.fail('defaultArgument', loc, { kind: arg.type });
    else if (names.has(arg.name)) context.fail('defaultArgumentRepeated', loc, { name: arg.name });
    else names.add(arg.name);
  }
}
