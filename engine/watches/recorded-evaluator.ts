/** An evaluation of a watch: it notes which parts of the documents it reads. */
import { ArrayIndexes, type Documents, type EngineContext, type HeldVersion } from '../../runtime/index.js';
import type { PlainObject } from '../../values/index.js';
import { Evaluator } from '../evaluation/evaluator.js';
import type { LongEvaluations } from '../evaluation/long-evaluations.js';
import type { ReadTree } from './read-tree.js';
import { recordedDocuments } from './recorded-documents.js';

/** An evaluator for one evaluation, whose reads it records. */
export function recordedEvaluator(
  { store, context }: Evaluator,
  long: LongEvaluations | undefined,
  reads: ReadTree,
): Evaluator {
  const recorded = new RecordedStore(store, reads);
  // An index of an earlier evaluation would answer without reading. Generated code gets slower
  // for other decisions once it has seen views.
  const own = { dataIndexes: new ArrayIndexes(), codegen: 'never' } as const;
  const given: EngineContext = { ...context, ...own };
  return new Evaluator(recorded, given, long && unrecorded(long, recorded));
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
