import type { Value } from '../../../values/index.js';

/** The body of a request, as policies see it. */
export interface ParsedBody {
  /** Null where nothing is parsed. */
  readonly value: Value;
  readonly isTruncated: boolean;
}
