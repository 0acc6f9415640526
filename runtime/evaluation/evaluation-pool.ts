import { AnswerRecord } from './answer-record.js';
import type { EngineContext } from './engine-context.js';
import { Evaluation } from './evaluation.js';
import type { EvaluationOptions } from './evaluation-options.js';

/**
 * The state of the last evaluation, used again: to make one takes longer than a short decision.
 * Evaluations that run inside others, by a host's built-in that decides, get a new one.
 */
export class EvaluationPool {
  readonly context: EngineContext;
  #spare: Evaluation | undefined;

  constructor(context: EngineContext) {
    this.context = context;
  }

  take(options: EvaluationOptions): Evaluation {
    const known = this.#spare;
    if (known === undefined) return new Evaluation(this.context, options, new AnswerRecord());
    this.#spare = undefined;
    known.begin(options);
    return known;
  }

  /** Takes back the state of an evaluation that ended with a result. */
  give(evaluation: Evaluation): void {
    evaluation.end();
    this.#spare = evaluation;
  }
}
