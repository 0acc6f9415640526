/** Signatures of tokens verified. */

import { type BuiltinContext, cryptoOf } from '../../builtin-context.js';
import type { HashName } from '../../host-crypto.js';
import { type Algorithm, algorithms, evenlySplit, isSecret, type TokenKey, verifySignature } from './algorithms.js';
import { decodeHeader, decodeSection, readHeader, signedText, type TokenHeader, type WebToken } from './token.js';
import { type KeySet, keySetOf, type VerificationKey } from './verification-keys.js';

export function secretVerifier(hash: HashName) {
  return (token: WebToken, secret: string, ctx: BuiltinContext): boolean => {
    const crypto = cryptoOf(ctx);
    return crypto.equal(decodeSection(token.signature), crypto.hmac(hash, secret, signedText(token)));
  };
}

export function verifier(name: string) {
  const algorithm = loosened(algorithms.get(name)!);
  return (token: WebToken, certificate: string, ctx: BuiltinContext): boolean => {
    const crypto = cryptoOf(ctx);
    const keys = keySetOf(certificate, crypto, ctx);
    const signature = decodeSection(token.signature);
    const header = readHeader(decodeHeader(token));
    return remembered(`${name} ${keys.id} ${token.text}`, ctx, () =>
      someKeyHolds(keys, header, (key) => {
        ctx.tick(verificationWork);
        if (isSecret(key) || key.isPrivate) return false;
        const even = algorithm.type === 'ecdsa' ? evenlySplit(signature, key) : signature;
        return even !== undefined && verifySignature(algorithm, key, signedText(token), even, crypto);
      }),
    );
  };
}

/**
 * The verifying functions take a salt of any length; `decode_verify` wants it as long as the hash,
 * as the standard does.
 */
function loosened(algorithm: Algorithm): Algorithm {
  return algorithm.type === 'rsa-pss' ? { ...algorithm, salt: 'any-length' } : algorithm;
}

/**
 * Whether the signature is valid for the key that the header names. If no key has that name, any
 * key for the algorithm may fit.
 */
export function someKeyHolds({ keys }: KeySet, { alg, kid }: TokenHeader, holds: (key: TokenKey) => boolean): boolean {
  const named: VerificationKey | undefined = kid === '' ? undefined : keys.find((key) => key.kid === kid);
  if (named !== undefined) return holds(named.key);
  return keys.some((key) => (key.alg === '' || key.alg === alg) && holds(key.key));
}

/** Units for verifying one signature. */
export const verificationWork = 10_000;

// Tokens longer than this are not worth the memory.
const longestRemembered = 8192;

/**
 * Whether the signature of a token holds, remembered across evaluations. The key names the
 * algorithm, the keys and the token.
 */
export function remembered(key: string, ctx: BuiltinContext, verify: () => boolean): boolean {
  if (key.length > longestRemembered) return verify();
  const cache = ctx.caches.of<{ readonly holds: boolean }>('io.jwt signatures', 1000);
  const known = cache.get(key);
  if (known !== undefined) return known.holds;
  const holds = verify();
  cache.set(key, { holds });
  return holds;
}
