/** Residual queries and rules as a text can have them. */

import {
  type Body,
  type CallExpr,
  type Expr,
  equalityExpr,
  FormatError,
  type FormatOptions,
  formatModule,
  functionName,
  type Import,
  isWildcard,
  type Module,
  nowhere,
  parseTerm,
  printModule,
  type Ref,
  type Rule,
  type RuleHead,
  refTerm,
  stringTerm,
  type Term,
  varTerm,
  walk,
} from '../../../../compiler/index.js';
import { Substitution } from './substitute.js';

/** A body whose variables can be written, and whose calculations are equalities. */
export function writtenBody(body: Body): Body {
  return new Substitution(namesFor(body)).body(body).map(writtenExpr);
}

/** A module of generated rules as text. */
export function residualModule(module: Module, options: FormatOptions = {}): string {
  const written = writtenModule(module);
  try {
    return formatModule(written, options);
  } catch (error) {
    // Bodies in braces that come from nowhere have no layout.
    if (!(error instanceof FormatError)) throw error;
    return printModule(written);
  }
}

function writtenModule(module: Module): Module {
  const rules = module.rules.map(writtenRule);
  // A reader of version 0 takes the rules for version 1 then.
  const version = module.regoVersion === 'v0v1' ? [importOf('rego', 'v1')] : [];
  return { ...module, rules, imports: [...version, ...keywordImports(rules)] };
}

/** Imports of the keywords in bodies. */
export function keywordImports(rules: readonly Rule[]): readonly Import[] {
  const found = new Set<string>();
  for (const rule of rules) {
    walk(rule, (node) => {
      if (node.type === 'expr' && (node.kind === 'not' || node.kind === 'and' || node.kind === 'or'))
        found.add(node.kind);
    });
  }
  return [...found].sort().map((keyword) => importOf('future', 'keywords', keyword));
}

function importOf(head: string, ...path: readonly string[]): Import {
  const terms: Ref = [varTerm(nowhere, head), ...path.map((name) => stringTerm(nowhere, name))];
  return { type: 'import', loc: nowhere, path: refTerm(nowhere, terms), alias: undefined };
}

function writtenRule(rule: Rule): Rule {
  const { head, body } = rule;
  const { ref, args, key, value } = head;
  const parts = [...ref, ...(args ?? []), ...(key ? [key] : []), ...(value ? [value] : [])];
  const { term, body: written } = new Substitution(namesFor(body, parts));
  const named: RuleHead = {
    ...head,
    ref: [ref[0], ...ref.slice(1).map(term)],
    args: args?.map(term),
    key: key && term(key),
    value: value && term(value),
  };
  // Without a value, a function or a rule with a key would be another kind of rule, or none. The
  // formatter leaves a value of true out unless it stands in a source.
  const needsValue = args !== undefined || ref.length > 1;
  const isBare = needsValue && rule.generatedBody && value?.type === 'boolean' && value.value;
  const complete = isBare ? { ...named, generatedValue: false, assign: true, value: parseTerm('true') } : named;
  return { ...rule, head: complete, body: written(body).map(writtenExpr) };
}

/**
 * Generated names that cannot be written. A wildcard that is used several times is one variable, so
 * it needs a name; one that is used once stays.
 */
function namesFor(body: Body, parts: readonly Term[] = []): (name: string) => Term | undefined {
  const counts = new Map<string, number>();
  for (const node of [...parts, ...body]) {
    walk(node, (one) => {
      if (one.type === 'var' && isWildcard(one.name)) counts.set(one.name, (counts.get(one.name) ?? 0) + 1);
    });
  }
  return (name) => {
    const count = counts.get(name);
    if (count === undefined) return undefined;
    return count === 1 && !name.startsWith('$_') ? undefined : varTerm(nowhere, namedWildcard(name));
  };
}

/** The name of a wildcard in a text where it needs one. */
export function namedWildcard(name: string): string {
  return name.startsWith('$_') ? name.slice(1) : `__local_${name.slice(1)}__`;
}

export const operatorSources: ReadonlySet<string> = new Set(['plus', 'minus', 'mul', 'div', 'rem', 'and', 'or']);

function writtenExpr(given: Expr): Expr {
  // Expressions of one body come from several rules: their places say nothing.
  const expr: Expr = { ...given, loc: nowhere };
  if (expr.kind !== 'and' && expr.kind !== 'or') return withOperator(expr);
  const { lhs, rhs } = expr;
  // Operands that the compiler wrote as several expressions are written in braces.
  const explicit = { explicitLhs: expr.explicitLhs || lhs.length > 1, explicitRhs: expr.explicitRhs || rhs.length > 1 };
  return { ...expr, ...explicit, lhs: lhs.map(writtenExpr), rhs: rhs.map(writtenExpr) };
}

/** `mul(x, 2, y)` is written `y = x * 2`. */
function withOperator(expr: Expr): Expr {
  if (expr.kind !== 'call' || expr.args.length !== 3 || !operatorSources.has(functionName(expr.operator) ?? ''))
    return expr;
  const [a, b, output] = expr.args as [Term, Term, Term];
  const call: Term = { type: 'call', loc: nowhere, operator: expr.operator, args: [a, b] };
  const equality: CallExpr = equalityExpr([output, call], expr.negated);
  return { ...equality, with: expr.with };
}
