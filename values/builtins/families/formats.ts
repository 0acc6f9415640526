/** Texts with a syntax of their own: amounts with units, UUIDs, semantic versions and URIs. */
import { any, boolean, number, object, string } from '../../type.js';
import { arg, type Builtin, builtin } from '../builtin.js';
import { linear } from '../cost.js';
import { compareSemver, parseVersion } from '../lib/formats/semver.js';
import { parseBytes, parseUnits } from '../lib/formats/units.js';
import { parseUuid, rfc4122 } from '../lib/formats/uuid.js';
import { isUri, parseUri } from '../lib/url/uri.js';
import { unchecked } from '../read-operands.js';

// biome-ignore format: a table
export const units = [
  builtin('units.parse',       [arg('x', string)], number, parseUnits, { cost: linear(20) }),
  builtin('units.parse_bytes', [arg('x', string)], number, parseBytes, { cost: linear(20) }),
];

// biome-ignore format: a table
export const uuids = [
  builtin('uuid.parse',   [arg('uuid', string)], object(string, any), parseUuid, { cost: linear(1) }),
  builtin('uuid.rfc4122', [arg('k', string, unchecked)], string, rfc4122, { nondeterministic: true, cost: linear(1) }),
];

// biome-ignore format: a table
export const semver = [
  builtin('semver.compare',  [arg('a', string), arg('b', string)], number, compareSemver, { cost: linear(15) }),
  builtin('semver.is_valid', [arg('vsn', any)], boolean, (vsn) => typeof vsn === 'string' && parseVersion(vsn) !== undefined, { cost: linear(15) }),
];

// biome-ignore format: a table
export const uri: readonly Builtin[] = [
  builtin('uri.parse', [arg('uri', string)], object(string, string), parseUri, { cost: linear(10) }),
  builtin('uri.is_valid', [arg('uri', string, unchecked)], boolean, isUri, { cost: linear(10) }),
];
