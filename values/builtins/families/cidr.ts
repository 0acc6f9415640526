/** net.cidr_*: networks of IPv4 and IPv6 addresses. */
import { any, anyOf, array, boolean, object, set, string, tuple } from '../../type.js';
import { arg, builtin } from '../builtin.js';
import { counted, linear } from '../cost.js';
import { cidrContains, intersects } from '../lib/ip/contains.js';
import { expand } from '../lib/ip/expand.js';
import { containsMatches } from '../lib/ip/matches.js';
import { mergeRanges, rangesOperand } from '../lib/ip/merge-ranges.js';
import { networkOf, networkOperand } from '../lib/ip/remembered.js';
import { unchecked } from '../read-operands.js';
import { stringAsFirst } from '../value-operands.js';

const pattern = anyOf(string, array(any));

const patterns = anyOf(string, array(pattern), object(string, pattern), set(pattern));

const contained = (cidr: string, cidrOrIp: string) =>
  [arg(cidr, string, networkOperand), arg(cidrOrIp, string, stringAsFirst)] as const;

// biome-ignore format: a table
export const cidr = [
  builtin('net.cidr_contains',         contained('cidr', 'cidr_or_ip'), boolean, cidrContains, { cost: linear(1) }),
  builtin('net.cidr_contains_matches', [arg('cidrs', patterns, unchecked), arg('cidrs_or_ips', patterns, unchecked)], set(tuple(any, any)), containsMatches, { cost: counted }),
  builtin('net.cidr_expand',           [arg('cidr', string, networkOperand)], set(string), expand, { cost: counted }),
  builtin('net.cidr_intersects',       [arg('cidr1', string, networkOperand), arg('cidr2', string, networkOperand)], boolean, intersects, { cost: linear(1) }),
  builtin('net.cidr_is_valid',         [arg('cidr', string, unchecked)], boolean, (text) => typeof text === 'string' && networkOf(text) !== undefined, { cost: linear(1) }),
  builtin('net.cidr_merge',            [arg('addrs', anyOf(array(anyOf(string)), set(string)), rangesOperand)], set(string), mergeRanges, { cost: counted }),
  builtin('net.cidr_overlap',          contained('cidr1', 'cidr2'), boolean, cidrContains, { deprecated: true, cost: linear(1) }),
];
