/** All built-ins, by name. */
import { aggregates } from './aggregates.js';
import { arrays } from './arrays.js';
import { bits } from './bits.js';
import type { Builtin } from './builtin.js';
import { casts } from './casts.js';
import { cidr } from './cidr.js';
import { comparison } from './comparison.js';
import { crypto } from './crypto.js';
import { encoding } from './encoding.js';
import { glob } from './glob.js';
import { graphs } from './graph.js';
import { graphql } from './graphql.js';
import { internals } from './internal.js';
import { jsonPatch } from './json-patch.js';
import { jsonPaths } from './json-paths.js';
import { jsonSchema } from './json-schema.js';
import { network } from './network.js';
import { numbers } from './numbers.js';
import { objects } from './objects.js';
import { providers } from './providers.js';
import { regex } from './regex.js';
import { rego } from './rego.js';
import { semver } from './semver.js';
import { sets } from './sets.js';
import { strings } from './strings.js';
import { time } from './time.js';
import { tokens } from './tokens.js';
import { types } from './types.js';
import { units } from './units.js';
import { uri } from './uri.js';
import { uuids } from './uuid.js';

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
