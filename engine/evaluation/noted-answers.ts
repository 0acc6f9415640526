/** Results of a decision's non-deterministic built-ins, for its explanation. */

import { answerKey, type EvaluationOptions } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import type { KnownAnswers } from './awaited-answers.js';

export class NotedAnswers<Options extends EvaluationOptions = EvaluationOptions> {
  /** The options of the decision, which note its results. */
  readonly options: Options;
  readonly #known = new Map<string, Value>();

  constructor(options: Options) {
    const onNondeterministic: EvaluationOptions['onNondeterministic'] = (builtin, operands, value) => {
      options.onNondeterministic?.(builtin, operands, value);
      this.#known.set(answerKey(builtin, operands), value);
    };
    this.options = { ...options, onNondeterministic };
  }

  get known(): KnownAnswers {
    return this.#known;
  }
}
