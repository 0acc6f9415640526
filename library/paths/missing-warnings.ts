/** Warnings of paths that nothing answers: they are most often misspelt. */
import type { EngineOptions } from '../engine-options.js';

/** The most paths that are looked at. */
const mostPaths = 1000;
/** The most warnings that are given. */
const mostWarnings = 100;

/** Warnings of decisions that are always undefined, in development; null elsewhere. */
export function missingWarnings({ platform, onWarning = platform?.onWarning }: EngineOptions): MissingWarnings | null {
  return onWarning === undefined || platform?.isDevelopment?.() !== true ? null : new MissingWarnings(onWarning);
}

/** Looks at each path once. */
export class MissingWarnings {
  readonly #seen = new Set<string>();
  readonly #warn: (warning: string) => void;
  #told = 0;

  constructor(warn: (warning: string) => void) {
    this.#warn = warn;
  }

  /** @param missing says which name of the path is not there; undefined where it may be answered */
  check(path: string, missing: () => string | undefined): void {
    if (this.#seen.has(path) || this.#seen.size >= mostPaths || this.#told >= mostWarnings) return;
    this.#seen.add(path);
    const cause = missing();
    if (cause === undefined) return;
    this.#told++;
    this.#warn(`nothing answers ${JSON.stringify(path)}: ${cause}`);
  }
}
