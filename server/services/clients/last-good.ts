/** The content of files that others replace: while they are broken, the last good stays in use. */
import { ServiceError } from './request.js';

export class LastGood<T> {
  readonly #read: () => T;
  readonly #report: (problem: string) => unknown;
  #value: { readonly good: T } | undefined;
  #problem: string | undefined;

  /**
   * @param read throws a ServiceError
   * @param report is told of a problem once, until another comes or none is left
   */
  constructor(read: () => T, report: (problem: string) => unknown) {
    this.#read = read;
    this.#report = report;
  }

  /** Throws a ServiceError where nothing good was read yet. */
  get(): T {
    try {
      this.#value = { good: this.#read() };
      this.#problem = undefined;
    } catch (error) {
      if (this.#value === undefined || !(error instanceof ServiceError)) throw error;
      if (error.message !== this.#problem) this.#report(error.message);
      this.#problem = error.message;
    }
    return this.#value.good;
  }
}
