import type { Value } from '../../../values/value.js';
import { BuiltinError } from '../../errors.js';
import { stringOperand } from '../../value-operands.js';
import { addressOf, contains, lastOf, type Network, networkOperand, parseNetwork } from './network.js';
import { parseIp } from './text.js';

/** Whether a network has an address, or all of another network. */
export function cidrContains(cidr: Value, cidrOrIp: Value): boolean {
  return v4Contains(cidr, cidrOrIp) ?? holds(networkOperand(cidr), cidrOrIp);
}

/**
 * The usual question, of a network and an address of IPv4, without big integers; undefined for any
 * other.
 */
export function v4Contains(cidr: Value, ip: Value): boolean | undefined {
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

export function holds(network: Network, cidrOrIp: Value): boolean {
  const text = stringOperand(cidrOrIp, 1);
  const ip = parseIp(text);
  if (ip !== undefined) return contains(network, addressOf(ip));
  const inner = parseNetwork(text);
  if (inner === undefined) throw new BuiltinError(`not a valid textual representation of an IP address or CIDR: ${text}`);
  return contains(network, inner) && contains(network, { bits: inner.bits, value: lastOf(inner) });
}

export function intersects(a: Value, b: Value): boolean {
  const x = networkOperand(a);
  const y = networkOperand(b);
  return contains(x, y) || contains(y, x);
}
