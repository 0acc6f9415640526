/**
 * All built-ins, by name, whose families are loaded when they are first needed. A build for
 * browsers takes this file in the place of `registry.ts`.
 */

import type { Builtin } from '../builtin.js';
import { namesIn, RowTable } from '../families/row-table.js';
import { type FamilyName, familyNames, withNames } from '../family-names.js';

const common = async () => (await import('./common-families.js')).commonFamilies;

const loaders: { readonly [family in FamilyName]: () => Promise<readonly Builtin[]> } = {
  aggregates: async () => (await common()).aggregates,
  arrays: async () => (await common()).arrays,
  bits: async () => (await common()).bits,
  casts: async () => (await common()).casts,
  cidr: async () => (await import('../families/cidr.js')).cidr,
  comparison: async () => (await common()).comparison,
  crypto: async () => (await import('../families/crypto.js')).crypto,
  graphql: async () => (await import('../families/graphql.js')).graphql,
  graphs: async () => (await common()).graphs,
  internals: async () => (await common()).internals,
  jsonPatch: async () => (await import('../families/json.js')).jsonPatch,
  jsonPaths: async () => (await common()).jsonPaths,
  jsonSchema: async () => (await import('../families/json.js')).jsonSchema,
  network: async () => (await import('../families/network.js')).network,
  numbers: async () => (await common()).numbers,
  objects: async () => (await common()).objects,
  providers: async () => (await import('../families/network.js')).providers,
  rego: async () => (await common()).rego,
  semver: async () => (await common()).semver,
  sets: async () => (await common()).sets,
  tokens: async () => (await import('../families/jwt.js')).tokens,
  time: async () => (await import('../families/time.js')).time,
  types: async () => (await common()).types,
  units: async () => (await common()).units,
  uuids: async () => (await common()).uuids,
  encoding: async () => (await common()).encoding,
  glob: async () => (await import('../families/patterns.js')).glob,
  regex: async () => (await import('../families/patterns.js')).regex,
  strings: async () => (await import('../families/strings.js')).strings,
  uri: async () => (await import('../families/formats.js')).uri,
};

const loaded = new Map<FamilyName, readonly Builtin[]>();

const all = Object.keys(familyNames) as FamilyName[];

function rowsOf(family: FamilyName): readonly Builtin[] {
  const rows = loaded.get(family);
  if (rows === undefined) throw new Error(`the built-ins of ${family} are not loaded`);
  return rows;
}

/** Loads the rows of some names, or all; other names are ignored. Nothing is loaded twice. */
export async function loadBuiltins(names?: ReadonlySet<string>): Promise<void> {
  const wanted = all.filter(
    (family) => names === undefined || namesIn(familyNames[family].names).some((name) => names.has(name)),
  );
  await Promise.all(
    wanted.map(async (family) => {
      if (!loaded.has(family)) loaded.set(family, await loaders[family]());
    }),
  );
}

const rows = Object.fromEntries(all.map((family) => [family, () => rowsOf(family)]));

export const builtins: RowTable = RowTable.of(withNames(rows as Record<FamilyName, () => readonly Builtin[]>));
