/** `credentials.gcp_metadata`: tokens of the metadata service of Google's machines. */
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import { ServiceError } from '../request.js';
import type { Credentials, MakeCredentials } from './credentials.js';
import { type AccessToken, TokenCache } from './token-cache.js';
import { accessToken, requestToken } from './token-request.js';

const what = 'GCP metadata token';
const accounts = '/computeMetadata/v1/instance/service-accounts/default';

/** An access token for scopes, or an id token for an audience. Throws a ConfigError. */
export function parseGcpMetadata(section: ConfigSection): MakeCredentials {
  const endpoint = (section.string('endpoint') || 'http://metadata.google.internal').replace(/\/+$/, '');
  const audience = section.string('audience') ?? '';
  const scopes = section.strings('scopes') ?? [];
  if ((audience === '') === (scopes.length === 0))
    throw new ConfigError('exactly one of audience and scopes is required');
  const accessPath = section.string('access_token_path') || `${accounts}/token`;
  const idPath = section.string('id_token_path') || `${accounts}/identity`;
  const url =
    audience === ''
      ? `${endpoint}${accessPath}?${new URLSearchParams({ scopes: scopes.join(',') })}`
      : `${endpoint}${idPath}?${new URLSearchParams({ audience, format: 'full' })}`;
  return ({ transport }): Credentials => {
    const tokens = new TokenCache(async () => {
      const response = await requestToken(transport, what, { url, headers: { 'metadata-flavor': 'Google' } });
      return audience === ''
        ? accessToken(what, response)
        : idToken(Buffer.from(response.body).toString('utf8').trim());
    });
    return {
      headers: async () => ({ authorization: `Bearer ${(await tokens.get()).value}` }),
      refused: () => tokens.forget(),
    };
  };
}

/** An id token is a JSON Web Token that has its own expiry. */
function idToken(value: string): AccessToken {
  if (value === '') throw new ServiceError(`${what}: the response is empty`);
  try {
    const payload: unknown = JSON.parse(Buffer.from(value.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const seconds = Number((payload as { exp?: unknown } | null)?.exp);
    return { value, expiresAt: Number.isFinite(seconds) ? 1000 * seconds : 0 };
  } catch {
    return { value, expiresAt: 0 };
  }
}
