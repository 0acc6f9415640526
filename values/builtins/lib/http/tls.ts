/** The TLS parameters of a request → options of the host. */
import type { ClientCertificate, HostNetwork, TlsOptions } from '../../host-network.js';
import { wrong } from './failure.js';

export const tlsStringParameters = [
  'tls_ca_cert',
  'tls_ca_cert_file',
  'tls_ca_cert_env_variable',
  'tls_client_cert',
  'tls_client_cert_file',
  'tls_client_cert_env_variable',
  'tls_client_key',
  'tls_client_key_file',
  'tls_client_key_env_variable',
  'tls_server_name',
] as const;
type TlsStringParameter = (typeof tlsStringParameters)[number];

export const tlsSwitches = ['tls_use_system_certs', 'tls_insecure_skip_verify'] as const;

/** The parameters of a request that concern TLS. */
interface TlsParameters {
  string(name: TlsStringParameter): string;
  switch(name: (typeof tlsSwitches)[number]): boolean;
}

/** The TLS options of a request, undefined if it has none. Throws a BuiltinError. */
export function requestTlsOptions(
  parameters: TlsParameters,
  host: string | undefined,
  network: HostNetwork,
): TlsOptions | undefined {
  const insecureSkipVerify = parameters.switch('tls_insecure_skip_verify');
  const systemAuthorities = parameters.switch('tls_use_system_certs');
  const serverName = parameters.string('tls_server_name') || host;
  const clientCertificates = certificatePairs(parameters, network);
  const authorities = authorityTexts(parameters, network);
  if (
    !insecureSkipVerify &&
    !systemAuthorities &&
    serverName === undefined &&
    clientCertificates.length + authorities.length === 0
  ) {
    return undefined;
  }
  return {
    authorities: authorities.length === 0 ? undefined : authorities,
    systemAuthorities,
    clientCertificates,
    insecureSkipVerify,
    serverName,
  };
}

function certificatePairs(parameters: TlsParameters, network: HostNetwork): ClientCertificate[] {
  const pairs: ClientCertificate[] = [];
  const add = (certificate: string, key: string, prefix = '') => {
    const pair = { certificate, key };
    const problem = network.checkKeyPair(pair);
    if (problem !== undefined) throw wrong(prefix + problem);
    pairs.push(pair);
  };
  const both = (certificate: TlsStringParameter, key: TlsStringParameter): [string, string] | undefined => {
    const texts: [string, string] = [parameters.string(certificate), parameters.string(key)];
    return texts[0] !== '' && texts[1] !== '' ? texts : undefined;
  };
  const texts = both('tls_client_cert', 'tls_client_key');
  if (texts !== undefined) add(...texts);
  const files = both('tls_client_cert_file', 'tls_client_key_file');
  if (files !== undefined) add(read(files[0], network), read(files[1], network));
  const names = both('tls_client_cert_env_variable', 'tls_client_key_env_variable');
  if (names !== undefined) {
    const [certificate, key] = names.map((name) => network.environment(name) ?? '') as [string, string];
    add(certificate, key, `cannot extract public/private key pair from envvars "${names[0]}", "${names[1]}": `);
  }
  return pairs;
}

function authorityTexts(parameters: TlsParameters, network: HostNetwork): string[] {
  const texts: string[] = [];
  const add = (text: string, prefix = '') => {
    if (!network.hasCertificates(text)) throw wrong(`${prefix}could not append certificates`);
    texts.push(text);
  };
  const text = parameters.string('tls_ca_cert');
  if (text !== '') add(text.replaceAll('\\n', '\n'));
  const file = parameters.string('tls_ca_cert_file');
  if (file !== '') add(read(file, network));
  const name = parameters.string('tls_ca_cert_env_variable');
  if (name !== '') add(network.environment(name) ?? '', `could not add CA certificates from envvar "${name}": `);
  return texts;
}

function read(path: string, network: HostNetwork): string {
  try {
    return network.readFile(path);
  } catch (error) {
    throw wrong((error as Error).message);
  }
}
