/** The expression at which a body fails, with the values that it tried. */

import type { Body, Expr, Span } from '../../../compiler/index.js';
import type { EvaluationError } from '../../../runtime/index.js';
import type { Steps } from '../../../values/index.js';
import type { Attempts, BodyState, Explaining, GivenPaths, Sample, WhyProbe } from './explaining.js';
import type { Candidate, DocumentWhy, ExpressionWhy, HeldExpression } from './explanation.js';
import { within } from './probe.js';
import { documentsRead, readsOfBody, replacementsOf } from './reads.js';
import { excerptAt, expressionAround, expressionsByAuthor, spanText } from './source-text.js';
import { emptyComprehensions, type Failure, failureOf } from './why-expressions.js';

/** The most rules that are explained below one expression. */
const mostDocuments = 5;

/** See `Explaining.failure`. */
export function* failureAt(
  explaining: Explaining,
  tried: WhyProbe,
  written: readonly Span[],
  depth: number,
): Steps<ExpressionWhy> {
  const at = tried.error === undefined ? failing(tried) : tried.last;
  // A body has an expression, and the first of them is always evaluated.
  const { expr, count, samples } = tried.attempts[at]!;
  const around = expressionAround(written, expr.loc);
  const parts = tried.body.slice(0, at + 1).filter(({ loc }) => expressionAround(written, loc) === around);
  const replacements = samples.map((sample) => replacementsOf(explaining, expr, sample));
  const [firstReplacements = []] = replacements;
  const shown = { text: spanText(around), ...(firstReplacements.length > 0 && { with: firstReplacements }) };
  // The modifiers of an expression hold for its operands too.
  const states: Sample[] = [];
  for (const sample of samples) {
    const state = yield* within(explaining, expr.with, sample);
    if (state !== undefined) states.push(state);
  }
  const [first] = states;
  if (first === undefined) {
    const { reason, message, mark } =
      tried.error === undefined ? withoutValue(expr) : errorOf(explaining, tried.error, expr);
    return { excerpt: excerptAt(mark), reason, message, reads: [], ...shown };
  }
  const failure: Failure =
    tried.error === undefined
      ? yield* failureOf(explaining, expr, first, depth)
      : errorOf(explaining, tried.error, expr);
  const iterated = count > 1 ? iteration(tried.attempts.slice(0, at), count) : undefined;
  const candidates: Candidate[] = [];
  if (count > 1) {
    const vary =
      states.length === samples.length &&
      replacements.some((each) => each.some(({ value }, i) => value.text !== firstReplacements[i]?.value.text));
    for (const [i, state] of states.entries()) {
      const candidate = yield* candidateOf(explaining, parts, expr, stateOf(tried.body, state));
      candidates.push({ ...candidate, ...(vary && { with: replacements[i] ?? [] }) });
    }
  }
  const inner = [...(failure.inner ?? []), ...(yield* emptyComprehensions(explaining, parts, first, depth))];
  const documents = yield* nestedDocuments(explaining, parts, stateOf(tried.body, first), depth);
  return {
    excerpt: excerptAt(failure.mark),
    reason: failure.reason,
    message: count > 1 ? manyMessage(count, iterated) : failure.message,
    reads: yield* readsOfBody(explaining, parts, stateOf(tried.body, first)),
    ...shown,
    ...(count > 1 && { tried: count, candidates }),
    ...(failure.differences !== undefined && count === 1 && { differences: failure.differences }),
    ...(inner.length > 0 && { inner }),
    ...(failure.held !== undefined && { held: failure.held }),
    ...(documents.length > 0 && { documents }),
  };
}

function stateOf(body: Body, sample: Sample): BodyState {
  return { body, sample, given: sample.given ?? nothingGiven };
}

const nothingGiven: GivenPaths = new Map();

/** The last expression that was evaluated: those before it hold at least once. */
function failing({ attempts }: WhyProbe): number {
  const reached = attempts.findLastIndex(({ count }) => count > 0);
  return Math.max(0, reached);
}

function errorOf(explaining: Explaining, { detail }: EvaluationError, { loc }: Expr): Failure {
  return { reason: 'error', message: `ends with an error: ${explaining.told(detail)}`, mark: loc };
}

function withoutValue({ loc }: Expr): Failure {
  return { reason: 'undefined', message: 'a value of with is undefined', mark: loc };
}

/**
 * The one iteration whose elements an expression was tried for, if there is one.
 * @param before the expressions before it
 * @param count how often it was tried
 */
function iteration(before: readonly Attempts[], count: number): string | undefined {
  const last = before.findLast((attempt) => attempt.count !== count);
  if (last?.count !== 1 || last.expr.kind !== 'call') return undefined;
  const [, collection] = last.expr.args;
  return collection?.type === 'ref' && /^some\b/.test(last.expr.loc.text) ? spanText(collection.loc) : undefined;
}

function manyMessage(count: number, collection: string | undefined): string {
  return collection === undefined
    ? `fails for each of ${count} candidates`
    : `no element of ${collection} matches (${count} tried)`;
}

function* candidateOf(explaining: Explaining, parts: readonly Expr[], expr: Expr, state: BodyState): Steps<Candidate> {
  const { message } = yield* failureOf(explaining, expr, state.sample, 0);
  return { message, reads: yield* readsOfBody(explaining, parts, state) };
}

function* nestedDocuments(
  explaining: Explaining,
  parts: readonly Expr[],
  state: BodyState,
  depth: number,
): Steps<readonly DocumentWhy[]> {
  const found: DocumentWhy[] = [];
  if (depth <= 0) return found;
  for (const asked of (yield* documentsRead(explaining, parts, state.sample)).slice(0, mostDocuments)) {
    const args = asked.args?.slice(0, asked.keys.length) ?? [];
    const paths = yield* explaining.argumentPaths(args, state);
    const why = yield* explaining.document({ ...asked, paths }, state.sample.environment, depth - 1);
    if (why !== undefined) found.push(why);
  }
  return found;
}

/** The expressions of a body that holds, with the values that they read in one of its solutions. */
export function* heldExpressions(
  explaining: Explaining,
  { body, ends }: Pick<WhyProbe, 'body' | 'ends'>,
  written: readonly Span[],
  depth: number,
): Steps<readonly HeldExpression[]> {
  const held: HeldExpression[] = [];
  const [sample] = ends;
  if (sample === undefined) return held;
  for (const [span, exprs] of expressionsByAuthor(body, written)) {
    const found = yield* within(explaining, exprs.at(-1)?.with ?? [], sample);
    const state = found && stateOf(body, found);
    const documents = state === undefined ? [] : yield* nestedDocuments(explaining, exprs, state, depth);
    const reads = state === undefined ? [] : yield* readsOfBody(explaining, exprs, state);
    held.push({ excerpt: excerptAt(span), reads, ...(documents.length > 0 && { documents }) });
  }
  return held;
}
