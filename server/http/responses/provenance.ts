/** Where a decision comes from. */
import { buildInfo } from '../../../engine/build-info.js';
import type { ActiveBundle } from '../../../engine/version.js';
import type { PlainObject } from '../../../runtime/values/value.js';

/** The service document says `build_host`, the reference `build_hostname`: both are there. */
const build: PlainObject = {
  version: buildInfo.version,
  build_commit: buildInfo.commit,
  build_timestamp: buildInfo.timestamp,
  build_host: buildInfo.hostname,
  build_hostname: buildInfo.hostname,
};

/** A bundle without a revision has an empty one, as in the reference. */
export function provenance(bundles: readonly ActiveBundle[]): PlainObject {
  if (bundles.length === 0) return build;
  const revisions = bundles.map(({ name, revision }) => [name, { revision }] as const);
  return { ...build, bundles: Object.fromEntries(revisions) };
}
