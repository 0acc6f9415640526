/** The TLS flags of `run`. */
import { createSecureContext, type SecureVersion } from 'node:tls';
import { cipherList, readConfigText, type ServerTlsOptions, withOldVersions } from '../../server/index.js';
import { certificatesIn, keyPairProblem, type TlsFloor } from '../../values/node.js';
import type { FlagValues } from '../flags.js';

/**
 * The limits of the flags for connections to services; without a flag Node decides. Throws an
 * Error.
 */
export function tlsFloor(flags: FlagValues): TlsFloor {
  const given = ciphersOf(flags);
  if (flags.text('min-tls-version') === undefined) return given === undefined ? {} : { ciphers: given };
  const minVersion = minVersionOf(flags);
  const ciphers = minVersion === 'TLSv1' || minVersion === 'TLSv1.1' ? withOldVersions(given) : given;
  return { minVersion, ...(ciphers !== undefined && { ciphers }) };
}

function ciphersOf(flags: FlagValues): string | undefined {
  return flags.has('tls-cipher-suites') ? cipherList(flags.all('tls-cipher-suites')) : undefined;
}

function minVersionOf(flags: FlagValues): SecureVersion {
  return `TLSv${(flags.text('min-tls-version') ?? '1.2').replace('1.0', '1')}` as SecureVersion;
}

/**
 * Undefined without a certificate. Throws an Error where certificate or key is missing, and for a
 * bad certificate, key or cipher suite.
 */
export function tlsOptions(flags: FlagValues): ServerTlsOptions | undefined {
  const ciphers = ciphersOf(flags);
  const certFile = flags.text('tls-cert-file') ?? '';
  const keyFile = flags.text('tls-private-key-file') ?? '';
  const ca = authorities(flags.text('tls-ca-cert-file') ?? '');
  if (certFile === '' && keyFile === '') return undefined;
  if (certFile === '' || keyFile === '')
    throw new Error('--tls-cert-file and --tls-private-key-file must be specified together');
  const pair = { cert: readConfigText(certFile), key: readConfigText(keyFile) };
  checkPair(pair);
  return {
    ...pair,
    ...(ca !== undefined && { ca }),
    ...(ciphers !== undefined && { ciphers }),
    requireClientCertificate: flags.text('authentication') === 'tls',
    minVersion: minVersionOf(flags),
  };
}

/** Throws an Error for a pair with which the server would start but refuse all connections. */
function checkPair(pair: { readonly cert: string; readonly key: string }): void {
  const problem = keyPairProblem({ certificate: pair.cert, key: pair.key });
  if (problem !== undefined) throw new Error(problem);
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new Error(`tls: failed to read certificate and key: ${(error as Error).message}`);
  }
}

/** Undefined without a file: then the system's authorities count. */
function authorities(file: string): string | undefined {
  if (file === '') return undefined;
  let pem: string;
  try {
    pem = readConfigText(file);
  } catch (error) {
    throw new Error(`read CA cert file: ${(error as Error).message}`);
  }
  const certificates = certificatesIn(pem);
  if (certificates.length === 0) throw new Error(`failed to parse CA cert ${JSON.stringify(file)}`);
  return certificates.join('\n');
}
