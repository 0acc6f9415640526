/** What readers and writers of JSON complain of. */

/** Text that is not JSON, or nests deeper than `maxDepth`; `offset` is where, in UTF-16 units, if known. */
export class JsonError extends Error {
  readonly code = 'invalid_json';
  readonly offset: number | undefined;

  constructor(message: string, offset?: number) {
    super(message);
    this.name = 'JsonError';
    this.offset = offset;
  }
}

/** As deep as the reference reads. */
export const maxDepth = 10_000;
