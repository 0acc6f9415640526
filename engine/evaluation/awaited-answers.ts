/** Evaluations that wait for the answer of a built-in. */
import type { AnswerRecord, Evaluation, EvaluationOptions } from '../../runtime/index.js';
import { EvaluationError, Suspension } from '../../runtime/index.js';
import { timerMs, type Value } from '../../values/index.js';

/**
 * Recorded results of non-deterministic built-ins. An evaluation that is repeated elsewhere takes
 * them along.
 */
export type KnownAnswers = ReadonlyMap<string, Value | undefined>;

/** The documents that the evaluation began with must stay as they are until it ends. */
export class Waiting<Results = readonly Value[]> {
  readonly #run: () => Results;
  readonly #evaluation: Evaluation;
  readonly #record: AnswerRecord;
  readonly #options: EvaluationOptions;
  #suspension: Suspension;

  /**
   * @param again repeats the evaluation. It may have a smaller time limit than the whole: then
   * `finish` may reject while there are `msLeft`
   */
  constructor(
    again: () => Results,
    evaluation: Evaluation,
    record: AnswerRecord,
    options: EvaluationOptions,
    suspension: Suspension,
  ) {
    this.#run = again;
    this.#evaluation = evaluation;
    this.#record = record;
    this.#options = options;
    this.#suspension = suspension;
  }

  /** Milliseconds that the whole may still take. */
  get msLeft(): number {
    return this.#evaluation.meter.msLeft;
  }

  get known(): KnownAnswers {
    return this.#record.nondeterministic;
  }

  /**
   * The result set. The evaluation is repeated after each answer, and finds the answers recorded.
   * @param cancel ends the waiting when it is aborted
   */
  async finish(cancel: AbortSignal | undefined = this.#options.signal): Promise<Results> {
    const { timeMs } = this.#options;
    // The time that it has taken until now counts.
    const deadline = timeMs ? AbortSignal.timeout(timerMs(this.#evaluation.meter.msLeft)) : undefined;
    const signal = AbortSignal.any([deadline, cancel].filter((one) => one !== undefined));
    for (;;) {
      try {
        await endedBy(signal, this.#record.answer(this.#suspension, signal));
      } catch {
        const why = deadline?.aborted ? 'query execution timed out' : 'caller cancelled query execution';
        throw new EvaluationError('eval_cancel_error', why);
      }
      this.#evaluation.options.onRestart?.();
      try {
        return this.#run();
      } catch (error) {
        if (!(error instanceof Suspension)) throw error;
        this.#suspension = error;
      }
    }
  }
}

/** Waits until the signal at most: a built-in may not listen to it. */
async function endedBy(signal: AbortSignal, answer: Promise<void>): Promise<void> {
  let end = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
    signal.addEventListener('abort', end);
  });
  try {
    signal.throwIfAborted();
    await Promise.race([answer, ended]);
  } finally {
    signal.removeEventListener('abort', end);
    // It may still fail, when nobody waits for it.
    answer.catch(() => undefined);
  }
}
