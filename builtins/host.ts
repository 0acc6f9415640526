/**
 * The only access to the platform. The compiler, the VM, values and most built-ins do not use Node.
 * Other built-ins call functions that each platform supplies (`builtins/host/node.ts` for Node),
 * and fail if these are missing.
 */
import { BuiltinError } from './builtin-errors.js';
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
