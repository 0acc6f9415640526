/** The state of an engine as one change, for a worker that begins. */
import type { Change, Engine } from '../../engine/index.js';
import { toWire, type WireChange } from './wire-change.js';

/** Remembers the names of policies' files, which the engine does not keep. */
export class ReplicatedState {
  readonly #files = new Map<string, string>();

  note({ policies = new Map(), files }: Change): void {
    for (const [id, text] of policies) {
      const file = files?.get(id);
      if (text === undefined || file === undefined) this.#files.delete(id);
      else this.#files.set(id, file);
    }
  }

  /** All policies, bundles and documents of now. */
  of(engine: Engine): WireChange {
    const own = engine.policies().filter(({ bundle }) => bundle === undefined);
    const ids = new Set(own.map(({ id }) => id));
    return toWire(
      {
        policies: new Map(own.map(({ id, raw }) => [id, raw])),
        files: new Map([...this.#files].filter(([id]) => ids.has(id))),
        ...(engine.version.bundles.size > 0 && { bundles: engine.version.bundles }),
        data: [{ op: 'write', path: [], value: engine.store.root }],
      },
      engine.version.revision,
    );
  }
}
