/** Signed tokens that prove the identity of the client to an OAuth2 server. */
import { randomUUID } from 'node:crypto';
import { algorithmOf, SignatureError, signingKey } from '../../../../engine/index.js';
import type { PlainObject } from '../../../../values/index.js';
import { encodeBase64Url, KeyError, makeSignature, toJson } from '../../../../values/index.js';
import { nodeCrypto } from '../../../../values/node.js';
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
