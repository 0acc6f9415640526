/** The addresses of a network. */
import { RegoSet } from '../../../set.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { addressInNetwork, addressText, type Network, networkSize } from './network.js';

export const unitsPerAddress = 60;

/** A set of more addresses than this is refused: it would take seconds and all memory. */
const maxExpansion = 1 << 20;

export function expand(network: Network, context: BuiltinContext): RegoSet {
  const size = networkSize(network);
  if (size > maxExpansion) throw new BuiltinError(`more than ${maxExpansion} addresses`);
  const addresses = new RegoSet();
  for (let i = 0; i < size; i++) {
    if ((i & 0xff) === 0xff) context.tick(256 * unitsPerAddress);
    addresses.add(addressText(addressInNetwork(network, i)));
  }
  return addresses;
}
