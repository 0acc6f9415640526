/** Requests that wait for a debugger before they are decided. */
import type { Value } from '../../values/index.js';

/** A decision that a request asks for. */
export interface AskedQuestion {
  readonly method: string;
  /** The segments of the document's path. */
  readonly path: readonly string[];
  readonly input: Value | undefined;
}

/** Decides which requests wait. */
export interface RequestGate {
  /** Resolves when the request may go on; undefined where it need not wait. Never rejects. */
  enter(question: AskedQuestion): Promise<void> | undefined;
}
