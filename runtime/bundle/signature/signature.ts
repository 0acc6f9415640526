/** Signatures of bundles: a JSON Web Token in `.signatures.json` that lists all files with their hashes. */

import { type HostCrypto, KeyError } from '../../builtins/host-crypto.js';
import { Base64Error, decodeBase64, encodeBase64Url } from '../../builtins/lib/go/base64.js';
import { toEscapedJson } from '../../builtins/lib/go/json.js';
import { textOf } from '../../builtins/lib/go/octets.js';
import { makeSignature, verifySignature } from '../../builtins/lib/jwt/algorithms.js';
import { objectGet, sortStrings } from '../../values/compare.js';
import { JsonError, parseJson } from '../../values/json/json.js';
import { jsonComplaint } from '../../values/json/json-complaint.js';
import { encodeUtf8 } from '../../values/text/utf8.js';
import { isArray, isObject, isString, type ObjectValue, type PlainObject, type Value } from '../../values/value.js';
import { fileHash, hashNameOf } from '../archive/file-hash.js';
import type { SignaturesConfig } from '../bundle.js';
import { GlobError, shellGlob } from '../glob.js';
import { SignatureError } from './error.js';
import { algorithmOf, defaultAlgorithm, signingKey, verificationKey } from './signing-key.js';

/** A key as the configuration has it. */
export interface KeyConfig {
  /** PEM of a public key or certificate, or the text of a secret. */
  readonly key: string;
  /** `RS256` where absent. */
  readonly algorithm?: string;
  readonly scope?: string;
}

export interface VerificationConfig {
  /** Keys by their ids. */
  readonly keys: { readonly [id: string]: KeyConfig };
  /** The key to use; where absent the signature names it. With it a bundle must be signed. */
  readonly keyId?: string;
  /** The scope that the signature must have; where absent the key's. */
  readonly scope?: string;
  /** Files that need not be signed: shell patterns of whole names. */
  readonly exclude?: readonly string[];
}

/** A file of a signature. */
export interface SignedFile {
  readonly name: string;
  /** In hexadecimal. */
  readonly hash: string;
  /** `SHA-256` and the like. */
  readonly algorithm: string;
}

/**
 * Checks that the files of a bundle are those that were signed, each with the bytes or the document it had then. `files` are all but the
 * signatures, by the names that the signature gives them. Rejects with a SignatureError, or a BundleError for a document that cannot be
 * read. A bundle without a signature passes unless a key id is configured, as in the reference.
 */
export async function verifySignatures(
  files: ReadonlyMap<string, Uint8Array>,
  signatures: SignaturesConfig | undefined,
  config: VerificationConfig,
  crypto: HostCrypto,
): Promise<void> {
  const signed = verifyToken(signatures, config, crypto);
  if (signed === undefined) return;
  const isExcluded = exclusion(config.exclude ?? []);
  const missing = new Map(signed);
  for (const [path, bytes] of files) {
    const name = path.replace(/^\//, '');
    missing.delete(name);
    if (!isExcluded(name)) await verifyFile(name, bytes, signed.get(name), crypto);
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
      if (error instanceof GlobError) return [];
      throw error;
    }
  });
  return (name) => tests.some((matches) => matches(name));
}

async function verifyFile(name: string, bytes: Uint8Array, signed: SignedFile | undefined, crypto: HostCrypto): Promise<void> {
  if (signed === undefined) throw new SignatureError('added', `file ${name} not included in bundle signature`, name);
  if (signed.algorithm === '') throw new SignatureError('malformed', `no hashing algorithm provided for file ${name}`, name);
  const hash = hashNameOf(signed.algorithm);
  if (hash === undefined) throw new SignatureError('malformed', `unsupported hashing algorithm: ${signed.algorithm}`, name);
  const got = await fileHash(name, bytes, hash, crypto);
  const want = signed.hash.toLowerCase();
  if (want !== got) throw new SignatureError('changed', `${name}: digest mismatch (want: ${want}, got: ${got})`, name);
}

/** Verifies the token alone and answers the files that it lists; undefined where there is none and none is wanted. Throws a SignatureError. */
export function verifyToken(
  signatures: SignaturesConfig | undefined,
  config: VerificationConfig,
  crypto: HostCrypto,
): ReadonlyMap<string, SignedFile> | undefined {
  const { signatures: tokens, plugin = '' } = signatures ?? {};
  if (tokens === undefined && plugin === '') {
    if ((config.keyId ?? '') === '') return undefined;
    throw new SignatureError('unsigned', 'bundle missing .signatures.json file');
  }
  if (Object.keys(config.keys).length === 0 && (config.keyId ?? '') === '')
    throw new SignatureError('key', 'verification key not provided');
  if (plugin !== '' && plugin !== '_default') throw new SignatureError('key', `no verifier exists under id ${plugin}`);
  const [token, ...others] = tokens ?? [];
  if (token === undefined) throw new SignatureError('malformed', '.signatures.json: missing JWT (expected exactly one)');
  if (others.length > 0) throw new SignatureError('malformed', '.signatures.json: multiple JWTs not supported (expected exactly one)');
  return readToken(token, config, crypto);
}

function readToken(token: string, config: VerificationConfig, crypto: HostCrypto): ReadonlyMap<string, SignedFile> {
  const sections = token.split('.');
  if (sections.length !== 3) throw new SignatureError('malformed', 'failed to split compact JWT: jwsbb: invalid number of segments');
  const [header, payload, signature] = sections as [string, string, string];
  const headers = decodeObject(header, 'headers');
  const claims = decodeObject(payload, 'payload');
  const id = [config.keyId ?? '', text(headers, 'kid'), text(claims, 'keyid')].find((name) => name !== '');
  if (id === undefined) throw new SignatureError('key', 'verification key ID is empty');
  const key = Object.hasOwn(config.keys, id) ? config.keys[id] : undefined;
  if (key === undefined) throw new SignatureError('key', `verification key corresponding to ID ${id} not found`);
  const algorithm = algorithmOf(key.algorithm || defaultAlgorithm);
  const holds = verifySignature(
    algorithm,
    verificationKey(key.key, algorithm, crypto),
    `${header}.${payload}`,
    decodeSection(signature, 'signature'),
    crypto,
  );
  if (!holds) throw new SignatureError('invalid', `failed to verify JWT signature: ${refusals[algorithm.type]}`);
  if (text(claims, 'scope') !== (config.scope || key.scope || '')) throw new SignatureError('scope', 'scope mismatch');
  return readFiles(claims);
}

const refusals = {
  hmac: 'invalid HMAC signature',
  'rsa-pkcs1': 'crypto/rsa: verification error',
  'rsa-pss': 'crypto/rsa: verification error',
  ecdsa: 'invalid ECDSA signature',
  ed25519: 'invalid EdDSA signature',
} as const;

function decodeSection(section: string, what: string): Uint8Array {
  try {
    return decodeBase64(section, 'url', false);
  } catch (error) {
    if (error instanceof Base64Error) throw new SignatureError('malformed', `failed to base64 decode JWT ${what}: ${error.message}`);
    throw error;
  }
}

function decodeObject(section: string, what: string): ObjectValue {
  const json = textOf(decodeSection(section, what));
  let value: Value;
  try {
    value = parseJson(json);
  } catch (error) {
    const complaint = error instanceof JsonError ? (jsonComplaint(json, true) ?? error.message) : undefined;
    if (complaint !== undefined) throw new SignatureError('malformed', `failed to parse JWT ${what}: ${complaint}`);
    throw error;
  }
  if (!isObject(value)) throw new SignatureError('malformed', `failed to parse JWT ${what}: not a JSON object`);
  return value;
}

/** A text that may be absent, and is empty then. */
function text(object: ObjectValue, name: string): string {
  const value = objectGet(object, name) ?? null;
  if (value === null) return '';
  if (!isString(value)) throw new SignatureError('malformed', `failed to parse JWT: ${name} must be a string`);
  return value;
}

function readFiles(claims: ObjectValue): ReadonlyMap<string, SignedFile> {
  const list = objectGet(claims, 'files') ?? [];
  if (!isArray(list)) throw new SignatureError('malformed', 'failed to parse JWT: files must be an array');
  return new Map(
    list.map((file) => {
      if (!isObject(file)) throw new SignatureError('malformed', 'failed to parse JWT: files must be an array of objects');
      const name = text(file, 'name');
      return [name, { name, hash: text(file, 'hash'), algorithm: text(file, 'algorithm') }];
    }),
  );
}

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
 * Signs the files of a bundle, by the names that it gives them (`data.json`, `a/b.rego`; signatures among them are left out). Rejects with a
 * SignatureError, or a BundleError for a document that cannot be read.
 * @example await signFiles(files, { key: pem, algorithm: 'ES256', keyId: 'k1', claims: { scope: 'write' } }, crypto)
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
    if (!name.endsWith('signatures.json')) signed.push({ name, hash: await fileHash(name, bytes, hash, crypto), algorithm: hashAlgorithm });
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
