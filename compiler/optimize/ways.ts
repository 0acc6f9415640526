/** How statements and blocks end. */

import type { Stmt } from '../../ir-schema/index.js';
import { alwaysGoesOn } from '../../ir-schema/index.js';

/** How a statement or a block may end. */
export interface Ways {
  /** It may run to its end. */
  readonly ends: boolean;
  /**
   * How many blocks outward it may cut short: 0 is the block of a statement, or the block itself.
   */
  readonly cuts: ReadonlySet<number>;
}

export const noCuts: ReadonlySet<number> = new Set();
export const itself: ReadonlySet<number> = new Set([0]);

/** The ends of a block for the block around its statement, without its own being cut short. */
export function shifted({ ends, cuts }: Ways): Ways {
  if (cuts.size === 0) return { ends, cuts: noCuts };
  return { ends, cuts: new Set([...cuts].filter((cut) => cut > 0).map((cut) => cut - 1)) };
}

/** The ends of a statement without blocks. */
export function waysOf({ type, stmt }: Stmt): Ways {
  switch (type) {
    case 'BreakStmt':
      return { ends: false, cuts: new Set([stmt.index]) };
    case 'ReturnLocalStmt':
      return { ends: false, cuts: noCuts };
    default:
      return { ends: true, cuts: alwaysGoesOn.has(type) ? noCuts : itself };
  }
}
