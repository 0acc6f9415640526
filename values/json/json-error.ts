/** Errors of JSON readers and writers. */

/**
 * Text that is not JSON, or nests deeper than `maxDepth`; `offset` is the position of the error in
 * UTF-16 units, if known.
 */
export class JsonError extends Error {
  readonly code = 'invalid_json';
  readonly offset: number | undefined;

  /**
   * @param message a function defers the message until it is read, since computing it takes another
   * pass over the text
   */
  constructor(message: string | (() => string), offset?: number) {
    super(typeof message === 'string' ? message : undefined);
    this.name = 'JsonError';
    this.offset = offset;
    if (typeof message === 'string') return;
    let found: string | undefined;
    Object.defineProperty(this, 'message', { get: () => (found ??= message()), configurable: true });
  }
}

/** The maximum depth that the reference reads. */
export const maxDepth = 10_000;
