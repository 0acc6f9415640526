/** A question of a request: decided in its span, logged with its caller, answered or refused. */

import type {
  AnswerNotes,
  Asker,
  AskerFields,
  Decided,
  DecideOptions,
  Explanation,
  LoggedAnswer,
  LoggedQuestion,
  PartialQuery,
  PartialResult,
  QueryOptions,
  RuleLabels,
} from '../../engine/index.js';
import { Asking, ask, evaluationErrorJson } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { AppContext } from '../control/app-context.js';
import { showsLabels } from './decisions.js';
import type { WhyRequest } from './explanations.js';
import type { PreparedDocument } from './prepared-decisions.js';
import { bodyBytes } from './requests/body.js';
import type { Exchange } from './requests/exchange.js';
import { type ApiError, apiErrorOf } from './responses/api-error.js';

/** How a document is asked for. */
interface DocumentWays {
  /** In the place of the options that the decision was prepared with. */
  readonly options: DecideOptions | undefined;
  /** How the answer explains it; left out where only the event may. */
  readonly why?: WhyRequest | undefined;
  /** The explanation as the error of a decision shows it. */
  readonly shownInErrors?: ((explanation: Explanation) => Value) | undefined;
}

export class RequestAsking extends Asking {
  readonly #exchange: Exchange;
  readonly #context: AppContext;

  constructor(exchange: Exchange, context: AppContext, question: LoggedQuestion) {
    super(context, context.plugins.decisionLog, new Requester(exchange), question);
    this.#exchange = exchange;
    this.#context = context;
  }

  /** A question about a document. */
  static about(
    exchange: Exchange,
    context: AppContext,
    { text: path, path: segments }: PreparedDocument,
    question: Omit<LoggedQuestion, 'path' | 'segments'>,
  ): RequestAsking {
    return new RequestAsking(exchange, context, { path, segments, ...question });
  }

  /**
   * Decides. The error of a decision is logged and becomes an ApiError.
   * @param use gets the decision before its documents can change
   * @param refuse logs an error and throws, or answers in its place
   */
  async document<T>(
    document: PreparedDocument,
    { options, why, shownInErrors }: DocumentWays,
    use: (decided: Decided, explanation?: Explanation) => T,
    refuse = (thrown: unknown, notes: AnswerNotes): Awaited<T> => this.fail(thrown, notes, shownInErrors),
  ): Promise<Awaited<T>> {
    const exchange = this.#exchange;
    const { leftMs } = exchange.deadline;
    const explaining = why === undefined ? this.explainingEvent(leftMs) : this.explaining(true, why.depth, leftMs);
    let explanation: Explanation | undefined;
    const failed = (error: EvaluationError, found: Explanation): Error => {
      explanation = found;
      return error;
    };
    const ways = { caller: exchange, options, why: explaining, failed };
    const asked = { engine: this.#context.engine, prepared: document.decision };
    return await this.within(
      document.text,
      () => ask(asked, this.question, use, ways),
      (thrown) => refuse(thrown, { explanation }),
    );
  }

  /**
   * Decides with a span of its own, where the request is traced.
   * @param path of the document; undefined for a query
   * @param fail logs an error and throws, or answers in its place
   */
  async within<T>(
    path: string | undefined,
    decide: () => Promise<T>,
    fail: (thrown: unknown) => Awaited<T> = (thrown) => this.fail(thrown),
  ): Promise<Awaited<T>> {
    const { span } = this.#exchange;
    try {
      if (span === undefined) return await decide();
      return await span.part('decision', path === undefined ? {} : { 'decision.path': path }, decide);
    } catch (error) {
      return fail(error);
    }
  }

  /**
   * The residual of a query about the question's input.
   * @param use gets it before documents can change
   */
  async residual<T>(asked: PartialQuery, options: QueryOptions, use: (result: PartialResult) => T): Promise<T> {
    const exchange = this.#exchange;
    const saw = (result: PartialResult, { revision }: Pick<Decided, 'revision'>) => {
      exchange.saw(revision);
      return use(result);
    };
    return await this.#context.engine.partial(asked, this.question.input, options, saw, exchange);
  }

  /** The labels for the answer; undefined where it shows none. */
  get labelsOfAnswer(): RuleLabels | undefined {
    return showsLabels(this.#exchange) ? this.labels() : undefined;
  }

  override answered(answered: LoggedAnswer, notes?: AnswerNotes): string | undefined {
    this.#exchange.saw(answered.revision);
    const id = super.answered(answered, notes);
    if (id !== undefined) this.#awaitEvent();
    return id;
  }

  /** Logs the error of a decision. */
  refused(thrown: unknown, notes?: AnswerNotes, error = apiErrorOf(thrown)): string | undefined {
    const id = this.failed(() => loggedError(error, thrown), notes);
    this.#awaitEvent();
    return id;
  }

  /** Logs the error of a decision, and throws it as an ApiError. */
  fail(thrown: unknown, notes?: AnswerNotes, shownInErrors?: DocumentWays['shownInErrors']): never {
    const error = apiErrorOf(thrown);
    this.refused(thrown, notes, error);
    if (notes?.explanation !== undefined) error.explanation = shownInErrors?.(notes.explanation);
    throw error;
  }

  /** An answer waits until its event, which a decision may mask, is in a log that is shown. */
  #awaitEvent(): void {
    const { shown } = this;
    if (shown === undefined) return;
    const { logged } = this.#exchange;
    this.#exchange.logged = logged === undefined ? shown : logged.then(() => shown);
  }
}

/** A request as the asker of a question. */
class Requester implements Asker {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get span(): Asker['span'] {
    return this.#exchange.span;
  }

  fields(): AskerFields {
    const { clientAddress, id, span } = this.#exchange;
    const headers = new Map([...this.#exchange.headers()].map(([name, values]) => [name.toLowerCase(), values]));
    return { requestedBy: clientAddress, requestId: id, headers, traceId: span?.traceId, spanId: span?.spanId };
  }

  bytes(): number {
    return bodyBytes(this.#exchange);
  }

  get keepsInput(): boolean {
    return true;
  }
}

/** The error of the evaluation or the compiler, without the answer's envelope. */
function loggedError(error: ApiError, thrown: unknown): Value {
  if (thrown instanceof EvaluationError) return evaluationErrorJson(thrown);
  return error.errors.length > 0 ? error.errors : error.toJson();
}
