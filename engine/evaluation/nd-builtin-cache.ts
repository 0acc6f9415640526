import { answerKey } from '../../runtime/index.js';
import { type PlainObject, toJson, type Value } from '../../values/index.js';
import type { KnownAnswers } from './awaited-answers.js';

/**
 * Recorded results of non-deterministic built-ins. A decision log has them, so that the decision
 * can be repeated.
 */
export class NdBuiltinCache {
  readonly #answers = new Map<string, Map<string, Value>>();
  readonly #known = new Map<string, Value>();

  /** See `EvaluationOptions.onNondeterministic`. */
  readonly note = (builtin: string, operands: readonly Value[], value: Value): void => {
    let answers = this.#answers.get(builtin);
    if (answers === undefined) this.#answers.set(builtin, (answers = new Map()));
    answers.set(toJson(operands), value);
    this.#known.set(answerKey(builtin, operands), value);
  };

  /** For another evaluation of the same decision. */
  get known(): KnownAnswers {
    return this.#known;
  }

  /** Results by built-in, then by operands as JSON; undefined without any. */
  toJson(): PlainObject | undefined {
    if (this.#answers.size === 0) return undefined;
    return Object.fromEntries([...this.#answers].map(([builtin, answers]) => [builtin, Object.fromEntries(answers)]));
  }
}
