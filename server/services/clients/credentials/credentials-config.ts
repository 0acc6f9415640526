/** The section `credentials` of a service: one kind of credentials. */

import { ConfigError, ConfigSection } from '../../config/config-section.js';
import { ServiceError } from '../request.js';
import { parseS3Signing } from './aws.js';
import { parseAzureManagedIdentity } from './azure.js';
import { parseClientTls } from './client-tls.js';
import type { Credentials, MakeCredentials, SigningKeys } from './credentials.js';
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

/** Throws a ConfigError. */
function parseBearer(section: ConfigSection, _keys: SigningKeys, isOci: boolean): MakeCredentials {
  const scheme = section.string('scheme') || 'Bearer';
  const token = section.string('token') ?? '';
  const path = section.string('token_path') ?? '';
  if (token === '' && path === '') throw new ConfigError('invalid config: neither token nor token_path was specified');
  if (token !== '' && path !== '') throw new ConfigError('invalid config: token and token_path are both specified');
  return ({ transport }): Credentials => ({
    // A file is read for each request: tokens in files are replaced while they are used.
    async headers() {
      const text = token || transport.readFile(path).trim();
      if (text === '') throw new ServiceError(`the token in ${path} is empty`);
      const isLogin = text.includes(':') && (isOci || scheme.toLowerCase() === 'basic');
      // Registries of images take all of these in base64, also `user:password`.
      const sent = isOci || isLogin ? Buffer.from(text).toString('base64') : text;
      return { authorization: `${isLogin ? 'Basic' : scheme} ${sent}` };
    },
  });
}
