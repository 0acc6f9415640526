/** Keys of tokens: from a PEM certificate or public key, a JSON Web Key, or a set of them. */
import { objectGet } from '../../../compare.js';
import { JsonError, parseJson } from '../../../json/json.js';
import { isArray, isObject, isString, type ObjectValue, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';
import { BuiltinError } from '../../builtin-errors.js';
import { type HostCrypto, type Jwk, KeyError } from '../../host-crypto.js';
import { decodeBase64Url } from '../go/base64.js';
import { Base64Error } from '../go/base64-decoder.js';
import { parseCertificate } from '../x509/certificate.js';
import { nextPem } from '../x509/pem.js';
import { X509Error } from '../x509/x509-error.js';
import { algorithms, type TokenKey } from './algorithms.js';

export interface VerificationKey {
  readonly key: TokenKey;
  /** Empty if the key does not state it. */
  readonly alg: string;
  readonly kid: string;
}

/** The keys of one text, with a number of its own that caches know it by. */
export interface KeySet {
  readonly id: number;
  readonly keys: readonly VerificationKey[];
}

/** Sets of keys are told apart by number: a remembered signature names its set. */
let lastId = 0;

/**
 * The keys of a text, remembered across evaluations: reading a key takes longer than using it.
 * Throws a BuiltinError.
 */
export function keySetOf(text: string, crypto: HostCrypto, ctx: BuiltinContext): KeySet {
  const cache = ctx.caches.of<KeySet>('io.jwt keys', 64);
  const known = cache.get(text);
  if (known !== undefined) return known;
  const keys = { id: ++lastId, keys: readKeys(text, crypto) };
  cache.set(text, keys);
  return keys;
}

function readKeys(text: string, crypto: HostCrypto): readonly VerificationKey[] {
  const block = nextPem(text);
  if (block !== undefined) {
    if (block.rest !== '') throw new BuiltinError('extra data after a PEM certificate block');
    return [{ key: pemKey(block.type, block.bytes, crypto), alg: '', kid: '' }];
  }
  const known: VerificationKey[] = [];
  for (const jwk of explained('failed to parse a JWK key (set)', () => parseJwks(text))) {
    const key = explained('failed to parse a JWK key (set)', () => verificationKey(jwk, crypto));
    const alg = member(jwk, 'alg') ?? '';
    // A key set may also have keys for other uses, such as encryption.
    if (alg === '' || algorithms.has(alg)) known.push({ key, alg, kid: member(jwk, 'kid') ?? '' });
  }
  return known;
}

function pemKey(type: string, der: Uint8Array, crypto: HostCrypto): TokenKey {
  switch (type) {
    case 'CERTIFICATE':
      return explained('failed to parse a PEM certificate', () =>
        crypto.importKey({ format: 'spki', der: parseCertificate(der).rawSubjectPublicKeyInfo }),
      );
    case 'PUBLIC KEY':
      return explained('failed to parse a PEM public key', () => crypto.importKey({ format: 'spki', der }));
    default:
      throw new BuiltinError('failed to extract a Key from the PEM certificate');
  }
}

function explained<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (
      error instanceof KeyError ||
      error instanceof X509Error ||
      error instanceof JsonError ||
      error instanceof Base64Error
    ) {
      throw new BuiltinError(`${what}: ${error.message}`);
    }
    throw error;
  }
}

/** The JSON Web Keys of a text: one, or a set. Throws a KeyError or a JsonError. */
export function parseJwks(text: string): readonly ObjectValue[] {
  const value = parseJson(text);
  if (!isObject(value)) throw new KeyError('failed to unmarshal JWK: not a JSON object');
  const keys = objectGet(value, 'keys');
  if (keys === undefined) return [value];
  if (!isArray(keys)) throw new KeyError("failed to unmarshal JWK set: field 'keys' is not an array");
  return keys.map((key) => {
    if (!isObject(key)) throw new KeyError('failed to unmarshal JWK set: a key is not a JSON object');
    return key;
  });
}

/** The key of a JSON Web Key, private if that is. Throws a KeyError or a Base64Error. */
export function verificationKey(jwk: ObjectValue, crypto: HostCrypto): TokenKey {
  const kty = member(jwk, 'kty');
  const fields =
    kty === undefined || !Object.hasOwn(requiredMembers, kty)
      ? undefined
      : requiredMembers[kty as keyof typeof requiredMembers];
  if (fields === undefined) throw new KeyError(`invalid key type from JSON (${kty ?? ''})`);
  for (const field of fields)
    if (member(jwk, field) === undefined) throw new KeyError(`required field ${field} is missing`);
  if (kty === 'oct') return decodeBase64Url(member(jwk, 'k') ?? '');
  const members: [string, string][] = [];
  for (const name of jwkMembers) {
    const value = member(jwk, name);
    if (value !== undefined) members.push([name, value]);
  }
  return crypto.importKey({ format: 'jwk', jwk: Object.fromEntries(members) as Jwk });
}

const requiredMembers = { RSA: ['n', 'e'], EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'], oct: ['k'] } as const;
const jwkMembers = ['kty', 'crv', 'x', 'y', 'd', 'n', 'e', 'p', 'q', 'dp', 'dq', 'qi'] as const;

function member(jwk: ObjectValue, name: string): string | undefined {
  const value: Value | undefined = objectGet(jwk, name);
  if (value === undefined || value === null) return undefined;
  if (!isString(value)) throw new KeyError(`field ${name} must be a string`);
  return value;
}
