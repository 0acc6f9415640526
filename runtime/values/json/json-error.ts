/** What readers and writers of JSON complain of. */

/** Text that is not JSON, or nests deeper than `maxDepth`; `offset` is where, in UTF-16 units, if known. */
export class JsonError extends Error {
  readonly code = 'invalid_json';
  readonly offset: number | undefined;

  /** @param message found once somebody reads it where it is a function, as finding it takes another walk through the text */
  constructor(message: string | (() => string), offset?: number) {
    super(typeof message === 'string' ? message : undefined);
    this.name = 'JsonError';
    this.offset = offset;
    if (typeof message === 'string') return;
    let found: string | undefined;
    Object.defineProperty(this, 'message', { get: () => (found ??= message()), configurable: true });
  }
}

/** As deep as the reference reads. */
export const maxDepth = 10_000;
