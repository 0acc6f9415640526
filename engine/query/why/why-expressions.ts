/** Why one expression fails. */

import type { CallExpr, EveryExpr, Expr, Term } from '../../../compiler/index.js';
import { functionName, isLiteral, isOperator, Span, varTerm } from '../../../compiler/index.js';
import { isArray, isObject, isSet, objectSize, type Steps, typeName, type Value } from '../../../values/index.js';
import { elementAt, elementKeys } from '../refs/elements.js';
import { textDifferences, valueDifferences } from './differences.js';
import type { Explaining, Sample } from './explaining.js';
import type { Difference, ExpressionWhy, FailureReason, HeldExpression } from './explanation.js';
import { missingPart } from './missing.js';
import { probe, probedValues, type TermValues } from './probe.js';
import { inputPath } from './reads.js';
import { authorSpans, oneLine, spanText } from './source-text.js';

/** Why an expression fails in one state. */
export interface Failure {
  readonly reason: FailureReason;
  readonly message: string;
  /** The part of the expression that is the cause. */
  readonly mark: Span;
  /** Expressions that failed in bodies inside. */
  readonly inner?: readonly ExpressionWhy[];
  readonly held?: readonly HeldExpression[];
  /** The differences of two collections whose texts are long. */
  readonly differences?: readonly Difference[];
}

/** @param sample the state, with the expression's own `with` modifiers applied */
export function* failureOf(explaining: Explaining, expr: Expr, sample: Sample, depth: number): Steps<Failure> {
  const mark = expr.loc;
  if (expr.negated) return { reason: 'holds', message: yield* negatedFailure(explaining, expr, sample), mark };
  switch (expr.kind) {
    case 'term':
      return yield* termFailure(explaining, expr.term, sample, mark);
    case 'call':
      return yield* isEquation(expr)
        ? equationFailure(explaining, expr, sample)
        : callFailure(explaining, expr, sample);
    case 'every':
      return yield* everyFailure(explaining, expr, sample, depth);
    case 'not': {
      const held = yield* explaining.held(
        yield* probe(explaining, expr.body, sample, () => true),
        authorSpans(expr.body),
        depth,
      );
      const message = expr.explicit ? 'the body under not holds' : `${oneLine(mark.text.replace(/^not\s+/, ''))} holds`;
      return { reason: 'holds', message, mark, held };
    }
    case 'and':
    case 'or': {
      const inner: ExpressionWhy[] = [];
      for (const body of [expr.lhs, expr.rhs]) {
        const tried = yield* probe(explaining, body, sample);
        if (tried.solutions === 0) inner.push(yield* explaining.failure(tried, authorSpans(body), depth));
      }
      const message = expr.kind === 'or' ? 'neither side holds' : 'one side does not hold';
      return { reason: 'false', message, mark, ...(inner.length > 0 && { inner }) };
    }
    case 'some':
      throw new Error('a declaration cannot fail');
  }
}

/** The reason why a negation fails: an empty collection is defined, which is seldom expected. */
function* negatedFailure(explaining: Explaining, expr: Expr, sample: Sample): Steps<string> {
  const text = negatedText(expr);
  if (expr.kind !== 'term') return `${text} holds`;
  const { found } = yield* probedValues(explaining, expr.term, sample);
  const empty = found.map(({ value }) => emptyName(value)).find((name) => name !== undefined);
  if (empty === undefined) return `${text} holds`;
  return `${text} is ${empty}, which is defined and not false: ask \`count(${text}) == 0\``;
}

function emptyName(value: Value): string | undefined {
  if (isSet(value)) return value.size === 0 ? 'an empty set' : undefined;
  if (isArray(value)) return value.length === 0 ? 'an empty array' : undefined;
  return isObject(value) && objectSize(value) === 0 ? 'an empty object' : undefined;
}

/** The text of a negated expression, without modifiers. */
function negatedText({ loc, with: [modifier] }: Expr): string {
  const end = modifier === undefined ? loc.end : modifier.target.loc.start;
  const { text } = new Span(loc.source, loc.start, Math.max(end, loc.start));
  return oneLine(text.replace(/^not\s+/, '').replace(/\s+with\s*$/, ''));
}

/** A query's `==` is a call of `equal`. */
function isEquation({ operator, args }: CallExpr): boolean {
  return args.length === 2 && (isOperator(operator, 'eq') || isOperator(operator, 'equal'));
}

function* termFailure(explaining: Explaining, term: Term, sample: Sample, mark: Span): Steps<Failure> {
  const { found, error } = yield* probedValues(explaining, term, sample);
  if (error !== undefined) return { reason: 'error', message: explaining.told(error.detail), mark };
  if (found.length === 0) return yield* undefinedTerm(explaining, term, sample);
  return { reason: 'false', message: `${spanText(term.loc)} is false`, mark };
}

function* undefinedTerm(explaining: Explaining, term: Term, sample: Sample): Steps<Failure> {
  const message =
    term.type === 'ref' ? yield* missingPart(explaining, term, sample) : `${spanText(term.loc)} is undefined`;
  return { reason: /is empty$/.test(message) ? 'empty' : 'undefined', message, mark: term.loc };
}

/** `x == y`, `x = y`, `x := y`, `some x in xs`. */
function* equationFailure(explaining: Explaining, { args, loc }: CallExpr, sample: Sample): Steps<Failure> {
  const [a, b] = args as [Term, Term];
  const left = yield* probedValues(explaining, a, sample);
  const right = yield* probedValues(explaining, b, sample);
  const error = left.error ?? right.error;
  if (error !== undefined) return { reason: 'error', message: explaining.told(error.detail), mark: loc };
  for (const [term, { count }] of [
    [a, left],
    [b, right],
  ] as const) {
    if (count === 0 && (term.type === 'ref' || term.type.endsWith('comprehension'))) {
      return yield* undefinedTerm(explaining, term, sample);
    }
  }
  const mark = loc;
  const [term, values, other, others] = isLiteral(a) || left.count === 0 ? [b, right, a, left] : [a, left, b, right];
  const name = spanText(term.loc);
  const wanted = others.count === 0 ? spanText(other.loc) : valueText(explaining, other, others);
  if (values.count > 1)
    return { reason: 'differs', message: `none of the ${values.count} values of ${name} is ${wanted}`, mark };
  const value = valueText(explaining, term, values);
  if (others.count === 0)
    return { reason: 'differs', message: `${name} is ${value}, which does not match ${wanted}`, mark };
  if (others.count > 1)
    return {
      reason: 'differs',
      message: `none of the ${others.count} values of ${spanText(other.loc)} is ${value}`,
      mark,
    };
  const message = isLiteral(other)
    ? `${name} is ${value}, not ${wanted}`
    : `${name} is ${value}, ${spanText(other.loc)} is ${wanted}`;
  const differences = value.length + wanted.length > longPair ? pairDifferences(explaining, term, values, others) : [];
  return { reason: 'differs', message, mark, ...(differences.length > 0 && { differences }) };
}

/** The characters of two values that are hard to compare by eye. */
const longPair = 60;

function pairDifferences(
  explaining: Explaining,
  term: Term,
  left: TermValues,
  right: TermValues,
): readonly Difference[] {
  const [a] = left.found;
  const [b] = right.found;
  if (typeof a?.value === 'string' && typeof b?.value === 'string') {
    return textDifferences(explaining, a.value, b.value, term.type === 'ref' ? inputPath(term, a.sample) : undefined);
  }
  if (a === undefined || b === undefined || isEmptyCollection(a.value) || isEmptyCollection(b.value)) return [];
  if (![isArray, isSet, isObject].some((is) => is(a.value) && is(b.value))) return [];
  return valueDifferences(explaining, a.value, b.value, term.type === 'ref' ? inputPath(term, a.sample) : undefined);
}

function valueText(explaining: Explaining, term: Term, { found }: TermValues): string {
  const [first] = found;
  if (first === undefined) return 'undefined';
  return explaining.short(first.value, term.type === 'ref' ? inputPath(term, first.sample) : undefined);
}

function isEmptyCollection(value: Value): boolean {
  return isArray(value)
    ? value.length === 0
    : isSet(value)
      ? value.size === 0
      : isObject(value) && objectSize(value) === 0;
}

/** A call of a built-in or a function: false, undefined, or of another value than is wanted. */
function* callFailure(explaining: Explaining, expr: CallExpr, sample: Sample): Steps<Failure> {
  const { operator, args, loc: mark } = expr;
  // The operator of a call is a name.
  const name = functionName(operator)!;
  const arity = operandCount(explaining, name, args.length);
  const result = varTerm(mark, '$why');
  const direct: CallExpr = { ...expr, with: [], negated: false, args: [...args.slice(0, arity), result] };
  explaining.takeBuiltinError();
  const { ends, error } = yield* probe(explaining, [direct], sample, () => true);
  const value = ends[0]?.values.get(result.name);
  if (error !== undefined) return { reason: 'error', message: explaining.told(error.detail), mark };
  const call = yield* substituted(explaining, mark, args.slice(0, arity), sample);
  if (value === undefined) {
    const cause = explaining.takeBuiltinError();
    return {
      reason: 'undefined',
      message: `${call} is undefined${cause === undefined ? '' : `: ${explaining.told(cause)}`}`,
      mark,
    };
  }
  if (value === false && args.length === arity) return { reason: 'false', message: `${call} is false`, mark };
  return { reason: 'differs', message: `${call} is ${explaining.short(value)}, which is not wanted here`, mark };
}

/**
 * The number of operands of a call; an argument behind them takes its value.
 * @param given where the function is not known
 */
export function operandCount({ program }: Pick<Explaining, 'program'>, name: string, given: number): number {
  return program.builtins.get(name)?.row.args.length ?? functionArity(program.root, name) ?? given;
}

function functionArity(root: Explaining['program']['root'], name: string): number | undefined {
  let node: Explaining['program']['root']['node'] | undefined = root.node;
  for (const key of name.split('.').slice(1)) node = node?.children.get(`"${key}`);
  return node?.rules[0]?.rule.head.args?.length;
}

const longestCall = 80;

/** The text of a call with the values of its operands in their places: `"write" in ["read"]`. */
function* substituted(explaining: Explaining, span: Span, operands: readonly Term[], sample: Sample): Steps<string> {
  const { text } = span.source;
  const parts = operands
    .filter(({ loc }) => loc.source === span.source && loc.start >= span.start && loc.end <= span.end)
    .toSorted((a, b) => a.loc.start - b.loc.start);
  let result = '';
  let at = span.start;
  for (const term of parts) {
    const { found } = yield* probedValues(explaining, term, sample);
    if (term.loc.start < at || found.length === 0) continue;
    result += text.slice(at, term.loc.start) + valueText(explaining, term, { found, count: 1 });
    at = term.loc.end;
  }
  result = `${result}${text.slice(at, span.end)}`.replace(/\s+/g, ' ');
  return result.length > longestCall ? spanText(span) : result;
}

/** The first element for which the body of `every` does not hold. */
function* everyFailure(explaining: Explaining, expr: EveryExpr, sample: Sample, depth: number): Steps<Failure> {
  const { domain, key, value, body, loc: mark } = expr;
  const collection = (yield* probedValues(explaining, domain, sample)).found[0]?.value;
  if (collection === undefined) return yield* undefinedTerm(explaining, domain, sample);
  if (!isArray(collection) && !isSet(collection) && !isObject(collection)) {
    return {
      reason: 'undefined',
      message: `${spanText(domain.loc)} is a ${typeName(collection)}, not a collection`,
      mark: domain.loc,
    };
  }
  const keys = elementKeys(collection);
  for (const [i, at] of keys.entries()) {
    const element = elementAt(collection, at);
    const values = new Map<string, Value>([...sample.values, [value.name, element]]);
    if (key !== undefined) values.set(key.name, at);
    const tried = yield* probe(explaining, body, { ...sample, values }, () => true);
    if (tried.solutions > 0) continue;
    const message = `not for ${spanText(value.loc)} = ${explaining.short(element)} (element ${i + 1} of ${keys.length})`;
    return {
      reason: 'counterexample',
      message,
      mark,
      inner: [yield* explaining.failure(tried, authorSpans(body), depth)],
    };
  }
  throw new Error('every element holds, yet the expression failed');
}

/** The expressions at which the bodies of an expression's empty comprehensions fail. */
export function* emptyComprehensions(
  explaining: Explaining,
  exprs: readonly Expr[],
  sample: Sample,
  depth: number,
): Steps<readonly ExpressionWhy[]> {
  const found: ExpressionWhy[] = [];
  for (const expr of exprs) {
    if (expr.kind !== 'call') continue;
    for (const arg of expr.args) {
      if (arg.type !== 'arraycomprehension' && arg.type !== 'setcomprehension' && arg.type !== 'objectcomprehension')
        continue;
      const tried = yield* probe(explaining, arg.body, sample, () => true);
      if (tried.solutions === 0) found.push(yield* explaining.failure(tried, authorSpans(arg.body), depth));
    }
  }
  return found;
}
