/** Networks merged where they lie side by side. */
import { sortedMembers } from '../../../values/compare.js';
import { RegoSet } from '../../../values/set.js';
import { isArray, isSet, type Value } from '../../../values/value.js';
import type { BuiltinContext } from '../../context.js';
import { BuiltinError } from '../../errors.js';
import { unitsPerAddress } from './expand.js';
import { addressOf, addressText, lastOf, masked, type Network, networkOperand, networkText } from './network.js';
import { parseIp } from './text.js';

/**
 * Addresses in a row, in the space of IPv6 where those of IPv4 have their place; `text` is its
 * text, if it is a single operand.
 */
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

/** The network of an element; an IPv4 address counts as the network of its class. */
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
export function merge(operand: Value, context: BuiltinContext): RegoSet {
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
