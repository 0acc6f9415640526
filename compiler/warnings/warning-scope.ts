/** The facts beside the modules for the search for warnings. */

import type { PlainObject } from '../../values/index.js';

/** A code that is silent: everywhere, or in some files. */
export interface SilentCode {
  readonly code: string;
  /** Whether a file is one of those; undefined: all are. */
  readonly inFile?: ((file: string) => boolean) | undefined;
}

export interface WarningScope {
  /** The base documents; undefined where none were looked for. */
  readonly documents?: PlainObject | undefined;
  /**
   * Paths (`a/b`) that the bundles own; what stands elsewhere comes from others. An empty path, or
   * no list, owns everything.
   */
  readonly roots?: readonly string[] | undefined;
  /**
   * Refs (`data.users`) that are given when decisions are made: unknowns, documents that come at
   * run time. A last `*` stands for any name.
   */
  readonly known?: readonly string[] | undefined;
  /** Whether rules that only the linter runs are looked for too. */
  readonly isLint?: boolean | undefined;
  /** Codes that are not told. */
  readonly silent?: readonly SilentCode[] | undefined;
  /**
   * The file of the project, left out of what is loaded, that has a path. A default alone is no
   * value.
   */
  readonly elsewhere?: ((path: readonly string[], what?: 'value') => string | undefined) | undefined;
  /** Whether a policy of the project, left out of what is loaded, has a name in its text. */
  readonly isMentioned?: ((name: string) => boolean) | undefined;
  /** Whether the modules are a part of what decides: names that others have are not told. */
  readonly isPart?: boolean | undefined;
}
