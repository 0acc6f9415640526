/** All built-ins, by name. */

import type { Builtin } from './builtin.js';
import { aggregates } from './families/aggregates.js';
import { arrays } from './families/arrays.js';
import { bits } from './families/bits.js';
import { casts } from './families/casts.js';
import { cidr } from './families/cidr.js';
import { comparison } from './families/comparison.js';
import { crypto } from './families/crypto.js';
import { encoding } from './families/encoding.js';
import { glob } from './families/glob.js';
import { graphs } from './families/graph.js';
import { graphql } from './families/graphql.js';
import { internals } from './families/internal.js';
import { jsonPatch } from './families/json-patch.js';
import { jsonPaths } from './families/json-paths.js';
import { jsonSchema } from './families/json-schema.js';
import { tokens } from './families/jwt.js';
import { network } from './families/network.js';
import { numbers } from './families/numbers.js';
import { objects } from './families/objects.js';
import { providers } from './families/providers.js';
import { regex } from './families/regex.js';
import { rego } from './families/rego.js';
import { semver } from './families/semver.js';
import { sets } from './families/sets.js';
import { strings } from './families/strings.js';
import { time } from './families/time.js';
import { types } from './families/types.js';
import { units } from './families/units.js';
import { uri } from './families/uri.js';
import { uuids } from './families/uuid.js';

const families: readonly (readonly Builtin[])[] = [
  aggregates,
  arrays,
  bits,
  casts,
  cidr,
  comparison,
  crypto,
  graphql,
  graphs,
  internals,
  jsonPatch,
  jsonPaths,
  jsonSchema,
  network,
  numbers,
  objects,
  providers,
  rego,
  semver,
  sets,
  tokens,
  time,
  types,
  units,
  uuids,
  encoding,
  glob,
  regex,
  strings,
  uri,
];

export const builtins: ReadonlyMap<string, Builtin> = new Map(families.flat().map((row) => [row.name, row]));
