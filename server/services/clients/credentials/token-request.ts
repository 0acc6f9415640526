/** Requests to services that give tokens. */
import { ServiceError, type ServiceResponse } from '../request.js';
import type { Transport } from '../transport.js';
import type { AccessToken } from './token-cache.js';

interface TokenRequest {
  readonly method?: string;
  readonly url: string;
  /** Names are lower-case. */
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string;
}

/**
 * Sends a request. Rejects with a ServiceError for a status other than 200. The message has no
 * body, because answers repeat parts of the request.
 * @param what the name of the token in messages: `OAuth2 token`
 */
export async function requestToken(
  transport: Transport,
  what: string,
  request: TokenRequest,
): Promise<ServiceResponse> {
  const { method = 'GET', url, headers = {}, body } = request;
  if (!URL.canParse(url)) throw new ServiceError(`${what}: the URL is not valid`);
  const response = await transport.send({
    method,
    url: new URL(url),
    headers: new Map(Object.entries(headers)),
    body: body === undefined ? undefined : Buffer.from(body),
  });
  if (response.status !== 200)
    throw new ServiceError(`${what}: server replied with status ${response.status}`, response.status);
  return response;
}

/** The members of a JSON object in a response. Throws a ServiceError. */
export function jsonOf(what: string, { body }: ServiceResponse): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as { readonly [name: string]: unknown };
  } catch {
    // The text may have a token, so it is in no message.
  }
  throw new ServiceError(`${what}: the response is no JSON object`);
}

/** A token of `access_token` and `expires_in`, as OAuth2 has them. Throws a ServiceError. */
export function accessToken(what: string, response: ServiceResponse): AccessToken {
  const { access_token: value, expires_in: seconds } = jsonOf(what, response);
  if (typeof value !== 'string' || value === '') throw new ServiceError(`${what}: the response has no access_token`);
  const lifetime = Number(seconds);
  return { value, expiresAt: Number.isFinite(lifetime) ? Date.now() + 1000 * lifetime : 0 };
}
