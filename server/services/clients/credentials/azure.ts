/** `credentials.azure_managed_identity`: tokens of the identity service of Azure's machines. */
import { ConfigError, type ConfigSection } from '../../config/config-section.js';
import type { Credentials, CredentialsContext, MakeCredentials } from './credentials.js';
import { TokenCache } from './token-cache.js';
import { accessToken, requestToken } from './token-request.js';

const what = 'Azure managed identity token';
const defaultEndpoint = 'http://169.254.169.254/metadata/identity/oauth2/token';

/** Throws a ConfigError. */
export function parseAzureManagedIdentity(section: ConfigSection): MakeCredentials {
  const text = (name: string) => section.string(name) ?? '';
  const ids = ['object_id', 'client_id', 'mi_res_id'].filter((name) => text(name) !== '');
  if (ids.length > 1) throw new ConfigError(`only one of ${ids.join(', ')} can be given`);
  const isAppService = section.boolean('use_app_service_msi') ?? false;
  return (context): Credentials => {
    const { url, headers, version } = identityService(text('endpoint'), isAppService, context);
    const parameters = new URLSearchParams({
      'api-version': text('api_version') || version,
      resource: text('resource') || 'https://storage.azure.com/',
    });
    for (const name of ids) parameters.set(name, text(name));
    const tokens = new TokenCache(async () =>
      accessToken(what, await requestToken(context.transport, what, { url: `${url}?${parameters}`, headers })),
    );
    return {
      headers: async () => ({ authorization: `Bearer ${(await tokens.get()).value}` }),
      refused: () => tokens.forget(),
    };
  };
}

/** App Service, Functions and Container Apps name a service of their own in the environment. */
function identityService(endpoint: string, isAppService: boolean, { env }: CredentialsContext) {
  const own = env.IDENTITY_ENDPOINT ?? '';
  if (!isAppService && (endpoint !== '' || own === '')) {
    return { url: endpoint || defaultEndpoint, headers: { metadata: 'true' }, version: '2018-02-01' };
  }
  return { url: endpoint || own, headers: { 'x-identity-header': env.IDENTITY_HEADER ?? '' }, version: '2019-08-01' };
}
