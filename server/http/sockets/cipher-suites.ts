/** `--tls-cipher-suites`: Go's names of cipher suites, as OpenSSL and Node call them. */
import { DEFAULT_CIPHERS, getCiphers } from 'node:tls';

/** OpenSSL's names by Go's, for TLS 1.0 to 1.2. */
const opensslNames: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 'ECDHE-ECDSA-AES128-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 'ECDHE-ECDSA-AES256-SHA',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: 'ECDHE-RSA-AES128-SHA',
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: 'ECDHE-RSA-AES256-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 'ECDHE-ECDSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: 'ECDHE-RSA-AES128-GCM-SHA256',
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: 'ECDHE-RSA-AES256-GCM-SHA384',
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-RSA-CHACHA20-POLY1305',
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: 'ECDHE-ECDSA-CHACHA20-POLY1305',
  TLS_RSA_WITH_RC4_128_SHA: 'RC4-SHA',
  TLS_RSA_WITH_3DES_EDE_CBC_SHA: 'DES-CBC3-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA: 'AES128-SHA',
  TLS_RSA_WITH_AES_256_CBC_SHA: 'AES256-SHA',
  TLS_RSA_WITH_AES_128_CBC_SHA256: 'AES128-SHA256',
  TLS_RSA_WITH_AES_128_GCM_SHA256: 'AES128-GCM-SHA256',
  TLS_RSA_WITH_AES_256_GCM_SHA384: 'AES256-GCM-SHA384',
  TLS_ECDHE_ECDSA_WITH_RC4_128_SHA: 'ECDHE-ECDSA-RC4-SHA',
  TLS_ECDHE_RSA_WITH_RC4_128_SHA: 'ECDHE-RSA-RC4-SHA',
  TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA: 'ECDHE-RSA-DES-CBC3-SHA',
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 'ECDHE-ECDSA-AES128-SHA256',
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: 'ECDHE-RSA-AES128-SHA256',
};

/** The suites of TLS 1.3, which cannot be chosen. */
const fixedNames = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/**
 * OpenSSL's list of the suites with these names and of TLS 1.3. Throws an Error for a name that Go
 * does not know, for a suite of TLS 1.3, and for a suite that this Node was built without.
 */
export function cipherList(names: readonly string[]): string {
  const available = getCiphers();
  const chosen = names.map((name) => {
    if (fixedNames.includes(name)) throw new Error(`TLS 1.3 cipher suite ${JSON.stringify(name)} is not configurable`);
    const openssl = Object.hasOwn(opensslNames, name) ? opensslNames[name] : undefined;
    if (openssl === undefined) throw new Error(`invalid cipher suite ${name}`);
    if (!available.includes(openssl.toLowerCase())) throw new Error(`cipher suite ${name} is not part of this Node`);
    return openssl;
  });
  return [...fixedNames, ...chosen].join(':');
}

/**
 * The list, or Node's own, for servers that accept TLS 1.0 or 1.1. Both versions sign with SHA-1,
 * which OpenSSL allows only at its lowest security level.
 */
export function withOldVersions(list: string = DEFAULT_CIPHERS): string {
  return `${list}:@SECLEVEL=0`;
}
