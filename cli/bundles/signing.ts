/** The flags for signing and verifying bundles. */
import { existsSync, readFileSync } from 'node:fs';
import type { SigningConfig, VerificationConfig } from '../../engine/index.js';
import { fileErrorText } from '../../engine/node.js';
import { isObject, lenientTextOfFile, type PlainObject, parseJson } from '../../values/index.js';
import type { Flag, FlagValues } from '../flags.js';

export const signingFlags: readonly Flag[] = [
  { name: 'claims-file', type: 'string', usage: 'JSON file with more members of the signed token' },
  {
    name: 'signing-alg',
    type: 'string',
    usage: 'algorithm of signatures, as JSON Web Tokens name it',
    default: 'RS256',
  },
  {
    name: 'signing-key',
    type: 'string',
    usage: 'PEM file of the private key, or the secret of an HMAC',
  },
  {
    name: 'signing-plugin',
    type: 'string',
    usage: 'plugin that signs and verifies',
    refused: 'there are no plugins for signing: give the key by --signing-key',
  },
];

export const verificationFlags: readonly Flag[] = [
  {
    name: 'verification-key',
    type: 'string',
    usage: 'PEM file of the public key, or the secret of an HMAC',
  },
  {
    name: 'verification-key-id',
    type: 'string',
    usage: 'id of the verification key in signatures',
    default: 'default',
  },
];

export const skipVerifyFlag: Flag = { name: 'skip-verify', type: 'bool', usage: 'do not check signatures of bundles' };

export const incompleteSigning =
  'specify the secret (HMAC) or path of the PEM file containing the private key (RSA and ECDSA)';

/**
 * The configuration from `--signing-key` and related flags; undefined without signing. Throws an
 * Error.
 */
export function signingConfig(flags: FlagValues, keyId?: string): SigningConfig | undefined {
  const key = flags.text('signing-key') ?? '';
  const claimsFile = flags.text('claims-file') ?? '';
  if (key === '') {
    if (claimsFile !== '') throw new Error(incompleteSigning);
    return undefined;
  }
  const algorithm = flags.text('signing-alg') ?? 'RS256';
  return {
    key: keyText(key, algorithm),
    algorithm,
    ...(claimsFile === '' ? keyId !== undefined && { keyId } : { claims: readClaims(claimsFile) }),
  };
}

/**
 * The configuration from `--verification-key` and related flags; undefined without verification.
 */
export function verificationConfig(flags: FlagValues): VerificationConfig | undefined {
  const key = flags.text('verification-key') ?? '';
  if (key === '') return undefined;
  const keyId = flags.text('verification-key-id') ?? 'default';
  const scope = flags.text('scope') ?? '';
  const algorithm = flags.text('signing-alg') ?? 'RS256';
  return {
    keys: { [keyId]: { key: keyText(key, algorithm), algorithm, scope } },
    keyId,
    scope,
    exclude: flags.all('exclude-files-verify'),
  };
}

/**
 * The verification of bundles as they are read: undefined with `--skip-verify`. Without a key,
 * unsigned bundles are accepted and signed ones are rejected.
 */
export function bundleVerification(flags: FlagValues): VerificationConfig | undefined {
  return flags.on('skip-verify') ? undefined : (verificationConfig(flags) ?? { keys: {}, optional: true });
}

/**
 * A file's text, or else the given text: a secret, or a PEM. Throws an Error for other texts with
 * algorithms that need a PEM.
 */
function keyText(given: string, algorithm: string): string {
  if (!existsSync(given) && (!/^(?:[REP]S\d|EdDSA)/.test(algorithm) || given.includes('-----BEGIN '))) return given;
  return readText(given);
}

function readText(path: string): string {
  try {
    return lenientTextOfFile(readFileSync(path));
  } catch (error) {
    throw new Error(fileErrorText(error), { cause: error });
  }
}

function readClaims(path: string): PlainObject {
  const claims = parseJson(readText(path));
  if (!isObject(claims)) throw new Error(`${path}: claims must be an object`);
  return claims as PlainObject;
}
