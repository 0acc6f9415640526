/** The keys that sign bundles and verify their signatures: PEM, or the text of a shared secret. */

import type { Algorithm, HostCrypto, KeySource, TokenKey } from '../../../values/index.js';
import { algorithms, encodeUtf8, KeyError, nextPem, parseCertificate, X509Error } from '../../../values/index.js';
import { SignatureError } from './signature-error.js';

export const defaultAlgorithm = 'RS256';

/** Throws a SignatureError for an unknown name. */
export function algorithmOf(name: string): Algorithm {
  const algorithm = algorithms.get(name);
  if (algorithm === undefined) throw new SignatureError('key', `unknown signature algorithm: ${name}`);
  return algorithm;
}

/** The message for a text that is no key in PEM. */
export const noPem = 'failed to parse PEM block containing the key';

/**
 * The key to verify with: a secret for HMAC, else a public key, a private key or a certificate.
 * Throws a SignatureError.
 */
export function bundleVerificationKey(text: string, algorithm: Algorithm, crypto: HostCrypto): TokenKey {
  if (algorithm.type === 'hmac') return encodeUtf8(text);
  const block = nextPem(text);
  if (block === undefined) throw new SignatureError('key', noPem);
  const { type, bytes: der } = block;
  switch (type) {
    case 'RSA PUBLIC KEY':
      return imported({ format: 'pkcs1-public', der }, crypto);
    case 'PUBLIC KEY':
      return imported({ format: 'spki', der }, crypto);
    case 'CERTIFICATE':
      return explained(() => crypto.importKey({ format: 'spki', der: parseCertificate(der).rawSubjectPublicKeyInfo }));
    default: {
      const source = privateSource(type, der);
      if (source === undefined) throw new SignatureError('key', `unsupported PEM block type: ${type}`);
      return imported(source, crypto);
    }
  }
}

/** The key to sign with: a secret for HMAC, else a private key. Throws a SignatureError. */
export function signingKey(text: string, algorithm: Algorithm, crypto: HostCrypto): TokenKey {
  if (algorithm.type === 'hmac') return encodeUtf8(text);
  const block = nextPem(text);
  if (block === undefined) throw new SignatureError('key', noPem);
  const source = privateSource(block.type, block.bytes);
  if (source === undefined) throw new SignatureError('key', `unsupported key type: ${block.type}`);
  return imported(source, crypto);
}

function privateSource(type: string, der: Uint8Array): KeySource | undefined {
  switch (type) {
    case 'RSA PRIVATE KEY':
      return { format: 'pkcs1', der };
    case 'PRIVATE KEY':
      return { format: 'pkcs8', der };
    case 'EC PRIVATE KEY':
      return { format: 'sec1', der };
    default:
      return undefined;
  }
}

function imported(source: KeySource, crypto: HostCrypto): TokenKey {
  return explained(() => crypto.importKey(source));
}

function explained<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof KeyError || error instanceof X509Error) throw new SignatureError('key', error.message);
    throw error;
  }
}
