/** An engine under watch: its decisions note which parts of the documents they read. */
import type { Compiled } from '../../compiler/index.js';
import type { Documents, EngineContext, HeldVersion } from '../../runtime/index.js';
import { ArrayIndexes } from '../../runtime/index.js';
import type { PlainObject } from '../../values/index.js';
import { Evaluator } from '../evaluation/evaluator.js';
import type { LongEvaluations } from '../evaluation/long-evaluations.js';
import type { DecidingEngine } from '../prepared.js';
import type { CompiledPolicies, Version } from '../version.js';
import { ReadTree } from './read-tree.js';
import { recordedDocuments } from './recorded-documents.js';

/** The parts of an engine that one evaluation uses. */
type Recording = Pick<DecidingEngine, 'store' | 'context' | 'evaluator'>;

export class RecordedEngine implements DecidingEngine {
  readonly #engine: DecidingEngine;
  readonly #long: LongEvaluations | undefined;
  #reads = new ReadTree();
  #recording: Recording | undefined;

  constructor(engine: DecidingEngine, long: LongEvaluations | undefined) {
    this.#engine = engine;
    this.#long = long;
  }

  /**
   * Records the reads of an evaluation. After it only these are kept: the rest takes several
   * kilobytes.
   */
  async recorded<T>(evaluate: () => Promise<T>): Promise<T> {
    this.#reads = new ReadTree();
    this.#recording = this.#record(this.#reads);
    try {
      return await evaluate();
    } finally {
      this.#recording = undefined;
    }
  }

  #record(reads: ReadTree): Recording {
    const store = new RecordedStore(this.#engine.store, reads);
    // An index of an earlier evaluation would answer without reading. Generated code gets slower
    // for other decisions once it has seen views.
    const own = { dataIndexes: new ArrayIndexes(), codegen: 'never' } as const;
    const context: EngineContext = { ...this.#engine.context, ...own };
    return { store, context, evaluator: new Evaluator(store, context, this.#long && unrecorded(this.#long, store)) };
  }

  policiesOf(version: Version): CompiledPolicies | Promise<CompiledPolicies> {
    return this.#engine.policiesOf(version);
  }

  compiled(): Promise<Compiled> {
    return this.#engine.compiled();
  }

  /** The parts of the engine in an evaluation that is recorded. */
  get #parts(): Recording {
    if (this.#recording === undefined) throw new Error('a watch evaluates in `recorded` only');
    return this.#recording;
  }

  /** The reads of the last evaluation. */
  get reads(): ReadTree {
    return this.#reads;
  }

  get version(): Version {
    return this.#engine.version;
  }

  get store(): Documents {
    return this.#parts.store;
  }

  get context(): EngineContext {
    return this.#parts.context;
  }

  get evaluator(): Evaluator {
    return this.#parts.evaluator;
  }

  get hidesSystem(): boolean {
    return this.#engine.hidesSystem;
  }
}

/** The documents of a store, seen by evaluations that are recorded. */
class RecordedStore implements Documents {
  readonly #store: Documents;
  readonly #reads: ReadTree;
  /** The documents of each view. */
  readonly #documents = new WeakMap<PlainObject, PlainObject>();

  constructor(store: Documents, reads: ReadTree) {
    this.#store = store;
    this.#reads = reads;
  }

  get root(): PlainObject {
    return this.#viewOf(this.#store.root);
  }

  hold(): HeldVersion {
    const { root, version, release } = this.#store.hold();
    return { root: this.#viewOf(root), version, release };
  }

  /** The documents of a view, for a reader that notes nothing: all of them count as read. */
  unrecorded({ root, version, release }: HeldVersion): HeldVersion {
    this.#reads.root.readWhole();
    return { root: this.#documents.get(root) ?? root, version, release };
  }

  #viewOf(root: PlainObject): PlainObject {
    const view = recordedDocuments(root, this.#reads);
    this.#documents.set(view, root);
    return view;
  }
}

/** Threads get the documents as they are. */
function unrecorded(long: LongEvaluations, store: RecordedStore): LongEvaluations {
  return {
    sliceMs: long.sliceMs,
    run: (evaluation) => long.run({ ...evaluation, documents: store.unrecorded(evaluation.documents) }),
  };
}
