/** Signs the files of a bundle. */

import type { HostCrypto, PlainObject } from '../../../values/index.js';
import { encodeBase64Url, encodeUtf8, KeyError, makeSignature, toEscapedJson } from '../../../values/index.js';
import { fileHash, hashNameOf } from '../archive/file-hash.js';
import type { SignaturesConfig } from '../bundle.js';
import { SignatureError } from './signature-error.js';
import { algorithmOf, defaultAlgorithm, signingKey } from './signing-key.js';

export interface SigningConfig {
  /** PEM of a private key, or the text of a secret. */
  readonly key: string;
  /** `RS256` where absent. */
  readonly algorithm?: string;
  /** The id by which verifiers find the key. */
  readonly keyId?: string;
  /** Members of the token besides the files: `scope`, `iss`, `keyid` … */
  readonly claims?: PlainObject;
  /** `SHA-256` where absent. */
  readonly hashAlgorithm?: string;
}

/**
 * Signs the files of a bundle under their names in it: `data.json`, `a/b.rego`. Signatures among
 * them are left out. Rejects with a SignatureError, or a BundleError for a document that cannot be
 * read.
 * @example await signFiles(files, { key: pem, algorithm: 'ES256', keyId: 'k1' }, crypto)
 */
export async function signFiles(
  files: ReadonlyMap<string, Uint8Array>,
  config: SigningConfig,
  crypto: HostCrypto,
): Promise<SignaturesConfig> {
  const algorithmName = config.algorithm || defaultAlgorithm;
  const algorithm = algorithmOf(algorithmName);
  const hashAlgorithm = config.hashAlgorithm || 'SHA-256';
  const hash = hashNameOf(hashAlgorithm);
  if (hash === undefined) throw new SignatureError('malformed', `unsupported hashing algorithm: ${hashAlgorithm}`);
  const key = signingKey(config.key, algorithm, crypto);
  const signed: PlainObject[] = [];
  for (const [path, bytes] of files) {
    const name = path.replace(/^\//, '');
    if (!name.endsWith('signatures.json'))
      signed.push({ name, hash: await fileHash(name, bytes, hash, crypto), algorithm: hashAlgorithm });
  }
  const keyId = config.keyId ?? '';
  const claims = config.claims ?? (keyId === '' ? {} : { keyid: keyId });
  const header = { alg: algorithmName, ...(keyId !== '' && { kid: keyId }) };
  const token = `${encodeJson(header)}.${encodeJson({ files: signed, ...claims })}`;
  try {
    return { signatures: [`${token}.${encodeBase64Url(makeSignature(algorithm, key, token, crypto))}`] };
  } catch (error) {
    throw error instanceof KeyError ? new SignatureError('key', error.message) : error;
  }
}

function encodeJson(value: PlainObject): string {
  return encodeBase64Url(encodeUtf8(toEscapedJson(value)));
}
