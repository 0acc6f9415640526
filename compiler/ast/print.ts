/**
 * Trees as canonical text. A printed module parses back to an equal one, comments
 * excepted.
 */

import { setMembers, sortedTermEntries } from './compare-terms.js';
import { FromInside } from './from-inside.js';
import { operatorRef } from './make.js';
import { functionName, isWildcard, plainName } from './names.js';
import type {
  Body,
  CallExpr,
  Expr,
  Import,
  LogicalExpr,
  Module,
  Package,
  RefTerm,
  RegoVersion,
  Rule,
  RuleHead,
  Term,
} from './nodes.js';

// prettier-ignore
/** Keywords, which no name is. */
export const reserved: ReadonlySet<string> = new Set([
  'as',
  'contains',
  'default',
  'else',
  'every',
  'false',
  'if',
  'import',
  'in',
  'not',
  'null',
  'package',
  'some',
  'true',
  'with',
]);

/**
 * Built-ins that have a sign, at the top of an expression. Not `or`: `{ a | b }` would be a
 * comprehension.
 */
const signs: Readonly<Record<string, string>> = {
  eq: '=',
  assign: ':=',
  equal: '==',
  neq: '!=',
  lt: '<',
  gt: '>',
  lte: '<=',
  gte: '>=',
  plus: '+',
  minus: '-',
  mul: '*',
  div: '/',
  rem: '%',
  and: '&',
  'internal.member_2': 'in',
};

export function printModule(module: Module): string {
  const lines = [printPackage(module.package)];
  let before: 'import' | 'rule' | undefined;
  // In the order of the text: an import makes words keywords that are names in the rules above it.
  for (const statement of [...module.imports, ...module.rules].toSorted((a, b) => a.loc.start - b.loc.start)) {
    if (statement.type !== before) lines.push('');
    before = statement.type;
    lines.push(statement.type === 'import' ? printImport(statement) : printRule(statement, module.regoVersion));
  }
  return `${lines.join('\n')}\n`;
}

export function printPackage({ path }: Package): string {
  const [, first, ...rest] = path;
  return `package ${first?.type === 'string' ? first.value : ''}${rest.map(printOperand).join('')}`;
}

export function printImport({ path, alias }: Import): string {
  // After a dot any word is a name, and an import of a keyword reads best so.
  const parts = path.terms.map((term, i) =>
    i > 0 && term.type === 'string' && plainName.test(term.value)
      ? `.${term.value}`
      : i > 0
        ? printOperand(term)
        : printTerm(term),
  );
  return `import ${parts.join('')}${alias === undefined ? '' : ` as ${alias}`}`;
}

/** A rule in one line, as its version writes it. */
export function printRule(rule: Rule, version: RegoVersion = 'v1'): string {
  const parts = [`${rule.default ? 'default ' : ''}${printHead(rule.head, version)}`];
  if (!rule.default && !rule.generatedBody) parts.push(printRuleBody(rule, version));
  for (let link = rule.else; link; link = link.else) {
    const { value, assign, generatedValue } = link.head;
    parts.push('else');
    if (value && !generatedValue) parts.push(assign ? ':=' : '=', printTerm(value));
    if (!link.generatedBody) parts.push(printRuleBody(link, version));
  }
  return parts.join(' ');
}

function printRuleBody({ head, body }: Rule, version: RegoVersion): string {
  return `${version !== 'v0' || head.hasIf ? 'if ' : ''}{ ${printBody(body)} }`;
}

function printHead(head: RuleHead, version: RegoVersion = 'v1'): string {
  let text = printRef(head.ref);
  if (head.args) text += `(${head.args.map(printTerm).join(', ')})`;
  if (head.value === undefined && head.key) {
    return version !== 'v0' || head.hasContains
      ? `${text} contains ${printTerm(head.key)}`
      : `${text}[${printTerm(head.key)}]`;
  }
  if (!head.value || (head.generatedValue && head.ref.length > 1)) return text;
  return `${text} ${head.assign ? ':=' : '='} ${printTerm(head.value)}`;
}

/** Expressions separated by `; `. */
export function printBody(body: Body): string {
  return body.map(printExpr).join('; ');
}

/** Texts of terms and expressions. */
const texts = new FromInside<string>((node) => (node.type === 'expr' ? exprText(node) : termText(node)));

function printExpr(expr: Expr): string {
  return texts.of(expr);
}

function exprText(expr: Expr): string {
  const text = printExprKind(expr);
  // Where `not` is imported, a brace behind it begins a body.
  const kind = expr.negated ? `not ${text.startsWith('{') ? `(${printExprKind(asTest(expr))})` : text}` : text;
  return `${kind}${printModifiers(expr)}`;
}

/** `=` cannot stand in parentheses. Under `not`, where it binds nothing, `==` is the same. */
function asTest(expr: Expr): Expr {
  return isEquality(expr) ? { ...expr, operator: operatorRef(expr.loc, 'equal') } : expr;
}

function isEquality(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && functionName(expr.operator) === 'eq';
}

function printModifiers(expr: Expr): string {
  return expr.with.map(({ target, value }) => ` with ${printTerm(target)} as ${printTerm(value)}`).join('');
}

/**
 * An expression in parentheses, with its text: printing it again would double the work at each
 * level. One that has modifiers and begins with a brace gets its own: with
 * `({"a"} == x with input as 1)` the parser would look for a body.
 */
function printGroup(expr: Expr, text: string): string {
  return text.startsWith('{') && expr.with.length > 0
    ? `((${printExprKind(expr)})${printModifiers(expr)})`
    : `(${text})`;
}

function printExprKind(expr: Expr): string {
  switch (expr.kind) {
    case 'term':
      return printTerm(expr.term);
    case 'call':
      return printCall(expr.operator, expr.args, true);
    case 'some':
      return `some ${expr.symbols.map(printSymbol).join(', ')}`;
    case 'every': {
      const names = expr.key ? `${printTerm(expr.key)}, ${printTerm(expr.value)}` : printTerm(expr.value);
      return `every ${names} in ${printTerm(expr.domain)} { ${printBody(expr.body)} }`;
    }
    case 'not':
      // Stages add expressions to a body that was written without braces.
      return expr.explicit || expr.body.length > 1
        ? `not { ${printBody(expr.body)} }`
        : `not ${printImplicit(expr.body)}`;
    case 'and':
    case 'or': {
      const lhs =
        expr.explicitLhs || expr.lhs.length > 1
          ? `{ ${printBody(expr.lhs)} }`
          : printLogicalOperand(expr, expr.lhs, false);
      const rhs =
        expr.explicitRhs || expr.rhs.length > 1
          ? `{ ${printBody(expr.rhs)} }`
          : printLogicalOperand(expr, expr.rhs, true);
      return `${lhs} ${expr.kind} ${rhs}`;
    }
  }
}

/** The operand of `not` without braces. */
function printImplicit(body: Body): string {
  const expr = body[0]!;
  const text = printBody(body);
  const isGroup =
    expr.kind === 'and' ||
    expr.kind === 'or' ||
    expr.kind === 'not' ||
    expr.negated ||
    expr.with.length > 0 ||
    text.startsWith('{');
  if (!isGroup) return text;
  return isEquality(expr) ? printGroup(asTest(expr), printExpr(asTest(expr))) : printGroup(expr, text);
}

/** An operand without braces; parentheses where it would bind otherwise, or start like a body. */
function printLogicalOperand(parent: LogicalExpr, body: Body, isRight: boolean): string {
  const expr = body[0]!;
  const text = printBody(body);
  const isLogical = expr.kind === 'and' || expr.kind === 'or';
  const binds = !isLogical || (parent.kind === expr.kind ? !isRight : expr.kind === 'and');
  if (binds && expr.with.length === 0 && !text.startsWith('{')) return text;
  return isEquality(expr) ? `{ ${text} }` : printGroup(expr, text);
}

/** A declared name, or a membership. */
function printSymbol(term: Term): string {
  if (term.type !== 'call') return printTerm(term);
  const names = term.args.map(printTerm);
  return `${names.slice(0, -1).join(', ')} in ${names.at(-1)}`;
}

function printCall(operator: RefTerm, args: readonly Term[], infix: boolean): string {
  const name = printRef(operator.terms);
  const sign = signs[name];
  const texts = args.map(printTerm);
  if (infix && sign !== undefined && texts.length === 2) return texts.join(` ${sign} `);
  if (infix && name === 'internal.member_3' && texts.length === 3)
    return `${texts.slice(0, 2).join(', ')} in ${texts.slice(2).join('')}`;
  return `${name}(${texts.join(', ')})`;
}

export function printRef(terms: readonly Term[]): string {
  return terms
    .map((term, i) => (i > 0 ? printOperand(term) : term.type === 'string' ? term.value : printTerm(term)))
    .join('');
}

function printOperand(term: Term): string {
  if (term.type === 'string' && plainName.test(term.value) && !reserved.has(term.value)) return `.${term.value}`;
  return `[${printTerm(term)}]`;
}

export function printTerm(term: Term): string {
  return texts.of(term);
}

function termText(term: Term): string {
  switch (term.type) {
    case 'null':
      return 'null';
    case 'boolean':
      return String(term.value);
    case 'number':
      return term.text;
    case 'string':
      return JSON.stringify(term.value);
    case 'var':
      return isWildcard(term.name) ? '_' : term.name;
    case 'ref':
      return printRef(term.terms);
    case 'array':
      return `[${term.items.map(printTerm).join(', ')}]`;
    case 'set':
      return term.items.length === 0 ? 'set()' : `{${setMembers(term.items).map(printTerm).join(', ')}}`;
    case 'object': {
      const entries = sortedTermEntries(term.entries).map(({ key, value }) => `${printTerm(key)}: ${printTerm(value)}`);
      return `{${entries.join(', ')}}`;
    }
    case 'arraycomprehension':
      return `[${printTerm(term.term)} | ${printBody(term.body)}]`;
    case 'setcomprehension':
      return `{${printTerm(term.term)} | ${printBody(term.body)}}`;
    case 'objectcomprehension':
      return `{${printTerm(term.key)}: ${printTerm(term.value)} | ${printBody(term.body)}}`;
    case 'call':
      return printCall(term.operator, term.args, false);
    case 'templatestring': {
      const quote = term.multiLine ? '`' : '"';
      return `$${quote}${printParts(term.parts, term.multiLine)}${quote}`;
    }
  }
}

/**
 * Text stands as it is, anything else in braces; of two strings in a row, one must have been in
 * braces, and so must an empty one.
 */
function printParts(parts: readonly (Term | Expr)[], multiLine: boolean): string {
  let text = '';
  let afterText = false;
  for (const part of parts) {
    const isText: boolean = part.type === 'string' && !afterText && part.value !== '';
    afterText = isText;
    if (part.type === 'expr') text += `{${printExpr(part)}}`;
    else if (part.type === 'string' && isText)
      text += (multiLine ? part.value : JSON.stringify(part.value).slice(1, -1)).replaceAll('{', '\\{');
    else text += `{${printTerm(part)}}`;
  }
  return text;
}
