/**
 * The signature of a bundle: a JSON Web Token in `.signatures.json` that lists all files with their
 * hashes.
 */
import type { HostCrypto, ObjectValue, Value } from '../../../values/index.js';
import {
  Base64Error,
  decodeCharacters,
  isArray,
  isObject,
  isString,
  JsonError,
  jsonComplaint,
  objectGet,
  octetsText,
  parseJson,
  verifySignature,
} from '../../../values/index.js';
import type { SignaturesConfig } from '../bundle.js';
import { SignatureError } from './signature-error.js';
import { algorithmOf, bundleVerificationKey, defaultAlgorithm } from './signing-key.js';

/** A key as the configuration has it. */
export interface KeyConfig {
  /** PEM of a public key or certificate, or the text of a secret. */
  readonly key: string;
  /** `RS256` where absent. */
  readonly algorithm?: string | undefined;
  readonly scope?: string | undefined;
}

export interface VerificationConfig {
  /** Keys by their ids. */
  readonly keys: { readonly [id: string]: KeyConfig };
  /** The key to use; where absent the signature names it. */
  readonly keyId?: string | undefined;
  /** Whether bundles without a signature are accepted. Default: they are refused. */
  readonly optional?: boolean | undefined;
  /** The scope that the signature must have; where absent the key's. */
  readonly scope?: string | undefined;
  /** Files that need not be signed: shell patterns of whole names. */
  readonly exclude?: readonly string[] | undefined;
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
 * Verifies the token without the files, and returns the files that it lists; undefined where there
 * is no token and none is required. Throws a SignatureError.
 */
export function verifyToken(
  signatures: SignaturesConfig | undefined,
  config: VerificationConfig,
  crypto: HostCrypto,
): ReadonlyMap<string, SignedFile> | undefined {
  const { signatures: tokens, plugin = '' } = signatures ?? {};
  if (tokens === undefined && plugin === '') {
    if (config.optional === true) return undefined;
    throw new SignatureError('unsigned', 'bundle missing .signatures.json file');
  }
  if (!hasKey(config)) throw new SignatureError('key', 'verification key not provided');
  if (plugin !== '' && plugin !== '_default') throw new SignatureError('key', `no verifier exists under id ${plugin}`);
  const [token, ...others] = tokens ?? [];
  if (token === undefined)
    throw new SignatureError('malformed', '.signatures.json: missing JWT (expected exactly one)');
  if (others.length > 0)
    throw new SignatureError('malformed', '.signatures.json: multiple JWTs not supported (expected exactly one)');
  return readToken(token, config, crypto);
}

function hasKey({ keys, keyId = '' }: VerificationConfig): boolean {
  return Object.keys(keys ?? {}).length > 0 || keyId !== '';
}

function readToken(token: string, config: VerificationConfig, crypto: HostCrypto): ReadonlyMap<string, SignedFile> {
  const sections = token.split('.');
  if (sections.length !== 3)
    throw new SignatureError('malformed', 'failed to split compact JWT: jwsbb: invalid number of segments');
  const [header, payload, signature] = sections as [string, string, string];
  const headers = decodeObject(header, 'headers');
  const claims = decodeObject(payload, 'payload');
  const id = [config.keyId ?? '', text(headers, 'kid'), text(claims, 'keyid')].find((name) => name !== '');
  if (id === undefined) throw new SignatureError('key', 'verification key ID is empty');
  const { keys = {} } = config;
  const key = Object.hasOwn(keys, id) ? keys[id] : undefined;
  if (key === undefined) throw new SignatureError('key', `verification key corresponding to ID ${id} not found`);
  // Anyone can sign with a secret that is empty.
  if (!key.key) throw new SignatureError('key', `verification key corresponding to ID ${id} is empty`);
  const algorithm = algorithmOf(key.algorithm || defaultAlgorithm);
  const holds = verifySignature(
    algorithm,
    bundleVerificationKey(key.key, algorithm, crypto),
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
    return decodeCharacters(section, 'url', false);
  } catch (error) {
    if (error instanceof Base64Error)
      throw new SignatureError('malformed', `failed to base64 decode JWT ${what}: ${error.message}`);
    throw error;
  }
}

function decodeObject(section: string, what: string): ObjectValue {
  const json = octetsText(decodeSection(section, what));
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

/** A member that is a text; empty where it is absent. */
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
      if (!isObject(file))
        throw new SignatureError('malformed', 'failed to parse JWT: files must be an array of objects');
      const name = text(file, 'name');
      return [name, { name, hash: text(file, 'hash'), algorithm: text(file, 'algorithm') }];
    }),
  );
}
