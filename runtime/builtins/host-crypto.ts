/** Hashes, keys, signatures and certificates, as the platform has them. */
export type HostCrypto = {};
