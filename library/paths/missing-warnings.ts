/** Warnings of paths that nothing answers: they are most often misspelt. */

/** More are not told. */
const mostWarnings = 100;

/** Tells of each path once. */
export class MissingWarnings {
  readonly #told = new Set<string>();
  readonly #warn: (warning: string) => void;

  constructor(warn: (warning: string) => void) {
    this.#warn = warn;
  }

  /** @param missing says which name of the path is not there; undefined where it may be answered */
  check(path: string, missing: () => string | undefined): void {
    if (this.#told.has(path) || this.#told.size >= mostWarnings) return;
    const cause = missing();
    if (cause === undefined) return;
    this.#told.add(path);
    this.#warn(`nothing answers ${JSON.stringify(path)}: ${cause}`);
  }
}
