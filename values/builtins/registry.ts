/** All built-ins, by name. */

import type { Builtin } from './builtin.js';
import { aggregates } from './families/aggregates.js';
import { bits } from './families/bits.js';
import { cidr } from './families/cidr.js';
import { arrays, sets } from './families/collections.js';
import { comparison } from './families/comparison.js';
import { crypto } from './families/crypto.js';
import { encoding } from './families/encoding.js';
import { semver, units, uri, uuids } from './families/formats.js';
import { graphs } from './families/graph.js';
import { graphql } from './families/graphql.js';
import { internals } from './families/internal.js';
import { jsonPatch, jsonPaths, jsonSchema } from './families/json.js';
import { tokens } from './families/jwt.js';
import { network, providers } from './families/network.js';
import { numbers } from './families/numbers.js';
import { objects } from './families/objects.js';
import { glob, regex } from './families/patterns.js';
import { rego } from './families/rego.js';
import { RowTable } from './families/row-table.js';
import { strings } from './families/strings.js';
import { time } from './families/time.js';
import { casts, types } from './families/types.js';
import { type FamilyName, withNames } from './family-names.js';

/** Modules contain the rows that they need: the build takes this table apart. */
export const families: { readonly [family in FamilyName]: () => readonly Builtin[] } = {
  aggregates: () => aggregates,
  arrays: () => arrays,
  bits: () => bits,
  casts: () => casts,
  cidr: () => cidr,
  comparison: () => comparison,
  crypto: () => crypto,
  graphql: () => graphql,
  graphs: () => graphs,
  internals: () => internals,
  jsonPatch: () => jsonPatch,
  jsonPaths: () => jsonPaths,
  jsonSchema: () => jsonSchema,
  network: () => network,
  numbers: () => numbers,
  objects: () => objects,
  providers: () => providers,
  rego: () => rego,
  semver: () => semver,
  sets: () => sets,
  tokens: () => tokens,
  time: () => time,
  types: () => types,
  units: () => units,
  uuids: () => uuids,
  encoding: () => encoding,
  glob: () => glob,
  regex: () => regex,
  strings: () => strings,
  uri: () => uri,
};

export const builtins: RowTable = RowTable.of(withNames(families));
