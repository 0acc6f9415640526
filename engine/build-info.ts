import manifest from '../package.json' with { type: 'json' };
import type { PlainObject } from '../runtime/values/value.js';

/** Where a build came from, as `writ version` and the provenance of a decision show it. */
export interface BuildInfo {
  /** Release, as in package.json. */
  readonly version: string;
  /** Source revision, with `-dirty` behind it where files had been changed; empty where the sources were no git checkout. */
  readonly commit: string;
  /** RFC 3339, UTC; empty in an unbuilt run. */
  readonly timestamp: string;
  /** Host name; empty in an unbuilt run. */
  readonly hostname: string;
}

// The build puts string literals in place of these names; unbuilt, as under a test, they do not exist.
declare const WRIT_VERSION: string | undefined;
declare const WRIT_COMMIT: string;
declare const WRIT_TIMESTAMP: string;
declare const WRIT_HOSTNAME: string;

export const buildInfo: BuildInfo =
  typeof WRIT_VERSION === 'undefined'
    ? { version: manifest.version, commit: '', timestamp: '', hostname: '' }
    : { version: WRIT_VERSION, commit: WRIT_COMMIT, timestamp: WRIT_TIMESTAMP, hostname: WRIT_HOSTNAME };

/** What policies of a server see as `data.system`. */
export function systemDocument(): PlainObject {
  const { version, commit, timestamp, hostname } = buildInfo;
  return { version: { version, build_commit: commit, build_timestamp: timestamp, build_hostname: hostname } };
}
