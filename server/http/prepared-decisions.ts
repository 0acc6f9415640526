/** Prepared decisions of the routes, by the path of the request. */
import { type DecideOptions, type Engine, PathCache, type Prepared } from '../../engine/index.js';

export interface PreparedDocument {
  /** The segments of the document's path. */
  readonly path: readonly string[];
  /** The path as logs show it. */
  readonly text: string;
  readonly decision: Prepared;
}

/** Paths under one name. */
const mostPaths = 10_000;

export class PreparedDecisions {
  readonly #engine: Engine;
  readonly #options: DecideOptions;
  readonly #known = new Map<string, PathCache<PreparedDocument>>();

  /** @param options of requests without parameters */
  constructor(engine: Engine, options: DecideOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  /** Forgets all: settings that they were made of have changed. */
  clear(): void {
    this.#known.clear();
  }

  /**
   * The decision for a request's path.
   * @param name separates requests that report cache hits of their own
   * @param segmentsOf makes the document's path; throws an ApiError where no document can be
   */
  at(name: string, path: string, segmentsOf: () => readonly string[]): PreparedDocument {
    let byPath = this.#known.get(name);
    if (byPath === undefined) this.#known.set(name, (byPath = new PathCache(mostPaths)));
    return byPath.at(path, () => {
      const segments = segmentsOf();
      return { path: segments, text: segments.join('/'), decision: this.#engine.prepare(segments, this.#options) };
    });
  }
}
