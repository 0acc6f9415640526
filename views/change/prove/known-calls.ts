/** Built-ins called with known operands: by the engine, so that their results are its own. */

import { type BuiltinDeclaration, CompileErrors } from '../../../compiler/index.js';
import type { Engine, Prepared } from '../../../engine/index.js';
import { EvaluationError } from '../../../runtime/index.js';
import { isArray, isPlainObject, type Value } from '../../../values/index.js';
import { clockName } from '../version-decisions.js';

const callMs = 1000;

/** A result; without a value the call is undefined. */
interface CallResult {
  readonly value?: Value;
}

export class KnownCalls {
  readonly #engine: Engine;
  readonly #timeNs: bigint;
  readonly #prepared = new Map<string, Prepared | undefined>();
  /** Calls that were asked for before they were prepared. */
  readonly #missing = new Map<string, { readonly name: string; readonly arity: number }>();

  constructor(engine: Engine, timeNs: bigint) {
    this.#engine = engine;
    this.#timeNs = timeNs;
  }

  /**
   * Undefined where the result is not known, or not yet: see `prepare`.
   * @param isMoment whether the clock's result is known, too: that of the decisions that confirm
   */
  result(row: BuiltinDeclaration, operands: readonly Value[], isMoment = false): CallResult | undefined {
    if (row.relation === true || row.result === undefined) return undefined;
    const key = `${row.name}/${operands.length}`;
    const prepared = this.#prepared.get(key);
    if (prepared === undefined) {
      if (!this.#prepared.has(key)) this.#missing.set(key, { name: row.name, arity: operands.length });
      return undefined;
    }
    let isConstant = true;
    const onNondeterministic = (name: string) => {
      isConstant &&= isMoment && name === clockName;
    };
    try {
      const found = prepared.atOnce(operands, { timeNs: this.#timeNs, timeMs: callMs, onNondeterministic });
      if (!isConstant) return undefined;
      const [first] = found !== undefined && isArray(found) ? found : [];
      return first === undefined || !isPlainObject(first) ? {} : { value: first.result! };
    } catch (error) {
      if (error instanceof EvaluationError) return undefined;
      throw error;
    }
  }

  /** Prepares the calls that were missing: their results are known from now on. */
  async prepare(): Promise<boolean> {
    const missing = [...this.#missing];
    this.#missing.clear();
    for (const [key, { name, arity }] of missing) {
      const operands = Array.from({ length: arity }, (_, i) => `input[${i}]`).join(', ');
      let prepared: Prepared | undefined;
      try {
        prepared = await this.#engine.prepareQuery(`result = ${name}(${operands})`);
        await prepared.plan();
      } catch (error) {
        // A built-in that no query may call stays unknown.
        if (!(error instanceof CompileErrors)) throw error;
      }
      this.#prepared.set(key, prepared);
    }
    return missing.length > 0;
  }
}
