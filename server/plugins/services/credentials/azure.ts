/** `credentials.azure_managed_identity`: tokens of the identity service of Azure's machines. */
import { ConfigError, type ConfigSection } from '../../config-section.js';
import type { Credentials, CredentialsContext, MakeCredentials } from './credentials.js';
import { TokenCache } from './token-cache.js';
import { accessToken, requestToken } from './token-request.js';

const what = 'Azure managed identity token';
const defaultEndpoint = 'http://169.254.169.254/metadata/identity/oauth2/token';

/** Throws a ConfigError. */
export function parseAzureManagedIdentity(section: ConfigSection): MakeCredentials {
  const isAppService = section.boolean('use_app_service_msi') ?? false;
  const parameters = new URLSearchParams({
    'api-version': section.string('api_version') || (isAppService ? '2019-08-01' : '2018-02-01'),
    resource: section.string('resource') || 'https://storage.azure.com/',
  });
  const identities = ['object_id', 'client_id', 'mi_res_id'].filter((name) => (section.string(name) ?? '') !== '');
  if (identities.length > 1) throw new ConfigError(`only one of ${identities.join(', ')} can be given`);
  for (const name of identities) parameters.set(name, section.string(name)!);
  const endpoint = section.string('endpoint') ?? '';
  return (context): Credentials => {
    const { url, headers } = identityService(endpoint, isAppService, context);
    const tokens = new TokenCache(async () =>
      accessToken(what, await requestToken(context.transport, what, { url: `${url}?${parameters}`, headers })),
    );
    return {
      headers: async () => ({ authorization: `Bearer ${(await tokens.get()).value}` }),
      refused: () => tokens.forget(),
    };
  };
}

/** App Service and Functions name their own service in the environment. */
function identityService(endpoint: string, isAppService: boolean, { env }: CredentialsContext) {
  if (!isAppService) return { url: endpoint || defaultEndpoint, headers: { metadata: 'true' } };
  return { url: endpoint || env.IDENTITY_ENDPOINT || '', headers: { 'x-identity-header': env.IDENTITY_HEADER ?? '' } };
}
