/** PEM certificates and keys for TLS. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ClientCertificate } from '../host-network.js';

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** The certificates of a PEM text, each as PEM; invalid ones are skipped. */
export function certificatesIn(pem: string): readonly string[] {
  return (pem.match(certificateBlock) ?? []).filter((block) => readCertificate(block) !== undefined);
}

function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

/** Why a certificate and a key do not match, in Go's words; undefined if they match. */
export function keyPairProblem({ certificate, key }: ClientCertificate): string | undefined {
  const block = certificate.match(certificateBlock)?.[0];
  if (block === undefined) {
    return certificate.includes('-----BEGIN ')
      ? 'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of other types'
      : 'tls: failed to find any PEM data in certificate input';
  }
  if (!key.includes('-----BEGIN ')) return 'tls: failed to find any PEM data in key input';
  const leaf = readCertificate(block);
  if (leaf === undefined) return 'x509: malformed certificate';
  try {
    return leaf.checkPrivateKey(createPrivateKey(key)) ? undefined : 'tls: private key does not match public key';
  } catch {
    return 'tls: failed to parse private key';
  }
}
