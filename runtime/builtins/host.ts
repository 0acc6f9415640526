/**
 * The one door to the platform. Compiler, VM, values and most built-ins need nothing of Node; what does goes through functions that an entry
 * for a platform fills in (`runtime/host/node.ts` for Node). A built-in whose part is absent says so.
 */
import { BuiltinError } from './errors.js';
import type { HostCrypto } from './host-crypto.js';
import type { HostNetwork } from './host-network.js';

export interface Host {
  readonly crypto?: HostCrypto;
  readonly network?: HostNetwork;
}

/** What a built-in throws where the platform lacks what it needs. */
export function missingHost(what: string): BuiltinError {
  return new BuiltinError(`not available on this platform: ${what} is missing`);
}
