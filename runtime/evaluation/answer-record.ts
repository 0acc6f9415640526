import { keyText, type Value } from '../../values/index.js';
import type { Suspension } from './evaluation-errors.js';

/** The key of a result of a non-deterministic built-in. */
export function answerKey(builtin: string, operands: readonly Value[]): string {
  return `${builtin}${keyText(operands)}`;
}

/**
 * The answers that built-ins waited for, and the results of non-deterministic built-ins: an
 * evaluation that runs again gets the same ones.
 */
export class AnswerRecord {
  // Most evaluations keep nothing, so the maps are made when first needed.
  #answers: Map<string, { readonly value: unknown } | { readonly error: unknown }> | undefined;
  #nondeterministic: Map<string, Value | undefined> | undefined;

  /** @param known results of non-deterministic built-ins from an earlier attempt */
  constructor(known?: ReadonlyMap<string, Value | undefined>) {
    if (known !== undefined) this.#nondeterministic = new Map(known);
  }

  get nondeterministic(): Map<string, Value | undefined> {
    return (this.#nondeterministic ??= new Map());
  }

  get(key: string): { readonly value: unknown } | { readonly error: unknown } | undefined {
    return this.#answers?.get(key);
  }

  async answer(suspension: Suspension, signal: AbortSignal): Promise<void> {
    this.#answers ??= new Map();
    try {
      this.#answers.set(suspension.key, { value: await suspension.start(signal) });
    } catch (error) {
      if (signal.aborted) throw error;
      this.#answers.set(suspension.key, { error });
    }
  }
}
