/**
 * The only access to the platform. Compiler, VM, values and most built-ins need nothing of Node;
 * all others call functions that an entry for a platform fills in (`runtime/host/node.ts` for
 * Node). A built-in whose part is absent says so.
 */
import { BuiltinError } from './errors.js';
import type { HostCrypto } from './host-crypto.js';
import type { HostNetwork } from './host-network.js';

export interface Host {
  readonly crypto?: HostCrypto;
  readonly network?: HostNetwork;
}

/** The error of a built-in whose part of the platform is missing. */
export function missingHost(what: string): BuiltinError {
  return new BuiltinError(`not available on this platform: ${what} is missing`);
}
