import { BuiltinError } from '../../errors.js';
import { contains, containsAll, type Network, parseAddress, parseNetwork } from './network.js';

/** Whether a network has an address, or all of another network. */
export function cidrContains(network: Network, cidrOrIp: string): boolean {
  const address = parseAddress(cidrOrIp);
  if (address !== undefined) return contains(network, address);
  const inner = parseNetwork(cidrOrIp);
  if (inner === undefined) throw new BuiltinError(`not a valid textual representation of an IP address or CIDR: ${cidrOrIp}`);
  return containsAll(network, inner);
}

export function intersects(x: Network, y: Network): boolean {
  return contains(x, y) || contains(y, x);
}
