import { asV4, ipText, parseIp, v4Number } from './ip-text.js';

/**
 * An address as a number of 32 or 128 bits; one of IPv4 written as IPv6 has 32. Doubles are many
 * times faster than big integers.
 */
export type Address = { readonly bits: 32; readonly value: number } | { readonly bits: 128; readonly value: bigint };

/** A network: its first address and how many bits all its addresses share. */
export type Network = Address & { readonly prefix: number };

/** The address of a text, undefined where it is none. */
export function parseIpAddress(text: string): Address | undefined {
  const value = v4Number(text, text.length);
  if (value >= 0) return { bits: 32, value };
  const ip = parseIp(text);
  return ip && addressOf(ip);
}

function addressOf(ip: Uint8Array): Address {
  const v4 = asV4(ip);
  return v4 === undefined ? { bits: 128, value: numberOf(ip) } : { bits: 32, value: Number(numberOf(v4)) };
}

function numberOf(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return value;
}

export function addressText({ bits, value }: Address): string {
  if (bits === 32) return `${value >>> 24}.${(value >>> 16) & 0xff}.${(value >>> 8) & 0xff}.${value & 0xff}`;
  const bytes = new Uint8Array(16);
  for (let i = 15, rest = value; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return ipText(bytes);
}

export function networkText(network: Network): string {
  return `${addressText(network)}/${network.prefix}`;
}

export function parseNetwork(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? -1 : digitsOf(text, slash + 1);
  if (prefix < 0) return undefined;
  const v4 = v4Number(text, slash);
  if (v4 >= 0) return prefix > 32 ? undefined : v4Network(v4, prefix);
  const ip = parseIp(text.slice(0, slash));
  if (ip === undefined || prefix > 128) return undefined;
  const value = masked(numberOf(ip), prefix);
  // An IPv4 address written as IPv6 is one of IPv4, unless the mask is shorter than its marking
  // prefix.
  if (asV4(ip) !== undefined && prefix >= 96) return v4Network(Number(value & 0xffff_ffffn), prefix - 96);
  return { bits: 128, value, prefix };
}

/** The number of one to nine digits that end a text, -1 where it ends otherwise. */
function digitsOf(text: string, start: number): number {
  if (start === text.length || text.length > start + 9) return -1;
  let value = 0;
  for (let i = start; i < text.length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** The network of an address of IPv4. */
export function v4Network(address: number, prefix: number): Network {
  return { bits: 32, value: maskedV4(address, prefix), prefix };
}

/** A shift takes its count modulo 32. */
function maskedV4(value: number, prefix: number): number {
  return prefix === 0 ? 0 : (value & (-1 << (32 - prefix))) >>> 0;
}

function masked(value: bigint, prefix: number): bigint {
  const free = BigInt(128 - prefix);
  return (value >> free) << free;
}

/** How many addresses a network has. */
export function networkSize({ bits, prefix }: Network): number {
  return 2 ** (bits - prefix);
}

/** The address at an index of the network. */
export function addressInNetwork(network: Network, index: number): Address {
  return network.bits === 32
    ? { bits: 32, value: network.value + index }
    : { bits: 128, value: network.value + BigInt(index) };
}

/** The first and the last address, as numbers. */
export function boundsOf({ bits, value, prefix }: Network): readonly [first: bigint, last: bigint] {
  const first = BigInt(value);
  return [first, first + (1n << BigInt(bits - prefix)) - 1n];
}

export function networkContains(network: Network, address: Address): boolean {
  if (network.bits === 32) return address.bits === 32 && maskedV4(address.value, network.prefix) === network.value;
  return address.bits === 128 && masked(address.value, network.prefix) === network.value;
}

/** Whether all addresses of a network are in another one. */
export function containsAll(network: Network, inner: Network): boolean {
  return inner.prefix >= network.prefix && networkContains(network, inner);
}
