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
import { strings } from './families/strings.js';
import { time } from './families/time.js';
import { casts, types } from './families/types.js';

/** Modules contain the rows that they need: the build takes these tables apart. */
export const families: readonly (readonly Builtin[])[] = [
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
