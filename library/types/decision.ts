import type { Json } from '../../values/index.js';

/** A decision: `result` is left out where the document is undefined. */
export interface Decision<Result = Json> {
  readonly result?: Result;
  /** The id under which it is logged; left out where decisions are not logged. */
  readonly decisionId?: string;
}

/** Input and options of a decision: the input may be left out where nothing describes it. */
export type Operands<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];
