/** Questions about trees that several rules ask. */

import type { CallExpr, Expr, Node, RefTerm, Rule, Span, Term, VarTerm } from '../../../compiler/index.js';
import { forEachChild, functionName, isLiteral, isScalar, isWildcard, printRef } from '../../../compiler/index.js';
import { regexTest } from '../../../values/index.js';
import { expressionOf } from '../config/ignore-patterns.js';
import type { Call, FoundAt } from '../frame/found-at.js';
import { between } from '../frame/lint-file.js';
import type { Situation } from '../frame/lint-rule.js';
import type { NodePlace } from '../frame/place.js';

/** `==` and its kin, by the names of their built-ins. */
export const comparisons: ReadonlySet<string> = new Set(['equal', 'neq', 'lt', 'lte', 'gt', 'gte']);

/** Built-ins that have a sign between their operands. */
const signs: ReadonlySet<string> = new Set([
  ...comparisons,
  'eq',
  'assign',
  'plus',
  'minus',
  'mul',
  'div',
  'rem',
  'and',
  'or',
  'internal.member_2',
  'internal.member_3',
]);

/** Why a rule about a keyword has no use; undefined if it has one. */
export function lacksKeyword(keyword: string): (situation: Situation) => string | undefined {
  return ({ features, keywords }) =>
    features.has('rego_v1') || keywords.has(keyword) ? undefined : `the keyword ${keyword} is not there`;
}

/** The name of the function that is called; empty where it is computed. */
export function nameOf(call: Call): string {
  return functionName(call.operator) ?? '';
}

/** Whether a call is written with a sign. */
export function isSign(call: Call): boolean {
  return signs.has(nameOf(call));
}

/** A call with two operands at the top of an expression, of one of some functions. */
export function isBinary(expr: Expr, ...names: readonly string[]): expr is CallExpr & { args: readonly [Term, Term] } {
  return expr.kind === 'call' && expr.args.length === 2 && names.includes(nameOf(expr));
}

/** The name of a head without what is computed: `a.b` of `a.b[x]`. */
export function staticName({ head }: Rule): string {
  const end = head.ref.findIndex((term, i) => i > 0 && !isScalar(term));
  return printRef(end < 0 ? head.ref : head.ref.slice(0, end));
}

/** The words of a head's ref. */
export function ruleName({ head }: Rule): string {
  return printRef(head.ref);
}

/** Whether a rule is a further body of the rule above it: `{ … } { … }`. */
export function isChained(rule: Rule): boolean {
  return rule.loc.text.startsWith('{');
}

/** Whether a rule is run as a test: a function of such a name is none. */
export function isTest(rule: Rule): boolean {
  return hasTestName(rule) && rule.head.args === undefined;
}

/** Whether a name is that of a test. */
export function hasTestName(rule: Rule): boolean {
  return ruleName(rule).startsWith('test_');
}

/** A ref whose parts, the first excepted, are constants. */
export function isStaticRef(term: Term): term is RefTerm {
  return term.type === 'ref' && term.terms[0].type === 'var' && term.terms.slice(1).every(isScalar);
}

export { isLiteral, isScalar };

export function isVar(term: Term | undefined): term is VarTerm {
  return term?.type === 'var' && !isWildcard(term.name);
}

export function isAnyWildcard(term: Term | undefined): boolean {
  return term?.type === 'var' && isWildcard(term.name);
}

/** Whether an expression stands in a text: `$"{x}"`. */
export function isInterpolated({ up }: NodePlace): boolean {
  return up?.node.type === 'templatestring';
}

/** The left operand and the sign; the operand alone where the function is called by its name. */
export function leftAndSign(call: Call): FoundAt {
  const { loc } = call.args[0]!;
  return between(loc, call.operator.loc.start < loc.start ? loc : call.operator.loc);
}

/** How often a name stands in some nodes, a `some` that only declares it excepted. */
export function countName(nodes: readonly Node[], name: string): number {
  let count = 0;
  const visit = (node: Node): void => {
    if (node.type === 'var') count += node.name === name ? 1 : 0;
    else if (node.type === 'expr' && node.kind === 'some') {
      for (const symbol of node.symbols) if (symbol.type !== 'var') visit(symbol);
    } else forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  return count;
}

/** Whether one of some names stands in a node. */
export function uses(node: Node, names: ReadonlySet<string>): boolean {
  if (node.type === 'var') return names.has(node.name);
  let found = false;
  forEachChild(node, (child) => {
    found ||= uses(child, names);
  });
  return found;
}

/** A part of a text by its offsets. */
export function partAt({ source }: Span, start: number, end: number): FoundAt {
  return { ...source.position(start), end: source.position(end) };
}

/** The texts of an option that is a list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The test of an option that is a regular expression; undefined where there is none. */
export function patternOf(value: unknown): ((text: string) => boolean) | undefined {
  return typeof value === 'string' && value !== '' ? regexTest(value) : undefined;
}

/** Whether a path fits one of some globs: `*` stands for a part of a name, `**` for anything. */
export function fitsAny(text: string, globs: readonly string[]): boolean {
  return globs.some((glob) => new RegExp(`^${expressionOf(glob, '.')}$`).test(text));
}
