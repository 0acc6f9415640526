/** The section `services`: a map by name, or a list. */

import { longestTimerMs, type Value } from '../../../values/index.js';
import { ConfigError, ConfigSection } from '../config/config-section.js';
import type { MakeCredentials, SigningKeys } from './credentials/credentials.js';
import { parseCredentials } from './credentials/credentials-config.js';
import type { TransportSettings } from './transport.js';

export interface NamedService {
  readonly name: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly transport: TransportSettings;
  /** Whether the service is a registry of OCI images. */
  readonly isOci: boolean;
  readonly credentials: MakeCredentials | undefined;
  /** The section as it was written: a service whose section is unchanged is the same one. */
  readonly source: string;
}

/** Services by name, in the order of the configuration. */
export type ServicesConfig = ReadonlyMap<string, NamedService>;

const defaultHeaderTimeoutSeconds = 10;

/** Throws a ConfigError. */
export function parseServices(config: ConfigSection, keys: SigningKeys): ServicesConfig {
  const services = new Map<string, NamedService>();
  for (const [name, section] of serviceSections(config)) services.set(name, parseService(name, section, keys));
  return services;
}

function serviceSections(config: ConfigSection): readonly (readonly [string, ConfigSection])[] {
  const services = config.value('services');
  if (services === undefined) return [];
  if (!Array.isArray(services)) return new ConfigSection(services, 'services').sections();
  return (services as readonly Value[]).map((service, i) => {
    const section = new ConfigSection(service, `services[${i}]`);
    return [section.string('name') ?? '', section] as const;
  });
}

function parseService(name: string, section: ConfigSection, keys: SigningKeys): NamedService {
  const url = section.string('url') ?? '';
  const type = section.string('type') ?? '';
  if (type !== '' && type !== 'oci')
    throw new ConfigError(`invalid type ${JSON.stringify(type)} of service ${JSON.stringify(name)}`);
  const seconds = section.integer('response_header_timeout_seconds') ?? defaultHeaderTimeoutSeconds;
  if (seconds < 0) throw new ConfigError(`services.${name}.response_header_timeout_seconds: must be at least 0`);
  const tls = section.section('tls');
  const credentials = section.section('credentials');
  // Older configurations have the authority beside the client's certificate.
  const former = credentials?.section('client_tls');
  const authorityFile = tls?.string('ca_cert') || former?.string('ca_cert') || undefined;
  return {
    name,
    url,
    headers: (section.value('headers') ?? {}) as { readonly [name: string]: string },
    transport: {
      headerTimeoutMs: seconds === 0 ? longestTimerMs : 1000 * seconds,
      authorityFile,
      needsSystemAuthorities: tls?.boolean('system_ca_required') ?? former?.boolean('system_ca_required') ?? false,
      allowsInsecure: section.boolean('allow_insecure_tls') ?? false,
    },
    isOci: type === 'oci',
    credentials: credentials && parseCredentials(credentials, { name, isOci: type === 'oci' }, keys),
    source: JSON.stringify([section.fields, [...keys]]),
  };
}
