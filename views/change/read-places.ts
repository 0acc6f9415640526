/** The places of an input that a decision reads. */

import type { Compiled } from '../../compiler/index.js';
import type { CompiledPolicies, DecideOptions, DecidingEngine, Engine, Prepared, Version } from '../../engine/index.js';
import { Evaluator, ReadTree, recordedInput } from '../../engine/index.js';
import type { Documents, EngineContext } from '../../runtime/index.js';
import { EvaluationError } from '../../runtime/index.js';
import type { Value } from '../../values/index.js';
import { jsonCopy } from '../../values/index.js';

/** An engine whose decisions note what they read: on the machine, as generated code gets slower. */
export class ReadingEngine implements DecidingEngine {
  readonly #engine: Engine;
  readonly store: Documents;
  readonly context: EngineContext;
  readonly evaluator: Evaluator;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.store = engine.store;
    this.context = { ...engine.context, codegen: 'never' };
    this.evaluator = new Evaluator(engine.store, this.context, undefined);
  }

  get version(): Version {
    return this.#engine.version;
  }

  get hidesSystem(): boolean {
    return this.#engine.hidesSystem;
  }

  policiesOf(version: Version): CompiledPolicies | Promise<CompiledPolicies> {
    return this.#engine.policiesOf(version);
  }

  compiled(): Promise<Compiled> {
    return this.#engine.compiled();
  }
}

/** The places that a decision reads; an error that it ends with is one of its answers. */
export function readsOf(prepared: Prepared, input: Value, options: DecideOptions): ReadTree {
  const reads = new ReadTree();
  try {
    const value = prepared.atOnce(recordedInput(input, reads), options);
    // Parts of the input in the result are read by its readers.
    if (value !== undefined) jsonCopy(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
  }
  return reads;
}

/** The first of some places that a decision has read; undefined where it has read none. */
export function readAmong({ root }: ReadTree, places: readonly (readonly string[])[]): readonly string[] | undefined {
  return places.find((path) => root.isTouchedBy({ op: 'write', path, value: null }));
}
