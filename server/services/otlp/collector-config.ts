/** The keys of a section that say where a collector of OpenTelemetry is, and who sends to it. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { timerMs } from '../../../values/index.js';
import { ConfigError, type ConfigSection } from '../config/config-section.js';

export interface CollectorConfig {
  readonly type: 'grpc' | 'http';
  /** Host and port of the collector. */
  readonly address: string;
  readonly serviceName: string;
  /** Undefined where the connection is not encrypted. */
  readonly tls: CollectorTls | undefined;
  /** Attributes by name, such as `service.namespace`. */
  readonly resource: { readonly [name: string]: string };
}

export interface CollectorTls {
  readonly allowsInsecure: boolean;
  /** PEM texts. */
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const defaultAddresses = { grpc: 'localhost:4317', http: 'localhost:4318' } as const;

/** The attributes of a resource by their keys in the configuration. */
const resourceKeys: Readonly<Record<string, string>> = {
  service_namespace: 'service.namespace',
  service_version: 'service.version',
  service_instance_id: 'service.instance.id',
  deployment_environment: 'deployment.environment.name',
};

interface CollectorSection {
  readonly section: ConfigSection;
  readonly collector: CollectorConfig;
}

/**
 * The section of a name, and the collector in it. Undefined where there is none, or it has no type,
 * which sends nothing. Throws a ConfigError.
 * @param prefix what stands before the type in the section's documentation: `otlp/` in `otlp/grpc`
 */
export function collectorSection(config: ConfigSection, name: string, prefix = ''): CollectorSection | undefined {
  const section = config.section(name);
  const type = section?.string('type') ?? '';
  if (section === undefined || type === '') return undefined;
  const kind = type.startsWith(prefix) ? type.slice(prefix.length) : type;
  if (kind !== 'grpc' && kind !== 'http') {
    const known = `"${prefix}grpc", "${prefix}http" or "" (unset)`;
    throw new ConfigError(`unknown ${name}.type ${JSON.stringify(type)}, must be ${known}`);
  }
  return { section, collector: collectorOf(section, name, kind) };
}

/** Options of a connection. */
export function collectorTlsOptions({ ca, certificate, key, allowsInsecure }: CollectorTls): ConnectionOptions {
  return {
    rejectUnauthorized: !allowsInsecure,
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { cert: certificate, key }),
  };
}

/** Milliseconds of a timer. */
export function configuredMs(section: ConfigSection | undefined, key: string, byDefault: number): number {
  return timerMs(section?.positive(key) ?? byDefault);
}

function collectorOf(section: ConfigSection, name: string, type: CollectorConfig['type']): CollectorConfig {
  return {
    type,
    address: section.string('address') || defaultAddresses[type],
    serviceName: section.string('service_name') || 'opa',
    tls: parseTls(section, name),
    resource: parseResource(section.section('resource')),
  };
}

function parseTls(section: ConfigSection, name: string): CollectorTls | undefined {
  const encryption = section.string('encryption') ?? 'off';
  if (encryption === 'off') return undefined;
  if (encryption !== 'tls' && encryption !== 'mtls')
    throw new ConfigError(
      `unsupported ${name}.encryption ${JSON.stringify(encryption)}: must be "off", "tls" or "mtls"`,
    );
  const isMutual = encryption === 'mtls';
  const file = (key: string) => fileOf(section, name, key);
  const [certificate, key] = isMutual ? [file('tls_cert_file'), file('tls_private_key_file')] : [];
  if (isMutual && (certificate === undefined || key === undefined))
    throw new ConfigError(`${name}: mtls needs tls_cert_file and tls_private_key_file`);
  return {
    allowsInsecure: section.boolean('allow_insecure_tls') ?? false,
    ca: file('tls_ca_cert_file'),
    certificate,
    key,
  };
}

function fileOf(section: ConfigSection, name: string, key: string): string | undefined {
  const path = section.string(key);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`${name}.${key}: ${(error as Error).message}`);
  }
}

function parseResource(section: ConfigSection | undefined): { readonly [name: string]: string } {
  if (section === undefined) return {};
  const found = Object.entries(resourceKeys).map(([key, name]) => [name, section.string(key)] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
