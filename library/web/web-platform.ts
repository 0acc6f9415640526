/**
 * Browsers, workers and edge runtimes, with what their engines load on demand. Threads are not
 * here: a thread starts no others, and bundlers would see that its script loads itself.
 */

import type { Platform } from '../../engine/index.js';
import { fetchNetwork, loadBuiltins } from '../../values/index.js';

/** Loaded with the built-ins that use it. */
const cryptography: { module: typeof import('../../values/builtins/web/web-crypto.js') | undefined } = {
  module: undefined,
};

const usesCryptography = /^(?:crypto|io\.jwt|providers)\./;

export const webPlatform: Platform = {
  host: { waitingCrypto: (wait) => cryptography.module!.webCrypto(wait), network: fetchNetwork },
  async readBundle(source, options) {
    const { readWebBundle } = await import('../sources/web-bundles.js');
    return await readWebBundle(source, { verification: options?.verification });
  },
  async readBytes(bytes, options) {
    const { readWebBundle } = await import('../sources/web-bundles.js');
    return await readWebBundle(bytes, { verification: options?.verification });
  },
  async readPolicy(source) {
    const { readWebPolicy } = await import('../sources/web-bundles.js');
    return await readWebPolicy(source);
  },
  async loadBuiltins(names) {
    const isUsed = names === undefined || [...names].some((name) => usesCryptography.test(name));
    const crypto = isUsed ? import('../../values/builtins/web/web-crypto.js') : undefined;
    await loadBuiltins(names);
    cryptography.module ??= await crypto;
  },
};
