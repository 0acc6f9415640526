/** The provenance of a decision: build and bundles. */

import { type ActiveBundle, buildInfo } from '../../../engine/index.js';
import type { PlainObject } from '../../../values/index.js';

/** The specification says `build_host`, the reference `build_hostname`. Both are given. */
const build: PlainObject = {
  version: buildInfo.version,
  build_commit: buildInfo.commit,
  build_timestamp: buildInfo.timestamp,
  build_host: buildInfo.hostname,
  build_hostname: buildInfo.hostname,
};

/** As in the reference, a bundle without a revision has an empty one. */
export function provenance(bundles: readonly ActiveBundle[]): PlainObject {
  if (bundles.length === 0) return build;
  const revisions = bundles.map(({ name, revision }) => [name, { revision }] as const);
  return { ...build, bundles: Object.fromEntries(revisions) };
}
