/** Explains a query: its expressions, and the rules that they read. */

import { type CompiledQuery, locationOf, type Span } from '../../../compiler/index.js';
import { countedNoun, type Steps } from '../../../values/index.js';
import type { QueryEnvironment } from '../environment.js';
import type { QuestionWhy } from './explain-path.js';
import type { Explaining, GivenAnswer } from './explaining.js';
import type { DocumentWhy, RuleWhy } from './explanation.js';
import { heldExpressions } from './failures.js';
import { probe } from './probe.js';
import { oneLine } from './source-text.js';

interface ExplainedQuery {
  readonly query: CompiledQuery;
  readonly text: string;
  readonly written: readonly Span[];
}

/** The rules that a query reads count as asked for: those below them are one level deeper. */
export function* explainedQuery(
  explaining: Explaining,
  { query, text, written }: ExplainedQuery,
  environment: QueryEnvironment,
  { error }: GivenAnswer,
): Steps<QuestionWhy> {
  const depth = explaining.limits.depth + 1;
  const name = oneLine(text);
  const tried = yield* probe(explaining, query.body, { values: new Map(), environment });
  const holds = tried.solutions > 0 && tried.error === undefined;
  const parts = holds
    ? { held: yield* heldExpressions(explaining, tried, written, depth) }
    : { failed: yield* explaining.failure(tried, written, depth) };
  const outcome: RuleWhy['outcome'] = tried.error !== undefined ? 'error' : holds ? 'holds' : 'fails';
  const rule: RuleWhy = { name, location: locationOf(query.body[0]!.loc), kind: 'query', outcome, ...parts };
  const ended = error ?? tried.error;
  const answer =
    ended !== undefined
      ? `the query ends with an error: ${explaining.told(ended.detail)}`
      : holds
        ? `the query has ${countedNoun(tried.solutions, 'solution')}`
        : 'the query has no solution: one of its expressions does not hold';
  const document: DocumentWhy = {
    name,
    kind: 'query',
    outcome: tried.error !== undefined ? 'error' : holds ? 'value' : 'undefined',
    summary: answer,
    rules: [rule],
  };
  return { name, summary: answer, documents: [document], omitted: 0 };
}
