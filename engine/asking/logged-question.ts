/** The members of an event of the decision log that a question has, whoever asked it. */

import { EvaluationError } from '../../runtime/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { Engine } from '../engine.js';
import type { Metrics } from '../evaluation/metrics.js';
import type { NdBuiltinCache } from '../evaluation/nd-builtin-cache.js';
import type { PartialQuery } from '../evaluation/partial-query.js';
import type { DecisionFacts, LabelSearch } from './decision-record.js';

export interface LoggedQuestion {
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  /** The query that is evaluated, where it is another one. */
  readonly evaluated?: string | undefined;
  /** The segments of the path. */
  readonly segments?: readonly string[] | undefined;
  readonly input: Value | undefined;
  readonly metrics: Metrics | undefined;
  /** See `DecisionFacts`. */
  readonly why?: Value | undefined;
  readonly batchDecisionId?: string | undefined;
  /** See `DecisionFacts`. */
  readonly custom?: PlainObject | undefined;
  /** The partial evaluation that answers the question. */
  readonly partial?: PartialQuery | undefined;
  /** Recorded results of its non-deterministic built-ins. */
  readonly answers?: NdBuiltinCache | undefined;
}

/** The fields of an event that the question tells. */
export function questionFields({
  metrics,
  answers,
  segments,
  evaluated,
  partial,
  ...rest
}: LoggedQuestion): Omit<DecisionFacts, 'decisionId'> {
  return { ...rest, nondeterministic: answers?.toJson(), metrics: metrics?.toJson() };
}

/** The engine whose labels are sought, and the place for failures. */
export interface LabelHost {
  readonly engine: Engine;
  readonly logger: { error(message: string): void };
}

/** Milliseconds for finding the labels of a decision's rules. */
const labelsMs = 1000;

/**
 * The search for the labels of the question's rules: see `Engine.mayHaveRuleLabels`. Undefined for
 * a question without a path and a query.
 * @param bytes of the request, whose input is kept meanwhile
 */
export function labelSearch(
  { segments, query, evaluated = query, input, partial, answers }: LoggedQuestion,
  { engine, logger }: LabelHost,
  bytes: number,
): LabelSearch | undefined {
  const asked =
    partial !== undefined
      ? { partial }
      : segments !== undefined
        ? { path: segments }
        : evaluated !== undefined
          ? { query: evaluated }
          : undefined;
  if (asked === undefined) return undefined;
  const known = answers?.known ?? new Map();
  return {
    bytes,
    find: (use) =>
      engine.ruleLabels(asked, input, { known, timeMs: labelsMs }, use).catch((error: Error) => {
        logger.error(`Log event labelling failed: ${error.message}.`);
        return use(undefined);
      }),
  };
}

/** An error of an evaluation as answers and events show it. */
export function evaluationErrorJson({ code, detail, location }: EvaluationError): PlainObject {
  const place = location && { file: location.file, row: location.row, col: location.col };
  return { code, message: detail, ...(place && { location: place }) };
}

/** Any error of a decision that no answer of the API shows. */
export function errorJson(thrown: unknown): PlainObject {
  if (thrown instanceof EvaluationError) return evaluationErrorJson(thrown);
  return { code: 'internal_error', message: thrown instanceof Error ? thrown.message : String(thrown) };
}
