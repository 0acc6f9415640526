/** `credentials.oauth2`: tokens for client credentials or for a signed token (RFC 6749, 7523). */

import { randomUUID } from 'node:crypto';
import { algorithmOf, SignatureError, signingKey } from '../../../../engine/index.js';
import { encodeBase64Url, KeyError, makeSignature, type PlainObject, toJson } from '../../../../values/index.js';
import { nodeCrypto } from '../../../../values/node.js';
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import { ServiceError } from '../request.js';
import type { Credentials, CredentialsContext, MakeCredentials, SigningKey, SigningKeys } from './credentials.js';
import { type AccessToken, TokenCache } from './token-cache.js';
import { accessToken, jsonOf, requestToken } from './token-request.js';

type Parameters = { readonly [name: string]: string };

interface OAuth2Config {
  readonly tokenUrl: string;
  readonly grant: 'client_credentials' | 'jwt_bearer';
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs the assertion; undefined without one. */
  readonly assertion: Assertion | undefined;
  /** An assertion that another party signed: its text, or its file. */
  readonly given: { readonly text: string; readonly file: string; readonly type: string } | undefined;
  readonly scopes: readonly string[];
  readonly headers: Parameters;
  readonly parameters: Parameters;
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const what = 'OAuth2 token';

/** Throws a ConfigError. */
export function parseOAuth2(section: ConfigSection, keys: SigningKeys): MakeCredentials {
  const config = oauth2Config(section, keys);
  return (context) => {
    const tokens = new TokenCache(() => fetchToken(config, context));
    const credentials: Credentials = {
      headers: async () => ({ authorization: `Bearer ${(await tokens.get()).value}` }),
      refused: () => tokens.forget(),
    };
    return credentials;
  };
}

function oauth2Config(section: ConfigSection, keys: SigningKeys): OAuth2Config {
  for (const name of ['aws_kms', 'azure_keyvault']) {
    if (section.has(name))
      throw new ConfigError(`oauth2.${name} is not supported: keys of "keys" sign the tokens of this release`);
  }
  const tokenUrl = section.string('token_url') ?? '';
  if (!tokenUrl.startsWith('https://') && !isLocal(tokenUrl))
    throw new ConfigError('token_url required to use https scheme');
  const grant = section.string('grant_type') || 'client_credentials';
  if (grant !== 'client_credentials' && grant !== 'jwt_bearer') {
    throw new ConfigError('grant_type must be one of client_credentials or jwt_bearer');
  }
  const scopes = section.strings('scopes') ?? [];
  const config: OAuth2Config = {
    tokenUrl,
    grant,
    clientId: section.string('client_id') ?? '',
    clientSecret: section.string('client_secret') ?? '',
    assertion: assertionOf(section, keys, grant === 'jwt_bearer' ? scopes : []),
    given: givenAssertion(section),
    scopes,
    headers: (section.value('additional_headers') ?? {}) as Parameters,
    parameters: (section.value('additional_parameters') ?? {}) as Parameters,
  };
  const { clientId, clientSecret, assertion, given } = config;
  if (grant === 'jwt_bearer' && assertion === undefined)
    throw new ConfigError('signing_key required for jwt_bearer grant type');
  if (grant === 'client_credentials') {
    const proofs = [clientSecret !== '', assertion !== undefined, given !== undefined].filter(Boolean).length;
    if (proofs > 1) throw new ConfigError('can only use one of client_secret, signing_key and client_assertion');
    if (proofs === 0 || (assertion === undefined && clientId === '')) {
      throw new ConfigError('client_id and client_secret required');
    }
  }
  return config;
}

/** Clear text never leaves the machine. */
function isLocal(url: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url);
}

function assertionOf(section: ConfigSection, keys: SigningKeys, scopes: readonly string[]): Assertion | undefined {
  const id = section.string('signing_key') ?? '';
  if (id === '') return undefined;
  const key: SigningKey | undefined = keys.get(id);
  if (key === undefined) throw new ConfigError(`signing_key ${JSON.stringify(id)} refers to a key that does not exist`);
  return {
    key,
    claims: (section.value('additional_claims') ?? {}) as PlainObject,
    hasId: section.boolean('include_jti_claim') ?? false,
    thumbprint: section.string('thumbprint') ?? '',
    scopes,
  };
}

function givenAssertion(section: ConfigSection): OAuth2Config['given'] {
  const text = section.string('client_assertion') ?? '';
  const file = section.string('client_assertion_path') ?? '';
  if (text === '' && file === '') return undefined;
  if (text !== '' && file !== '')
    throw new ConfigError('client_assertion and client_assertion_path are both specified');
  return { text, file, type: section.string('client_assertion_type') || assertionType };
}

async function fetchToken(config: OAuth2Config, { transport }: CredentialsContext): Promise<AccessToken> {
  const { tokenUrl, clientId, clientSecret, given, scopes, grant } = config;
  const form = new URLSearchParams(config.parameters);
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  form.set('grant_type', grant === 'jwt_bearer' ? bearerGrant : grant);
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  for (const [name, value] of Object.entries(config.headers)) headers[name.toLowerCase()] = value;
  const signed = config.assertion && signedAssertion(config.assertion);
  if (grant === 'jwt_bearer') form.set('assertion', signed!);
  else if (signed !== undefined || given !== undefined) {
    form.set('client_assertion_type', given?.type ?? assertionType);
    form.set('client_assertion', signed ?? (given!.text || transport.readFile(given!.file).trim()));
    if (clientId !== '') form.set('client_id', clientId);
  } else headers.authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const response = await requestToken(transport, what, {
    method: 'POST',
    url: tokenUrl,
    headers,
    body: form.toString(),
  });
  const { token_type: type } = jsonOf(what, response);
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw new ServiceError(`${what}: the token's type is not "bearer"`);
  return accessToken(what, response);
}

/** A signed token that proves the identity of the client. */
interface Assertion {
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
function signedAssertion({ key, claims, hasId, thumbprint, scopes }: Assertion): string {
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
