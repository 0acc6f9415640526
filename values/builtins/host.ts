/**
 * The only access to the platform. The compiler, the VM, values and most built-ins do not use Node.
 * Other built-ins call functions that each platform supplies (`values/builtins/host/node.ts` for
 * Node),
 * and fail if these are missing.
 */
import { BuiltinError } from './builtin-errors.js';
import type { HostCrypto } from './host-crypto.js';
import type { HostNetwork } from './host-network.js';

/** See `BuiltinContext.wait`. */
export type Wait = <Answer>(key: string, start: (signal: AbortSignal) => Promise<Answer>) => Answer;

export interface Host {
  readonly crypto?: HostCrypto;
  /**
   * Cryptography for one evaluation where keys cannot be used without waiting: in the place of
   * `crypto`. It gets `BuiltinContext.wait`.
   */
  readonly waitingCrypto?: (wait: Wait) => HostCrypto;
  readonly network?: HostNetwork;
}

/** The error of a built-in whose part of the platform is missing. */
export function missingHost(what: string): BuiltinError {
  return new BuiltinError(`not available on this platform: ${what} is missing`);
}
