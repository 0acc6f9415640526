/** The places of an input that a decision reads. */

import type { Compiled } from '../../compiler/resolve/compiled.js';
import type { Engine } from '../../engine/engine.js';
import type { DecideOptions } from '../../engine/evaluation/decide-options.js';
import { Evaluator } from '../../engine/evaluation/evaluator.js';
import type { DecidingEngine, Prepared } from '../../engine/prepared.js';
import type { CompiledPolicies, Version } from '../../engine/version.js';
import { ReadTree } from '../../engine/watches/read-tree.js';
import { recordedInput } from '../../engine/watches/recorded-documents.js';
import type { EngineContext } from '../../runtime/evaluation/engine-context.js';
import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import type { Documents } from '../../runtime/store/store.js';
import { jsonCopy } from '../../values/json/deep-json.js';
import type { Value } from '../../values/value.js';

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
