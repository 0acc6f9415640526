/** Making tokens. */

import { objectGet } from '../../../compare.js';
import { JsonError, parseJson } from '../../../json/json.js';
import { isObject, isString } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { type HostCrypto, KeyError } from '../../host-crypto.js';
import { encodeBase64Url, encodeTextUrl } from '../go/base64.js';
import { Base64Error } from '../go/base64-decoder.js';
import { algorithms, makeSignature, type TokenKey } from './algorithms.js';
import { parseJwks, verificationKey } from './verification-keys.js';

/**
 * A signed token of a header and a payload as they are written, with the first key of a JSON Web
 * Key (set). Throws a BuiltinError.
 */
export function signToken(
  header: string,
  payload: string,
  jwk: string,
  crypto: HostCrypto,
  ctx: BuiltinContext,
): string {
  const key = signingKey(jwk, crypto, ctx);
  const read = headerMembers(header);
  const alg = read('alg');
  if (alg === undefined) throw new BuiltinError(`missing or invalid 'alg' header: jwsbb: header "alg" not found`);
  const algorithm = algorithms.get(alg);
  if (algorithm === undefined) throw new BuiltinError(`unknown JWS algorithm: ${alg}`);
  if ((read('typ') ?? 'JWT') === 'JWT' && !isJson(payload))
    throw new BuiltinError('type is JWT but payload is not JSON');
  const signed = `${encodeTextUrl(header)}.${encodeTextUrl(payload)}`;
  try {
    return `${signed}.${encodeBase64Url(makeSignature(algorithm, key, signed, crypto))}`;
  } catch (error) {
    throw error instanceof KeyError ? new BuiltinError(error.message) : error;
  }
}

function signingKey(jwk: string, crypto: HostCrypto, ctx: BuiltinContext): TokenKey {
  const cache = ctx.caches.of<TokenKey>('io.jwt signing keys', 16);
  const known = cache.get(jwk);
  if (known !== undefined) return known;
  try {
    const first = parseJwks(jwk)[0];
    if (first === undefined) throw new BuiltinError('no keys found in JWK set');
    const key = verificationKey(first, crypto);
    cache.set(jwk, key);
    return key;
  } catch (error) {
    if (error instanceof KeyError || error instanceof JsonError || error instanceof Base64Error) {
      throw new BuiltinError(`failed to parse JWK: ${error.message}`);
    }
    throw error;
  }
}

/**
 * The text members of a header. The reference reads any run of the characters of numbers as JSON,
 * and finds no members there.
 */
function headerMembers(header: string): (name: string) => string | undefined {
  if (/^\s*[-+.eE0-9]+\s*$/.test(header)) return () => undefined;
  if (header.trim() === '')
    throw new BuiltinError("missing or invalid 'alg' header: cannot parse JSON: cannot parse empty string");
  try {
    const value = parseJson(header);
    return (name) => {
      const found = isObject(value) ? objectGet(value, name) : undefined;
      return found !== undefined && isString(found) ? found : undefined;
    };
  } catch (error) {
    if (error instanceof JsonError)
      throw new BuiltinError(`missing or invalid 'alg' header: cannot parse JSON: ${error.message}`);
    throw error;
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}
