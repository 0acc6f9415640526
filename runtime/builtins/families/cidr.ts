/** net.cidr_*: networks of IPv4 and IPv6 addresses. */
import { sortedEntries, sortedMembers } from '../../values/compare.js';
import { RegoSet } from '../../values/set.js';
import { any, anyOf, array, boolean, object, set, string, tuple } from '../../values/type.js';
import { isArray, isObject, isSet, type Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { counted, linear } from '../cost.js';
import { BuiltinError } from '../errors.js';
import { asV4, ipText, parseIp } from '../lib/url/ip-text.js';
import { stringOperand } from '../string-operands.js';

const own = { checksOperands: true } as const;

/** An address as a number of 32 or 128 bits; one of IPv4 written as IPv6 has 32. */
interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A network: its first address and how many bits all its addresses share. */
interface Network extends Address {
  readonly prefix: number;
}

function addressOf(ip: Uint8Array): Address {
  const v4 = asV4(ip);
  return v4 === undefined ? { bits: 128, value: numberOf(ip) } : { bits: 32, value: numberOf(v4) };
}

function numberOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

function addressText({ bits, value }: Address): string {
  const bytes = new Uint8Array(bits / 8);
  for (let i = bytes.length - 1, rest = value; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return ipText(bytes);
}

function networkText(network: Network): string {
  return `${addressText(network)}/${network.prefix}`;
}

function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 || !/^\d{1,9}$/.test(text.slice(slash + 1))) return undefined;
  const ip = parseIp(text.slice(0, slash));
  const prefix = Number(text.slice(slash + 1));
  if (ip === undefined || prefix > ip.length * 8) return undefined;
  const bits = ip.length === 4 ? 32 : 128;
  const value = masked(numberOf(ip), bits, prefix);
  // What is left of an IPv4 address written as IPv6 is one of IPv4, unless the mask cuts into what marks it.
  if (bits === 128 && asV4(ip) !== undefined && prefix >= 96) return { bits: 32, value: value & 0xffff_ffffn, prefix: prefix - 96 };
  return { bits, value, prefix };
}

function masked(value: bigint, bits: number, prefix: number): bigint {
  const free = BigInt(bits - prefix);
  return (value >> free) << free;
}

function lastOf({ bits, value, prefix }: Network): bigint {
  return value | ((1n << BigInt(bits - prefix)) - 1n);
}

function contains(network: Network, address: Address): boolean {
  return network.bits === address.bits && masked(address.value, network.bits, network.prefix) === network.value;
}

function networkOperand(operand: Value): Network {
  // The reference speaks of operand 1 whichever it is.
  const text = stringOperand(operand, 1);
  const network = parseNetwork(text);
  if (network === undefined) throw new BuiltinError(`invalid CIDR address: ${text}`);
  return network;
}

/** Whether a network has an address, or all of another network. */
function cidrContains(cidr: Value, cidrOrIp: Value): boolean {
  return v4Contains(cidr, cidrOrIp) ?? holds(networkOperand(cidr), cidrOrIp);
}

/** The usual question, of a network and an address of IPv4, without big integers; undefined for any other. */
function v4Contains(cidr: Value, ip: Value): boolean | undefined {
  if (typeof cidr !== 'string' || typeof ip !== 'string') return undefined;
  const slash = cidr.indexOf('/');
  const prefix = slash < 0 ? -1 : prefixNumber(cidr, slash + 1);
  if (prefix < 1 || prefix > 32) return undefined;
  const network = v4Number(cidr, slash);
  const address = network < 0 ? -1 : v4Number(ip, ip.length);
  if (address < 0) return undefined;
  return (network ^ address) >>> (32 - prefix) === 0;
}

/** The one or two digits that a text ends with, negative where it ends otherwise. */
function prefixNumber(text: string, start: number): number {
  const tens = text.charCodeAt(start) - 48;
  const ones = text.charCodeAt(start + 1) - 48;
  if (!(tens >= 0 && tens <= 9)) return -1;
  if (text.length === start + 1) return tens;
  return text.length === start + 2 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

/** The 32 bits of an IPv4 address, negative where the text up to `end` is none. */
function v4Number(text: string, end: number): number {
  let value = 0;
  let part = -1;
  let parts = 1;
  for (let i = 0; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === 46) {
      if (part < 0 || ++parts > 4) return -1;
      value = value * 256 + part;
      part = -1;
    } else if (c < 48 || c > 57 || part === 0) return -1;
    else if ((part = Math.max(part, 0) * 10 + c - 48) > 255) return -1;
  }
  return part < 0 || parts !== 4 ? -1 : value * 256 + part;
}

function holds(network: Network, cidrOrIp: Value): boolean {
  const text = stringOperand(cidrOrIp, 1);
  const ip = parseIp(text);
  if (ip !== undefined) return contains(network, addressOf(ip));
  const inner = parseNetwork(text);
  if (inner === undefined) throw new BuiltinError(`not a valid textual representation of an IP address or CIDR: ${text}`);
  return contains(network, inner) && contains(network, { bits: inner.bits, value: lastOf(inner) });
}

function intersects(a: Value, b: Value): boolean {
  const x = networkOperand(a);
  const y = networkOperand(b);
  return contains(x, y) || contains(y, x);
}

/** The addresses or networks of an operand of cidr_contains_matches, each with what stands for it in the answer. */
function* matchTerms(operand: Value, position: number): IterableIterator<[text: Value, index: Value]> {
  if (typeof operand === 'string') yield [operand, operand];
  else if (isArray(operand)) for (const [i, element] of operand.entries()) yield [matchTerm(element, position), i];
  else if (isSet(operand)) for (const member of sortedMembers(operand)) yield [matchTerm(member, position), member];
  else if (isObject(operand)) for (const [key, value] of sortedEntries(operand)) yield [matchTerm(value, position), key];
}

function matchTerm(element: Value, position: number): Value {
  if (typeof element === 'string') return element;
  if (isArray(element) && element.length > 0) return element[0]!;
  throw new BuiltinError(`operand ${position}: element must be string or non-empty array`);
}

/** Units for an address that is read and held against a network, and for one that is written. */
const unitsPerMatch = 100;
const unitsPerAddress = 60;

function containsMatches(cidrs: Value, cidrsOrIps: Value, context: BuiltinContext): RegoSet {
  const matches = new RegoSet();
  for (const [cidr, index] of matchTerms(cidrs, 1)) {
    let network: Network | undefined;
    for (const [other, otherIndex] of matchTerms(cidrsOrIps, 2)) {
      context.tick(unitsPerMatch);
      const contained = v4Contains(cidr, other) ?? holds((network ??= networkOperand(cidr)), other);
      if (contained) matches.add([index, otherIndex]);
    }
  }
  return matches;
}

/** A set of more addresses than this is refused: it would take seconds and all memory. */
const maxExpansion = 1n << 20n;

function expand(cidr: Value, context: BuiltinContext): RegoSet {
  const network = networkOperand(cidr);
  const last = lastOf(network);
  if (last - network.value >= maxExpansion) throw new BuiltinError(`more than ${maxExpansion} addresses`);
  const addresses = new RegoSet();
  for (let value = network.value; value <= last; value++) {
    if ((value & 0xffn) === 0xffn) context.tick(256 * unitsPerAddress);
    addresses.add(addressText({ bits: network.bits, value }));
  }
  return addresses;
}

/** Addresses in a row, in the space of IPv6 where those of IPv4 have their place; `text` is what it was written as, if it stands for itself. */
interface Range {
  readonly first: bigint;
  readonly last: bigint;
  readonly text: string | undefined;
}

const mapped = 0xffff_0000_0000n;
const lastMapped = 0xffff_ffff_ffffn;

function rangeOf(network: Network, text: string): Range {
  const base = network.bits === 32 ? mapped : 0n;
  return { first: base + network.value, last: base + lastOf(network), text };
}

/** The network of an element; an IPv4 address stands for the class that it is in. */
function mergeRange(element: Value): Range {
  if (typeof element !== 'string') throw new BuiltinError('element must be string');
  const ip = parseIp(element);
  if (ip === undefined) {
    const network = networkOperand(element);
    return rangeOf(network, networkText(network));
  }
  const address = addressOf(ip);
  if (address.bits === 128) throw new BuiltinError('IPv6 invalid: needs prefix length');
  const first = Number(address.value >> 24n);
  const prefix = first < 0x80 ? 8 : first < 0xc0 ? 16 : 24;
  const network: Network = { bits: 32, value: masked(address.value, 32, prefix), prefix };
  return rangeOf(network, `${addressText(address)}/${prefix}`);
}

/** The fewest networks for some networks and addresses. */
function merge(operand: Value, context: BuiltinContext): RegoSet {
  if (!isArray(operand) && !isSet(operand)) throw new BuiltinError('operand must be an array');
  const elements = isSet(operand) ? sortedMembers(operand) : operand;
  context.tick(elements.length * unitsPerAddress * 4);
  const ranges = elements.map(mergeRange).sort((a, b) => compareBig(a.last, b.last) || compareBig(a.first, b.first));
  const merged: Range[] = [];
  for (const range of ranges.toReversed()) {
    const above = merged.at(-1);
    // The first addresses of IPv4 and IPv6 have none before them.
    const before = above === undefined || above.first === mapped || above.first === 0n ? above?.first : above.first - 1n;
    if (above === undefined || before! > range.last) merged.push(range);
    else merged[merged.length - 1] = { first: range.first < above.first ? range.first : above.first, last: above.last, text: undefined };
  }
  return new RegoSet(merged.flatMap((range) => (range.text === undefined ? networksOf(range, context) : [range.text])));
}

function compareBig(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function networksOf({ first, last }: Range, context: BuiltinContext): string[] {
  const bits = first >= mapped && last <= lastMapped ? 32 : 128;
  const base = bits === 32 ? mapped : 0n;
  const networks: string[] = [];
  for (let start = first - base, end = last - base; start <= end; ) {
    context.tick(unitsPerAddress * 20);
    let free = 0;
    // Twice the size, as long as it begins here and does not go past the end.
    while (free < bits && ((start >> BigInt(free)) & 1n) === 0n && start + (1n << BigInt(free + 1)) - 1n <= end) free++;
    networks.push(networkText({ bits, value: start, prefix: bits - free }));
    start += 1n << BigInt(free);
  }
  return networks;
}

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
