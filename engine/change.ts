/** Changes of an engine's policies, documents and bundles. */

import type { DataOperation } from '../runtime/index.js';
import type { Bundle } from './bundle/bundle.js';
import type { Metrics } from './evaluation/metrics.js';
import type { Entrypoints } from './paths/entrypoints.js';
import type { PolicyRecord } from './version.js';

/** Changes that become visible together, or not at all. */
export interface Change {
  /** Texts by id; undefined deletes. */
  readonly policies?: ReadonlyMap<string, string | undefined>;
  /** Names of files by policy's id, for the locations of errors. Default: the policy's id. */
  readonly files?: ReadonlyMap<string, string>;
  /** Policies that are parsed already, by id. They are set before `policies`. */
  readonly parsed?: ReadonlyMap<string, PolicyRecord>;
  /** Carried out in order, after bundles. */
  readonly data?: readonly DataOperation[];
  /** Bundles to activate by name, each in the place of the one before; undefined removes it. */
  readonly bundles?: ReadonlyMap<string, Bundle | undefined>;
  /**
   * Whether the engine may write into the bundles' documents, as with `DataOperation.transferred`.
   */
  readonly bundlesTransferred?: boolean;
  /** Plans that answer from now on, in the place of all before. */
  readonly plans?: Entrypoints;
}

export interface CommitOptions {
  readonly metrics?: Metrics;
  /** Plugins and copies of an engine may write within bundles' roots; clients may not. */
  readonly ignoreRoots?: boolean;
  /**
   * Whether policies and documents of the change within bundles' roots are left out, as those of
   * files that are read again. Default: they are refused.
   */
  readonly skipsRoots?: boolean;
  /** A reading of `performance.now()` after which the commit is given up. Default: no limit. */
  readonly until?: number;
  /** Whether the commit is given up where the heap is nearly full. Default: false. */
  readonly checksHeap?: boolean;
  /** How many tokens a statement of a policy may have. Default: no limit. */
  readonly maxStatementTokens?: number;
  /**
   * Called with the change once it is checked, before it is visible: for whoever keeps a log of
   * changes. The commit waits for the revision, which its version has, and changes nothing where
   * this rejects. Default: the revision stays, and `Engine.amendBy` may add to the change.
   */
  readonly revision?: ((change: Change) => number | Promise<number>) | undefined;
  /**
   * Whether missing parents are made, and removals of what is not there skipped, policies too: for
   * changes that were made over another state. Default: where the change is amended.
   */
  readonly fills?: boolean;
  /** Gets all policies of the next version, compiled; throws to reject the commit. */
  readonly check?: ((policies: readonly PolicyRecord[]) => void) | undefined;
}

export interface CommitReport {
  /** The number of the version that holds the change. */
  readonly version: number;
  /** See `Version.revision`. */
  readonly revision: number;
  /** False if a function of the change found nothing to do. */
  readonly done: boolean;
}
