/** Merges adjacent and overlapping networks. */
import { RegoSet } from '../../../set.js';
import { isArray, isSet, type Value } from '../../../value.js';
import type { OperandReader } from '../../builtin.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { membersOf } from '../../value-operands.js';
import { unitsPerAddress } from './expand.js';
import { addressText, boundsOf, type Network, networkText, parseIpAddress, v4Network } from './network.js';
import { networkOperand } from './remembered.js';

/**
 * A range of addresses, as numbers of IPv6; those of IPv4 are mapped. `text` is the text of the
 * network if the range is that of one operand.
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
  const [first, last] = boundsOf(network);
  return { first: base + first, last: base + last, text };
}

/** The network of an element; an IPv4 address counts as the network of its class. */
function mergeRange(element: Value): Range {
  if (typeof element !== 'string') throw new BuiltinError('element must be string');
  const address = parseIpAddress(element);
  if (address === undefined) {
    const network = networkOperand(element);
    return rangeOf(network, networkText(network));
  }
  if (address.bits === 128) throw new BuiltinError('IPv6 invalid: needs prefix length');
  const first = address.value >>> 24;
  const prefix = first < 0x80 ? 8 : first < 0xc0 ? 16 : 24;
  return rangeOf(v4Network(address.value, prefix), `${addressText(address)}/${prefix}`);
}

/** Networks and addresses. An element's type is checked after the elements before it are read. */
export const rangesOperand: OperandReader<readonly Range[]> = (operand, _, context) => {
  if (!isArray(operand) && !isSet(operand)) throw new BuiltinError('operand must be an array');
  const elements = membersOf(operand);
  context.tick(elements.length * unitsPerAddress * 4);
  return elements.map(mergeRange);
};

/** The fewest networks for some networks and addresses. */
export function mergeRanges(ranges: readonly Range[], context: BuiltinContext): RegoSet {
  const sorted = ranges.toSorted((a, b) => compareBig(a.last, b.last) || compareBig(a.first, b.first));
  const merged: Range[] = [];
  for (const range of sorted.toReversed()) {
    const above = merged.at(-1);
    if (above === undefined || addressBefore(above.first) > range.last) merged.push(range);
    else
      merged[merged.length - 1] = {
        first: range.first < above.first ? range.first : above.first,
        last: above.last,
        text: undefined,
      };
  }
  return new RegoSet(merged.flatMap((range) => (range.text === undefined ? networksOf(range, context) : [range.text])));
}

/** No address precedes the first of IPv6, the first of IPv4 or the one behind the last of IPv4. */
function addressBefore(first: bigint): bigint {
  return first === 0n || first === mapped || first === lastMapped + 1n ? first : first - 1n;
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
    const prefix = bits - free;
    networks.push(networkText(bits === 32 ? v4Network(Number(start), prefix) : { bits, value: start, prefix }));
    start += 1n << BigInt(free);
  }
  return networks;
}
