/** Checks the files of a bundle against its signature. */
import { type HostCrypto, sortStrings } from '../../../values/index.js';
import { fileHash, type HashOptions, hashNameOf } from '../archive/file-hash.js';
import type { SignaturesConfig } from '../bundle.js';
import { FileGlobError, shellGlob } from '../glob.js';
import { SignatureError } from './signature-error.js';
import { type SignedFile, type VerificationConfig, verifyToken } from './token.js';

/**
 * Checks the files of a bundle against its signature. `files` are all files but the signatures, by
 * the names that the signature gives them. Rejects with a SignatureError, or a BundleError for a
 * document that cannot be read. A bundle without a signature passes if none is required
 * (`VerificationConfig.optional`).
 */
export async function verifySignatures(
  files: ReadonlyMap<string, Uint8Array>,
  signatures: SignaturesConfig | undefined,
  config: VerificationConfig,
  crypto: HostCrypto,
  options?: HashOptions,
): Promise<void> {
  const signed = verifyToken(signatures, config, crypto);
  if (signed === undefined) return;
  const isExcluded = exclusion(config.exclude ?? []);
  const missing = new Map(signed);
  for (const [path, bytes] of files) {
    const name = path.replace(/^\//, '');
    missing.delete(name);
    if (!isExcluded(name)) await verifyFile(name, bytes, signed.get(name), crypto, options);
  }
  if (missing.size > 0) {
    const names = sortStrings([...missing.keys()]);
    throw new SignatureError(
      'missing',
      `file(s) [${names.join(' ')}] specified in bundle signatures but not found in the target bundle`,
      names[0],
    );
  }
}

function exclusion(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.flatMap((pattern) => {
    try {
      return [shellGlob(pattern)];
    } catch (error) {
      // In the reference a bad pattern matches nothing, so the file has to be signed.
      if (error instanceof FileGlobError) return [];
      throw error;
    }
  });
  return (name) => tests.some((matches) => matches(name));
}

async function verifyFile(
  name: string,
  bytes: Uint8Array,
  signed: SignedFile | undefined,
  crypto: HostCrypto,
  options: HashOptions | undefined,
): Promise<void> {
  if (signed === undefined) throw new SignatureError('added', `file ${name} not included in bundle signature`, name);
  if (signed.algorithm === '')
    throw new SignatureError('malformed', `no hashing algorithm provided for file ${name}`, name);
  const hash = hashNameOf(signed.algorithm);
  if (hash === undefined)
    throw new SignatureError('malformed', `unsupported hashing algorithm: ${signed.algorithm}`, name);
  const got = await fileHash(name, bytes, hash, crypto, options);
  const want = signed.hash.toLowerCase();
  if (want !== got) throw new SignatureError('changed', `${name}: digest mismatch (want: ${want}, got: ${got})`, name);
}
