/** net.cidr_*: networks of IPv4 and IPv6 addresses. */
import { any, anyOf, array, boolean, object, set, string, tuple } from '../../values/type.js';
import { arg, builtin } from '../builtin.js';
import { counted, linear } from '../cost.js';
import { cidrContains, intersects } from '../lib/ip/contains.js';
import { expand } from '../lib/ip/expand.js';
import { containsMatches } from '../lib/ip/matches.js';
import { merge } from '../lib/ip/merge.js';
import { parseNetwork } from '../lib/ip/network.js';

const own = { checksOperands: true } as const;

const pattern = anyOf(string, array(any));

const patterns = anyOf(string, array(pattern), object(string, pattern), set(pattern));

const two = [arg('cidr1', string), arg('cidr2', string)] as const;

// biome-ignore format: a table
export const cidr = [
  builtin('net.cidr_contains',         [arg('cidr', string), arg('cidr_or_ip', string)], boolean, cidrContains, { ...own, cost: linear(1) }),
  builtin('net.cidr_contains_matches', [arg('cidrs', patterns), arg('cidrs_or_ips', patterns)], set(tuple(any, any)), containsMatches, { ...own, cost: counted }),
  builtin('net.cidr_expand',           [arg('cidr', string)], set(string), expand, { ...own, cost: counted }),
  builtin('net.cidr_intersects',       two, boolean, intersects, { ...own, cost: linear(1) }),
  builtin('net.cidr_is_valid',         [arg('cidr', string)], boolean, (text) => typeof text === 'string' && parseNetwork(text) !== undefined, { ...own, cost: linear(1) }),
  builtin('net.cidr_merge',            [arg('addrs', anyOf(array(anyOf(string)), set(string)))], set(string), merge, { ...own, cost: counted }),
  builtin('net.cidr_overlap',          two, boolean, cidrContains, { ...own, deprecated: true, cost: linear(1) }),
];
