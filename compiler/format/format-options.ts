/** How to format. */

import type { RegoVersion } from '../ast/nodes.js';

export interface FormatOptions {
  /**
   * Write a version 0 module so that it is one of this version: `v0v1` reads in both (with
   * `import rego.v1`). Default: as it is.
   */
  readonly to?: RegoVersion | undefined;
  /** Leave out the imports that brought version 0 the keywords which version 1 has anyway. */
  readonly dropV0Imports?: boolean | undefined;
  /** Write bodies of one expression in braces too. */
  readonly bracedBodies?: boolean | undefined;
}
