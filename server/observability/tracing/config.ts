/** The section `distributed_tracing`. */
import { readFileSync } from 'node:fs';
import { ConfigError, type ConfigSection } from '../../plugins/config-section.js';

export interface TracingConfig {
  readonly type: 'grpc' | 'http';
  /** Host and port of the collector. */
  readonly address: string;
  readonly serviceName: string;
  /** The part of traces that are recorded, unless the client has decided. */
  readonly sampleRatio: number;
  /** Undefined where the connection is not encrypted. */
  readonly tls: TracingTls | undefined;
  /** Attributes by name, such as `service.namespace`. */
  readonly resource: { readonly [name: string]: string };
  readonly batch: BatchConfig;
}

export interface TracingTls {
  readonly allowsInsecure: boolean;
  /** PEM texts. */
  readonly ca: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

interface BatchConfig {
  readonly maxQueueSize: number;
  readonly maxExportBatchSize: number;
  readonly batchTimeoutMs: number;
  readonly exportTimeoutMs: number;
}

const defaultAddresses = { grpc: 'localhost:4317', http: 'localhost:4318' } as const;

/** The attributes of a resource by their keys in the configuration. */
const resourceKeys: Readonly<Record<string, string>> = {
  service_namespace: 'service.namespace',
  service_version: 'service.version',
  service_instance_id: 'service.instance.id',
  deployment_environment: 'deployment.environment.name',
};

/** Undefined where nothing is traced. Throws a ConfigError. */
export function parseTracing(config: ConfigSection): TracingConfig | undefined {
  const section = config.section('distributed_tracing');
  const type = section?.string('type') ?? '';
  if (section === undefined || type === '') return undefined;
  if (type !== 'grpc' && type !== 'http')
    throw new ConfigError(`unknown distributed_tracing.type ${JSON.stringify(type)}, must be "grpc", "http" or "" (unset)`);
  const percentage = section.number('sample_percentage') ?? 100;
  if (percentage < 0 || percentage > 100) throw new ConfigError('distributed_tracing.sample_percentage: must be from 0 to 100');
  return {
    type,
    address: section.string('address') || defaultAddresses[type],
    serviceName: section.string('service_name') || 'opa',
    sampleRatio: percentage / 100,
    tls: parseTls(section),
    resource: parseResource(section.section('resource')),
    batch: parseBatch(section.section('batch_span_processor_options')),
  };
}

function parseTls(section: ConfigSection): TracingTls | undefined {
  const encryption = section.string('encryption') ?? 'off';
  if (encryption === 'off') return undefined;
  if (encryption !== 'tls' && encryption !== 'mtls')
    throw new ConfigError(`unsupported distributed_tracing.encryption ${JSON.stringify(encryption)}: must be "off", "tls" or "mtls"`);
  const isMutual = encryption === 'mtls';
  const [certificate, key] = isMutual ? [fileOf(section, 'tls_cert_file'), fileOf(section, 'tls_private_key_file')] : [];
  if (isMutual && (certificate === undefined || key === undefined))
    throw new ConfigError('distributed_tracing: mtls needs tls_cert_file and tls_private_key_file');
  return { allowsInsecure: section.boolean('allow_insecure_tls') ?? false, ca: fileOf(section, 'tls_ca_cert_file'), certificate, key };
}

function fileOf(section: ConfigSection, name: string): string | undefined {
  const path = section.string(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`distributed_tracing.${name}: ${(error as Error).message}`);
  }
}

function parseResource(section: ConfigSection | undefined): { readonly [name: string]: string } {
  if (section === undefined) return {};
  const found = Object.entries(resourceKeys).map(([key, name]) => [name, section.string(key)] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function parseBatch(section: ConfigSection | undefined): BatchConfig {
  const positive = (name: string, byDefault: number): number => {
    const value = section?.integer(name) ?? byDefault;
    if (value < 1) throw new ConfigError(`distributed_tracing.batch_span_processor_options.${name}: must be positive`);
    return value;
  };
  const maxQueueSize = positive('max_queue_size', 2048);
  return {
    maxQueueSize,
    maxExportBatchSize: Math.min(maxQueueSize, positive('max_export_batch_size', 512)),
    batchTimeoutMs: positive('batch_timeout_ms', 5000),
    exportTimeoutMs: positive('export_timeout_ms', 30_000),
  };
}
