/**
 * A certificate and the private key that goes with it, as Go's `tls.Certificate` shows them in
 * JSON.
 */
import type { ObjectValue } from '../../../value.js';
import type { HostCrypto } from '../../host-crypto.js';
import { encodeBase64 } from '../go/base64.js';
import { sameBytes } from '../go/octets.js';
import { parseCertificate } from './certificate.js';
import { certificateValue } from './certificate-values.js';
import type { PemBlock } from './pem.js';
import { type PrivateKey, parsePkcs1, parsePkcs8, parseSec1 } from './private-key.js';
import { privateKeyValue } from './private-key-values.js';
import type { PublicKey } from './public-key.js';
import { X509Error } from './x509-error.js';

type Block = Pick<PemBlock, 'type' | 'bytes'>;

/**
 * Throws an X509Error where the certificate or the key is missing or malformed, or they do not go
 * together.
 */
export function keyPairValue(
  certificateBlocks: readonly Block[],
  keyBlocks: readonly Block[],
  crypto: HostCrypto,
): ObjectValue {
  const certificates = certificateBlocks.filter(({ type }) => type === 'CERTIFICATE');
  const [first] = certificates;
  if (first === undefined) throw new X509Error(noCertificate(certificateBlocks));
  const keyBlock = keyBlocks.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (keyBlock === undefined) throw new X509Error(noKey(keyBlocks));
  const leaf = parseCertificate(first.bytes);
  const key = parseAnyKey(keyBlock.bytes, crypto);
  checkPair(leaf.publicKey, key);
  return {
    Certificate: certificates.map(({ bytes }) => encodeBase64(bytes)),
    PrivateKey: privateKeyValue(key),
    SupportedSignatureAlgorithms: null,
    OCSPStaple: null,
    SignedCertificateTimestamps: null,
    Leaf: certificateValue(leaf),
  };
}

function noCertificate(blocks: readonly Block[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in certificate input';
  if (blocks.length === 1 && blocks.some(({ type }) => type.endsWith('PRIVATE KEY'))) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function noKey(blocks: readonly Block[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in key input';
  if (blocks.length === 1 && blocks.some(({ type }) => type === 'CERTIFICATE')) {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: ${typesOf(blocks)}`;
}

function typesOf(blocks: readonly Block[]): string {
  return `[${blocks.map(({ type }) => type).join(' ')}]`;
}

/** The type of the block does not matter: the key has the first form as which it parses. */
function parseAnyKey(der: Uint8Array, crypto: HostCrypto): PrivateKey {
  for (const parse of [parsePkcs1, parsePkcs8, parseSec1]) {
    try {
      return parse(der, crypto);
    } catch (error) {
      if (!(error instanceof X509Error)) throw error;
    }
  }
  throw new X509Error('tls: failed to parse private key');
}

function checkPair(publicKey: PublicKey | undefined, key: PrivateKey): void {
  if (publicKey === undefined || publicKey.type === 'dsa') throw new X509Error('tls: unknown public key algorithm');
  if (key.type === 'x25519') throw new X509Error('tls: found unknown private key type in PKCS#8 wrapping');
  if (key.type !== publicKey.type) throw new X509Error('tls: private key type does not match public key type');
  if (!isHalfOf(publicKey, key)) throw new X509Error('tls: private key does not match public key');
}

function isHalfOf(publicKey: PublicKey, key: PrivateKey): boolean {
  if (publicKey.type === 'rsa' && key.type === 'rsa') return publicKey.n === key.n && publicKey.e === key.e;
  if (publicKey.type === 'ec' && key.type === 'ec') {
    return publicKey.curve === key.curve.name && publicKey.x === key.x && publicKey.y === key.y;
  }
  return publicKey.type === 'ed25519' && key.type === 'ed25519' && sameBytes(publicKey.bytes, key.publicKey);
}
