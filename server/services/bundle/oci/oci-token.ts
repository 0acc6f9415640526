/** Tokens of image registries: a registry that refuses a request says where a token is given. */
import { ServiceError } from '../../clients/request.js';
import type { ServiceClient } from '../../clients/service-client.js';

/**
 * A token for a refused request; undefined where the registry gives no tokens. Rejects with a
 * ServiceError.
 * @param challenge the header `WWW-Authenticate`
 */
export async function registryToken(
  client: ServiceClient,
  challenge: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!/^bearer\s/i.test(challenge)) return undefined;
  const parameters = new Map(
    [...challenge.matchAll(/([a-z_]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  );
  const realm = parameters.get('realm') ?? '';
  if (!URL.canParse(realm)) throw new ServiceError('the registry names no valid service of tokens');
  const url = new URL(realm);
  if (url.protocol !== 'https:' && new URL(client.config.url).protocol === 'https:') {
    throw new ServiceError('the registry names a service of tokens without TLS');
  }
  for (const name of ['service', 'scope']) {
    const value = parameters.get(name);
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const { body } = await client.requestOk({ path: url.href, signal });
  try {
    const { token, access_token: other } = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>;
    const found = token ?? other;
    if (typeof found === 'string') return found;
  } catch {
    // The text may have a token, so it is in no message.
  }
  throw new ServiceError('the service of tokens gave no token');
}
