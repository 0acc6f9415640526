/** Warnings of paths that nothing answers: they are most often misspelt. */
import type { EngineOptions } from '../engine-options.js';

/** More are not looked at. */
const mostPaths = 1000;
/** More are not told. */
const mostWarnings = 100;

/** Only in development, where a decision that is always undefined is a mistake; null elsewhere. */
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
