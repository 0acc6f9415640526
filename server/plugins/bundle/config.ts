/** The sections `bundles` and `keys`. */
import { algorithms } from '../../../runtime/builtins/lib/jwt/algorithms.js';
import { defaultLimits } from '../../../runtime/bundle/archive/limits.js';
import type { KeyConfig, VerificationConfig } from '../../../runtime/bundle/signature/token.js';
import { ConfigError, ConfigSection, type Delay, delay, type TriggerMode, triggerMode } from '../config-section.js';

/** Where a bundle comes from and how it is treated. */
export interface BundleConfig {
  /** A `file://` URL, or a path below the service's. */
  readonly resource: string;
  /** The service to download from; undefined for a file. */
  readonly service: string | undefined;
  /** Without keys unsigned bundles pass, and signed ones do not. */
  readonly verification: VerificationConfig;
  /** Whether what was activated is kept on disk. */
  readonly persist: boolean;
  /** Bytes of one file, and of all that an archive inflates to. */
  readonly sizeLimitBytes: number;
  /** Between looks at the resource. Files are read once where nothing is configured. */
  readonly polling: Delay | undefined;
  readonly trigger: TriggerMode;
}

export type BundlesConfig = ReadonlyMap<string, BundleConfig>;

/** The keys that signatures are checked with, by id. Throws a ConfigError. */
export function parseKeys(section: ConfigSection | undefined): { readonly [id: string]: KeyConfig } {
  const keys = (section?.sections() ?? []).map(([id, key]) => {
    const text = key.string('key') ?? '';
    if (text === '' && key.string('private_key') === undefined)
      throw new ConfigError(`invalid keys configuration: no keys provided for key ID ${id}`);
    const scope = key.string('scope');
    const algorithm = key.string('algorithm') || 'RS256';
    if (!algorithms.has(algorithm))
      throw new ConfigError(`invalid keys configuration: unsupported algorithm '${algorithm}' for key ID ${id}`);
    return [id, { key: text, algorithm, ...(scope !== undefined && { scope }) }] as const;
  });
  return Object.fromEntries(keys);
}

/** Reads `bundles`, and the single `bundle` of older configurations. Throws a ConfigError in the reference's words. */
export function parseBundles(
  config: ConfigSection,
  services: readonly string[],
  keys: { readonly [id: string]: KeyConfig },
): BundlesConfig {
  const bundles = new Map<string, BundleConfig>();
  const parse = (name: string, section: ConfigSection, resource: string) => {
    try {
      bundles.set(name, parseBundle(section, resource, services, keys));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new ConfigError(`invalid configuration for bundle ${JSON.stringify(name)}: ${error.message}`);
    }
  };
  const single = config.section('bundle');
  const several = config.section('bundles');
  if (single !== undefined && several === undefined) {
    const name = single.string('name') ?? '';
    if (name === '') throw new ConfigError('invalid bundle name ""');
    parse(name, single, [single.string('prefix') ?? 'bundles', name].join('/').replace(/^\/+/, ''));
  }
  for (const [name, section] of several?.sections() ?? []) parse(name, section, section.string('resource') || `bundles/${name}`);
  return bundles;
}

function parseBundle(
  section: ConfigSection,
  resource: string,
  services: readonly string[],
  keys: { readonly [id: string]: KeyConfig },
): BundleConfig {
  const isFile = resource.startsWith('file://');
  const verification = parseSigning(section.section('signing'), keys);
  const service = isFile ? undefined : serviceOf(section.string('service') ?? '', services);
  const mode = triggerMode(section.string('trigger'));
  const pollingSection = section.section('polling');
  const polling = delay(pollingSection, 'polling');
  if ((pollingSection?.integer('long_polling_timeout_seconds') ?? 1) < 1) {
    throw new ConfigError("'long_polling_timeout_seconds' must be at least 1");
  }
  const size = section.integer('size_limit_bytes') ?? 0;
  const sizeLimitBytes = size <= 0 ? defaultLimits.size : size;
  return { resource, service, verification, persist: section.boolean('persist') ?? false, sizeLimitBytes, polling, trigger: mode };
}

/** The first service where none is named. */
function serviceOf(name: string, services: readonly string[]): string {
  if (name === '' && services.length > 0) return services[0]!;
  if (!services.includes(name)) throw new ConfigError(`service name ${JSON.stringify(name)} not found`);
  return name;
}

function parseSigning(section: ConfigSection | undefined, keys: { readonly [id: string]: KeyConfig }): VerificationConfig {
  if (section === undefined) return { keys };
  const keyId = section.string('keyid') ?? '';
  if (keyId !== '' && !Object.hasOwn(keys, keyId)) throw new ConfigError(`key id ${keyId} not found`);
  const scope = section.string('scope');
  return {
    keys,
    ...(keyId !== '' && { keyId }),
    ...(scope !== undefined && { scope }),
    exclude: section.strings('exclude_files') ?? [],
  };
}

/** The names of configured services, in their order: an object by name, or an array of objects with names. Throws a ConfigError. */
export function serviceNames(config: ConfigSection): readonly string[] {
  const services = config.value('services');
  if (services === undefined) return [];
  if (!Array.isArray(services)) return new ConfigSection(services, 'services').sections().map(([name]) => name);
  return services.map((service, i) => new ConfigSection(service, `services[${i}]`).string('name') ?? '');
}
