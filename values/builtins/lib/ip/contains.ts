import { BuiltinError } from '../../builtin-errors.js';
import { containsAll, type Network, networkContains } from './network.js';
import { addressOf, networkOf } from './remembered.js';

/** Whether a network has an address, or all of another network. */
export function cidrContains(network: Network, cidrOrIp: string): boolean {
  const address = addressOf(cidrOrIp);
  if (address !== undefined) return networkContains(network, address);
  const inner = networkOf(cidrOrIp);
  if (inner === undefined)
    throw new BuiltinError(`not a valid textual representation of an IP address or CIDR: ${cidrOrIp}`);
  return containsAll(network, inner);
}

export function intersects(x: Network, y: Network): boolean {
  return networkContains(x, y) || networkContains(y, x);
}
