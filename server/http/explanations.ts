/** Explanations beside decisions: traces (`explain=full`, `debug`, `notes`, `fails`) and `why`. */
import type {
  Decided,
  DecideOptions,
  Explanation,
  KnownAnswers,
  Metrics,
  Trace,
  TracedQuestion,
  TraceOptions,
} from '../../engine/index.js';
import { explanationText, NotedAnswers } from '../../engine/index.js';
import { inSlices, type PlainObject, type Steps, type Value } from '../../values/index.js';
import type { AppContext } from '../control/app-context.js';
import type { Exchange } from './requests/exchange.js';
import { invalidParameter } from './responses/api-error.js';

/** Any other value of `explain` counts as `off`. */
const modes: readonly string[] = ['notes', 'fails', 'full', 'debug'] satisfies TraceOptions['mode'][];

/** An explanation as it is answered: a value, such as lines for people, or the JSON of events. */
export interface Shown {
  readonly value?: Value | undefined;
  readonly json?: readonly Uint8Array[];
}

/** Explains a decision beside its answer, as far as the request asks for it. */
export interface Explainer {
  /** Options with which the decision's non-deterministic results are known to the trace. */
  noting<T extends DecideOptions | undefined>(options: T): T;
  /**
   * Traces the decision, then calls `use`. The documents do not change until that has ended. Called
   * where the decision is used, before the first wait.
   */
  explained<T>(
    asked: TracedQuestion,
    input: Value | undefined,
    hold: Decided['hold'],
    use: (explanation?: Shown) => T | Promise<T>,
    decided?: TraceOptions['decided'],
  ): T | Promise<T>;
}

/** For requests that ask for no trace, which are most. */
const unexplained: Explainer = {
  noting: (options) => options,
  explained: (_asked, _input, _hold, use) => use(),
};

export function explainerOf(exchange: Exchange, context: AppContext, metrics: Metrics | undefined): Explainer {
  if (exchange.search === '') return unexplained;
  const mode = exchange.params.all('explain').find((value) => modes.includes(value));
  return mode === undefined ? unexplained : new Tracer(mode as TraceOptions['mode'], exchange, context, metrics);
}

/** Whether the request asks for a trace. */
export function isTraced(explainer: Explainer): boolean {
  return explainer !== unexplained;
}

class Tracer implements Explainer {
  readonly #mode: TraceOptions['mode'];
  readonly #exchange: Exchange;
  readonly #context: AppContext;
  readonly #metrics: Metrics | undefined;
  #known: KnownAnswers = new Map();

  constructor(mode: TraceOptions['mode'], exchange: Exchange, context: AppContext, metrics: Metrics | undefined) {
    this.#metrics = metrics;
    this.#mode = mode;
    this.#exchange = exchange;
    this.#context = context;
  }

  noting<T extends DecideOptions | undefined>(options: T): T {
    const noted = new NotedAnswers(options ?? {});
    this.#known = noted.known;
    return noted.options as T;
  }

  async explained<T>(
    asked: TracedQuestion,
    input: Value | undefined,
    hold: Decided['hold'],
    use: (explanation?: Shown) => T | Promise<T>,
    decided?: TraceOptions['decided'],
  ): Promise<T> {
    if (decided?.as === 'document' && decided.value === undefined && this.#mode !== 'full') return await use();
    const held = hold();
    try {
      const { engine, logger } = this.#context;
      // A partial evaluation has timed its own.
      const isTimed = this.#exchange.params.on('instrument') && !('partial' in asked);
      const plugged = isTimed ? (time: number) => this.#metrics?.observe('plug', time) : undefined;
      const { leftMs } = this.#exchange.deadline;
      const options = {
        mode: this.#mode,
        known: this.#known,
        prints: logger.writes('info'),
        timeMs: leftMs,
        plugged,
        decided,
      };
      return await use(await this.#shown(await engine.trace(asked, input, options)));
    } finally {
      held.release();
    }
  }

  async #shown(trace: Trace): Promise<Shown> {
    const { params, deadline, take } = this.#exchange;
    const inTime = <T>(steps: Steps<T>): Promise<T> =>
      inSlices(deadline.during(steps, 'writing the explanation timed out'));
    return params.on('pretty')
      ? { value: await inTime(trace.toText()) }
      : { json: await inTime(trace.writeJson({ take })) };
  }
}

/** The longest chain of rules that a request may ask for. */
const mostDepth = 100;

/** How the answer of a request explains its decision. */
export interface WhyRequest {
  readonly depth: number;
}

/** Undefined where the answer shows no explanation. Throws an ApiError for a malformed depth. */
export function whyRequest({ params, search }: Exchange): WhyRequest | undefined {
  const isShown = search !== '' && params.all('explain').includes('why');
  return isShown ? { depth: depthOf(params.get('depth')) } : undefined;
}

function depthOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const depth = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(depth <= mostDepth)) throw invalidParameter(`depth must be a whole number of at most ${mostDepth}`);
  return depth;
}

/** The explanation; with `pretty`, the lines of its text. */
export function shownExplanation({ params }: Exchange, explanation: Explanation): Value {
  return params.on('pretty')
    ? explanationText(explanation).trimEnd().split('\n')
    : (explanation as unknown as PlainObject);
}
