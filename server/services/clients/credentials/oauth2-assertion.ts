/** Signed tokens that prove the identity of the client to an OAuth2 server. */
import { randomUUID } from 'node:crypto';
import { SignatureError } from '../../../../engine/bundle/signature/signature-error.js';
import { algorithmOf, signingKey } from '../../../../engine/bundle/signature/signing-key.js';
import { nodeCrypto } from '../../../../values/builtins/host/crypto.js';
import { KeyError } from '../../../../values/builtins/host-crypto.js';
import { encodeBase64Url } from '../../../../values/builtins/lib/go/base64.js';
import { makeSignature } from '../../../../values/builtins/lib/jwt/algorithms.js';
import { toJson } from '../../../../values/json/json.js';
import type { PlainObject } from '../../../../values/value.js';
import { ServiceError } from '../request.js';
import type { SigningKey } from './credentials.js';

export interface Assertion {
  readonly key: SigningKey;
  readonly claims: PlainObject;
  /** Whether each token has an id of its own. */
  readonly hasId: boolean;
  /** The SHA-1 of a certificate in hexadecimal; empty without one. */
  readonly thumbprint: string;
  readonly scopes: readonly string[];
}

const lifetimeSeconds = 300;

/** A new token. Throws a ServiceError where the key cannot sign. */
export function signedAssertion({ key, claims, hasId, thumbprint, scopes }: Assertion): string {
  const now = Math.floor(Date.now() / 1000);
  const header = {
    alg: key.algorithm,
    typ: 'JWT',
    ...(thumbprint !== '' && { x5t: encodeBase64Url(Buffer.from(thumbprint, 'hex')) }),
  };
  const payload = {
    ...claims,
    iat: now,
    exp: now + lifetimeSeconds,
    ...(hasId && { jti: randomUUID() }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
  const signed = [header, payload].map((part) => encodeBase64Url(Buffer.from(toJson(part)))).join('.');
  try {
    const algorithm = algorithmOf(key.algorithm);
    const signature = makeSignature(algorithm, signingKey(key.key, algorithm, nodeCrypto), signed, nodeCrypto);
    return `${signed}.${encodeBase64Url(signature)}`;
  } catch (error) {
    if (error instanceof SignatureError || error instanceof KeyError)
      throw new ServiceError(`signing an assertion: ${error.message}`);
    throw error;
  }
}
