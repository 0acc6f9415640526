/** Properties: rules `prop_…` that must be true for each input. */

import { groundPrefix, type Location, locationOf, nameOfKey, printRef, refPrefix } from '../../../compiler/index.js';
import type { ParsedFile } from '../../load-policies.js';

const prefix = 'prop_';

export interface TestedProperty {
  /** `data.authz_test`. */
  readonly package: string;
  /** `prop_blocked_users_may_nothing`. */
  readonly name: string;
  /** Below `data`. */
  readonly path: readonly string[];
  readonly location: Location;
}

/** The properties of some modules, each name of a package once, in the order of the text. */
export function findProperties(
  parsed: readonly ParsedFile[],
  matches: (fullName: string) => boolean,
): TestedProperty[] {
  const found = new Map<string, TestedProperty>();
  for (const { module } of parsed) {
    const pkg = printRef(module.package.path);
    for (const { head, loc, default: isDefault } of module.rules) {
      if (isDefault || head.args !== undefined || head.key !== undefined) continue;
      const ref = groundPrefix(head.ref);
      const last = ref.at(-1);
      if (ref.length !== head.ref.length || last === undefined || !nameOfKey(last).startsWith(prefix)) continue;
      const name = printRef(refPrefix(ref, ref.length));
      const fullName = `${pkg}.${name}`;
      const path = [...module.package.path, ...ref].slice(1).map(nameOfKey);
      if (!found.has(fullName) && matches(fullName))
        found.set(fullName, { package: pkg, name, path, location: locationOf(loc) });
    }
  }
  return [...found.values()];
}
