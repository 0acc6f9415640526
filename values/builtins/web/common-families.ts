/** Families that many policies use and that are small: a browser loads them at once. */
import { aggregates } from '../families/aggregates.js';
import { bits } from '../families/bits.js';
import { arrays, sets } from '../families/collections.js';
import { comparison } from '../families/comparison.js';
import { encoding } from '../families/encoding.js';
import { semver, units, uuids } from '../families/formats.js';
import { graphs } from '../families/graph.js';
import { internals } from '../families/internal.js';
import { jsonPaths } from '../families/json.js';
import { numbers } from '../families/numbers.js';
import { objects } from '../families/objects.js';
import { rego } from '../families/rego.js';
import { casts, types } from '../families/types.js';

export const commonFamilies = {
  aggregates,
  arrays,
  bits,
  casts,
  comparison,
  graphs,
  internals,
  jsonPaths,
  numbers,
  objects,
  sets,
  types,
  units,
  uuids,
  encoding,
  semver,
  rego,
};
