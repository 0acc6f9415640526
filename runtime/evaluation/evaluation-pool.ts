import { AnswerRecord } from './answer-record.js';
import type { EngineContext } from './context.js';
import { Evaluation } from './evaluation.js';
import type { EvaluationOptions } from './options.js';

/** Evaluations may run inside others, by a host's built-in that decides: a few are kept. */
const maxKept = 4;

/** States of evaluations, used again: to make one takes longer than a short decision. */
export class EvaluationPool {
  readonly #context: EngineContext;
  readonly #free: Evaluation[] = [];

  constructor(context: EngineContext) {
    this.#context = context;
  }

  take(options: EvaluationOptions): Evaluation {
    const known = this.#free.pop();
    if (known === undefined) return new Evaluation(this.#context, options, new AnswerRecord());
    known.begin(this.#context, options);
    return known;
  }

  /** Takes back the state of an evaluation that ended with a result. */
  give(evaluation: Evaluation): void {
    if (this.#free.length >= maxKept) return;
    evaluation.end();
    this.#free.push(evaluation);
  }
}
