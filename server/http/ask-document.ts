/** Asks for the document of a request, in its span. An error is logged and becomes an ApiError. */
import { ask } from '../../engine/asking/ask.js';
import type { Asking } from '../../engine/asking/asking.js';
import type { Decided, DecideOptions } from '../../engine/evaluation/decide-options.js';
import type { Explanation } from '../../engine/query/why/explanation.js';
import type { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import type { Value } from '../../values/value.js';
import type { AppContext } from '../control/app-context.js';
import { failDecision, logFailure, tracedDecision } from './decisions.js';
import type { PreparedDocument } from './prepared-decisions.js';
import type { Exchange } from './requests/exchange.js';
import { type ApiError, apiErrorOf } from './responses/api-error.js';
import type { WhyRequest } from './why.js';

interface AskedDocument {
  readonly document: PreparedDocument;
  readonly asking: Asking;
  /** In the place of the options that the decision was prepared with. */
  readonly options: DecideOptions | undefined;
  readonly why: WhyRequest | undefined;
  /** The explanation as the error of a decision shows it. */
  readonly shownInErrors?: ((explanation: Explanation) => Value) | undefined;
}

/** @param use gets the decision before its documents can change */
export async function askDocument<T>(
  exchange: Exchange,
  { engine }: AppContext,
  { document, asking, options, why, shownInErrors }: AskedDocument,
  use: (decided: Decided, explanation?: Explanation) => T,
): Promise<Awaited<T>> {
  let logged: ApiError | undefined;
  const failed = (thrown: EvaluationError, explanation: Explanation): ApiError => {
    logged = apiErrorOf(thrown);
    logFailure(exchange, asking, thrown, logged, { explanation });
    logged.explanation = shownInErrors?.(explanation);
    return logged;
  };
  const explaining = why && asking.explaining(why.isShown, why.depth, exchange.deadline.leftMs);
  const ways = { caller: exchange, options, why: explaining, failed };
  try {
    return await tracedDecision(exchange, document.text, () =>
      ask({ engine, prepared: document.decision }, asking.question, use, ways),
    );
  } catch (error) {
    if (error === logged) throw error;
    return failDecision(exchange, asking, error);
  }
}
