/** The edits that fixes make: each keeps what a policy decides. */

import type { CallExpr, Expr, Node, RefTerm, Rule, Span, Term, VarTerm } from '../../../compiler/index.js';
import { equalTerms, functionName, walk } from '../../../compiler/index.js';
import type { LintFile } from '../frame/lint-file.js';
import type { Visitor } from '../frame/lint-rule.js';
import type { NodePlace } from '../frame/place.js';
import { findDeclarations } from '../frame/scope.js';
import { walkFile } from '../frame/walk-file.js';
import { patternArguments } from '../rules/regex-calls.js';
import { equalsSign } from '../rules/style/iteration.js';
import { comparisons, isBinary, isLiteral, isScalar, nameOf } from '../rules/tree.js';

/** A part of the text and what replaces it. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Finds the edits of a rule in a file; only those at a finding are made. */
type FindEdits = (file: LintFile, add: (at: Span, edit: Edit) => void) => Visitor;

/** Edits by the name of the rule. */
const editsByRule: Readonly<Record<string, FindEdits>> = {
  'use-assignment-operator': (_file, add) => ({
    link: (link: Rule) => {
      const at = equalsSign(link);
      if (at !== undefined) add(link.loc, { start: at, end: at, text: ':' });
    },
  }),
  'no-whitespace-comment': (_file, add) => ({
    comment: ({ loc }) => add(loc, { start: loc.start + 1, end: loc.start + 1, text: ' ' }),
  }),
  'non-raw-regex-pattern': (file, add) => ({
    call: (call) => {
      for (const pattern of patternArguments(call, file)) {
        // A raw text can hold neither, or would take several lines.
        if (pattern.type !== 'string' || /[`\u0000-\u001f\u007f]/.test(pattern.value)) continue;
        add(pattern.loc, { start: pattern.loc.start, end: pattern.loc.end, text: `\`${pattern.value}\`` });
      }
    },
  }),
  'prefer-equals-comparison': (_file, add) => ({
    expr: (expr, place) => {
      if (!isBinary(expr, 'eq') || !expr.args.every((arg) => hasValue(arg, place))) return;
      const { loc } = expr.operator;
      add(expr.loc, { start: loc.start, end: loc.end, text: '==' });
    },
  }),
  'redundant-existence-check': (file, add) => ({
    expr: (expr, place) => {
      if (expr.kind !== 'term' || (expr.term.type !== 'ref' && expr.term.type !== 'var')) return;
      if (hasStrictUse(expr, expr.term, place, file)) add(expr.loc, without(expr, file));
    },
  }),
  'constant-condition': (file, add) => ({
    expr: (expr, { body = [], index }) => {
      if (!isTrue(expr) || body.length < 2) return;
      // One of them stays: empty braces are an object.
      if (index < body.length - 1 || !body.every(isTrue)) add(expr.loc, without(expr, file));
    },
  }),
};

/** Whether the variables of one side of `=` have their values before it in their own scope. */
function hasValue(term: Term, place: NodePlace): boolean {
  let isSafe = true;
  // A variable in a ref gets its values there, with either sign.
  const inRefs = new Set<Node>();
  walk(term, (node) => {
    if (node.type === 'ref') for (const part of node.terms.slice(1)) inRefs.add(part);
    if (node.type !== 'var' || inRefs.has(node)) return;
    const declared = findDeclarations(place.scope, node.name);
    const isGiven = declared.some(
      ({ kind, node: { loc } }) =>
        kind === 'argument' || kind === 'every' || (kind !== 'some' && loc.start < node.loc.start),
    );
    isSafe &&= isGiven || (declared.length === 0 && place.isGlobal(node.name));
  });
  return isSafe;
}

/** The edits of a rule in a file at some offsets: the places of its findings. */
export function editsOf(file: LintFile, rule: string, isFound: (offset: Span, edit: Edit) => boolean): readonly Edit[] {
  const edits: Edit[] = [];
  const add = (at: Span, edit: Edit): void => {
    if (isFound(at, edit)) edits.push(edit);
  };
  const find = editsByRule[rule];
  if (find) walkFile(file, [find(file, add)]);
  // The second of two edits that share a semicolon is made in the next round.
  let last = 0;
  return edits
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      if (start < last) return false;
      last = end;
      return true;
    });
}

/** The text with edits made. */
export function edited(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((all, { start, end, text: by }) => all.slice(0, start) + by + all.slice(end), text);
}

/** Takes an expression out, and the semicolon before it, or else behind it. Comments stay. */
function without({ loc }: Expr, { module: { comments } }: LintFile): Edit {
  const { text } = loc.source;
  const endBefore = (offset: number): number => text.slice(0, offset).trimEnd().length;
  let end = endBefore(loc.start);
  for (const { loc: comment } of comments.toReversed())
    if (comment.start < end && end <= comment.end) end = endBefore(comment.start);
  if (text[end - 1] === ';') {
    const between = text.slice(end, loc.start);
    const endsLine = /^[ \t]*\r?\n/.test(text.slice(loc.end));
    return { start: end - 1, end: loc.end, text: endsLine || !between.trim() ? between.trimEnd() : between };
  }
  const semicolon = /^[ \t]*;[ \t]*/.exec(text.slice(loc.end))?.[0].length ?? 0;
  return { start: loc.start, end: loc.end + semicolon, text: '' };
}

/** Whether a condition without variables always holds, as far as that is plain. */
function isTrue(expr: Expr): boolean {
  if (expr.negated || expr.with.length > 0) return false;
  if (expr.kind === 'term') return isScalar(expr.term) && !(expr.term.type === 'boolean' && !expr.term.value);
  if (!isBinary(expr, ...comparisons)) return false;
  const [left, right] = expr.args;
  if (nameOf(expr) === 'equal') return isScalar(left) && isScalar(right) && equalTerms(left, right);
  return isTrueOfIntegers(expr);
}

function isTrueOfIntegers({
  args,
  operator: _,
  ...expr
}: CallExpr & { readonly args: readonly [Term, Term] }): boolean {
  const [left, right] = args.map((term) =>
    term.type === 'number' && /^-?\d{1,15}$/.test(term.text) ? Number(term.text) : undefined,
  );
  if (left === undefined || right === undefined) return false;
  switch (nameOf({ ...expr, args, operator: _ })) {
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'neq':
      return left !== right;
    default:
      return false;
  }
}

/**
 * Whether another expression of the body, or the head, fails where a check fails: it also does if
 * the value is false. A built-in that takes no boolean does, and so does a ref into the value.
 */
function hasStrictUse(
  check: Expr,
  value: RefTerm | VarTerm,
  { body = [], link, rule }: NodePlace,
  file: LintFile,
): boolean {
  if (body.length < 2) return false;
  if (body.some((other) => other !== check && usesStrictly(other, value, file))) return true;
  const isLast = rule.else === undefined && body === link.body;
  return isLast && link.head.value !== undefined && isLonger(link.head.value, value);
}

function usesStrictly(expr: Expr, ref: RefTerm | VarTerm, file: LintFile): boolean {
  if (expr.negated || expr.with.length > 0) return false;
  if (expr.kind === 'term') return isLonger(expr.term, ref);
  // A print shows undefined operands, and does not fail.
  if (expr.kind !== 'call' || functionName(expr.operator) === 'print') return false;
  if (expr.args.some((arg) => isLonger(arg, ref)) || equalsConstant(expr, ref)) return true;
  if (file.builtinOf(expr) === undefined) return false;
  const { args = [] } = file.builtins.of(expr.operator) ?? {};
  return expr.args.some(
    (arg, i) =>
      equalTerms(arg, ref) && ['string', 'number', 'object', 'array', 'set'].includes(args[i]?.type.type ?? ''),
  );
}

/** Whether a value is compared with a constant that is not false. */
function equalsConstant(expr: CallExpr, value: RefTerm | VarTerm): boolean {
  if (!isBinary(expr, 'equal', 'eq') || !expr.args.some((arg) => equalTerms(arg, value))) return false;
  return expr.args.some((arg) => isLiteral(arg) && !(arg.type === 'boolean' && !arg.value));
}

function isLonger(term: Term, value: RefTerm | VarTerm): boolean {
  if (term.type !== 'ref') return false;
  const parts = value.type === 'ref' ? value.terms : [value];
  return term.terms.length > parts.length && parts.every((part, i) => equalTerms(part, term.terms[i]!));
}
