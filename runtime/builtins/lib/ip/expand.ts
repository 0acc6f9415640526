/** The addresses of a network. */
import { RegoSet } from '../../../values/set.js';
import type { Value } from '../../../values/value.js';
import type { BuiltinContext } from '../../context.js';
import { BuiltinError } from '../../errors.js';
import { addressText, lastOf, networkOperand } from './network.js';

export const unitsPerAddress = 60;

/** A set of more addresses than this is refused: it would take seconds and all memory. */
const maxExpansion = 1n << 20n;

export function expand(cidr: Value, context: BuiltinContext): RegoSet {
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
