import manifest from '../package.json' with { type: 'json' };
import type { PlainObject } from '../values/index.js';

/** Where a build came from, as `writ version` and the provenance of a decision show it. */
interface BuildInfo {
  /** Release, as in package.json. */
  readonly version: string;
  /**
   * Source revision, with `-dirty` after it if files had been changed; empty without a git
   * checkout.
   */
  readonly commit: string;
  /** RFC 3339, UTC; empty in an unbuilt run. */
  readonly timestamp: string;
  /** Host name; empty in an unbuilt run. */
  readonly hostname: string;
}

// The build replaces these names by string literals; in an unbuilt run they do not exist.
declare const WRIT_VERSION: string | undefined;
declare const WRIT_COMMIT: string;
declare const WRIT_TIMESTAMP: string;
declare const WRIT_HOSTNAME: string;

export const buildInfo: BuildInfo =
  typeof WRIT_VERSION === 'undefined'
    ? { version: manifest.version, commit: '', timestamp: '', hostname: '' }
    : { version: WRIT_VERSION, commit: WRIT_COMMIT, timestamp: WRIT_TIMESTAMP, hostname: WRIT_HOSTNAME };

/** The documents of a server in `data.system`. */
export function systemDocument(): PlainObject {
  const { version, commit, timestamp, hostname } = buildInfo;
  return { version: { version, build_commit: commit, build_timestamp: timestamp, build_hostname: hostname } };
}
