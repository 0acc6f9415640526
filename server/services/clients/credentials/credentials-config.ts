/** The section `credentials` of a service: one kind of credentials. */
import { ConfigError, ConfigSection } from '../../config/config-section.js';
import { parseS3Signing } from './aws.js';
import { parseAzureManagedIdentity } from './azure.js';
import { parseBearer } from './bearer.js';
import { parseClientTls } from './client-tls.js';
import type { MakeCredentials, SigningKeys } from './credentials.js';
import { parseGcpMetadata } from './gcp.js';
import { parseOAuth2 } from './oauth2.js';

type Parse = (section: ConfigSection, keys: SigningKeys, isOci: boolean) => MakeCredentials;

const kinds: { readonly [name: string]: Parse } = {
  bearer: parseBearer,
  client_tls: parseClientTls,
  oauth2: parseOAuth2,
  s3_signing: parseS3Signing,
  // An example of the reference's documentation has it here.
  assume_role_credentials: ({ fields }) => parseS3Signing(new ConfigSection({ assume_role_credentials: fields }, '')),
  gcp_metadata: parseGcpMetadata,
  azure_managed_identity: parseAzureManagedIdentity,
};

/** Throws a ConfigError that names the service. */
export function parseCredentials(
  section: ConfigSection,
  service: { readonly name: string; readonly isOci: boolean },
  keys: SigningKeys,
): MakeCredentials | undefined {
  try {
    const plugin = section.value('plugin');
    if (plugin !== undefined) throw new ConfigError('custom plugins are not supported');
    const given = section.sections();
    if (given.length > 1) throw new ConfigError('a maximum one credential method must be specified');
    const [kind] = given;
    if (kind === undefined) return undefined;
    const parse = Object.hasOwn(kinds, kind[0]) ? kinds[kind[0]] : undefined;
    if (parse === undefined) throw new ConfigError(`credentials ${JSON.stringify(kind[0])} are not supported`);
    return parse(kind[1], keys, service.isOci);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`invalid credentials of service ${JSON.stringify(service.name)}: ${error.message}`);
  }
}
