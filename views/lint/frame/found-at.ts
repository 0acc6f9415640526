/** Where findings are, and the calls that rules look at. */

import type { CallExpr, CallTerm } from '../../../compiler/index.js';

/** A call, at the top of an expression or inside a term. */
export type Call = CallTerm | CallExpr;

/** Where a finding is; columns count characters, ends are exclusive. */
export interface FoundAt {
  readonly row: number;
  readonly col: number;
  readonly end?: { readonly row: number; readonly col: number };
  /** The text to show, where it is not the line; null for none. */
  readonly text?: string | null;
}
