import type { Value } from '../../../values/value.js';
import { BuiltinError } from '../../errors.js';
import { stringOperand } from '../../value-operands.js';
import { asV4, ipText, parseIp } from './text.js';

/** An address as a number of 32 or 128 bits; one of IPv4 written as IPv6 has 32. */
interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
}

/** A network: its first address and how many bits all its addresses share. */
export interface Network extends Address {
  readonly prefix: number;
}

export function addressOf(ip: Uint8Array): Address {
  const v4 = asV4(ip);
  return v4 === undefined ? { bits: 128, value: numberOf(ip) } : { bits: 32, value: numberOf(v4) };
}

function numberOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

export function addressText({ bits, value }: Address): string {
  const bytes = new Uint8Array(bits / 8);
  for (let i = bytes.length - 1, rest = value; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return ipText(bytes);
}

export function networkText(network: Network): string {
  return `${addressText(network)}/${network.prefix}`;
}

export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  if (slash < 0 || !/^\d{1,9}$/.test(text.slice(slash + 1))) return undefined;
  const ip = parseIp(text.slice(0, slash));
  const prefix = Number(text.slice(slash + 1));
  if (ip === undefined || prefix > ip.length * 8) return undefined;
  const bits = ip.length === 4 ? 32 : 128;
  const value = masked(numberOf(ip), bits, prefix);
  // An IPv4 address written as IPv6 is one of IPv4, unless the mask is shorter than its marking
  // prefix.
  if (bits === 128 && asV4(ip) !== undefined && prefix >= 96) return { bits: 32, value: value & 0xffff_ffffn, prefix: prefix - 96 };
  return { bits, value, prefix };
}

export function masked(value: bigint, bits: number, prefix: number): bigint {
  const free = BigInt(bits - prefix);
  return (value >> free) << free;
}

export function lastOf({ bits, value, prefix }: Network): bigint {
  return value | ((1n << BigInt(bits - prefix)) - 1n);
}

export function contains(network: Network, address: Address): boolean {
  return network.bits === address.bits && masked(address.value, network.bits, network.prefix) === network.value;
}

export function networkOperand(operand: Value): Network {
  // The reference's message names operand 1 for each operand.
  const text = stringOperand(operand, 1);
  const network = parseNetwork(text);
  if (network === undefined) throw new BuiltinError(`invalid CIDR address: ${text}`);
  return network;
}
