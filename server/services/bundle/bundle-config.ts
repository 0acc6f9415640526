/** The section `bundles`. */
import type { KeyConfig, VerificationConfig } from '../../../engine/index.js';
import type { ConfigSection, Delay, TriggerMode } from '../config/config-section.js';
import { ConfigError, delay, inheritedTrigger, triggerMode } from '../config/config-section.js';
import { defaultSizeLimit } from './bundle-memory.js';

/** The configuration of a bundle. */
export interface BundleConfig {
  /** A `file://` URL, or a path below the URL of the service. */
  readonly resource: string;
  /** The name of the service; undefined for a file. */
  readonly service: string | undefined;
  readonly verification: VerificationConfig;
  /** Whether activated versions are saved on disk. */
  readonly persist: boolean;
  /** The most bytes of one file, and of the content of an archive. */
  readonly sizeLimitBytes: number;
  /** The pause between two fetches; undefined fetches once. */
  readonly polling: Delay | undefined;
  /** How long a server may hold a request; undefined asks for an answer at once. */
  readonly longPollingSeconds?: number | undefined;
  readonly trigger: TriggerMode;
}

export type BundlesConfig = ReadonlyMap<string, BundleConfig>;

/**
 * Reads `bundles`, or `bundle` of older configurations. Throws a ConfigError in the reference's
 * words.
 */
export function parseBundles(
  config: ConfigSection,
  services: readonly string[],
  keys: { readonly [id: string]: KeyConfig },
): BundlesConfig {
  const bundles = new Map<string, BundleConfig>();
  const inherited = inheritedTrigger(config);
  const parse = (name: string, section: ConfigSection, resource: string) => {
    try {
      bundles.set(name, parseBundleConfig(section, resource, services, keys, inherited));
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
  for (const [name, section] of several?.sections() ?? [])
    parse(name, section, section.string('resource') || `bundles/${name}`);
  return bundles;
}

/** Throws a ConfigError. */
export function parseBundleConfig(
  section: ConfigSection,
  resource: string,
  services: readonly string[],
  keys: { readonly [id: string]: KeyConfig },
  inherited?: TriggerMode,
): BundleConfig {
  const isFile = resource.startsWith('file://');
  const verification = parseSigning(section.section('signing'), keys);
  const service = isFile ? undefined : serviceOf(section.string('service') ?? '', services);
  const mode = triggerMode(section.string('trigger'), inherited);
  const pollingSection = section.section('polling');
  const polling = delay(pollingSection, 'polling') ?? (isFile ? undefined : defaultPolling);
  const longPollingSeconds = pollingSection?.integer('long_polling_timeout_seconds');
  if ((longPollingSeconds ?? 1) < 1) throw new ConfigError("'long_polling_timeout_seconds' must be at least 1");
  const size = section.integer('size_limit_bytes') ?? 0;
  const sizeLimitBytes = size <= 0 ? defaultSizeLimit : size;
  return {
    resource,
    service,
    verification,
    persist: section.boolean('persist') ?? false,
    sizeLimitBytes,
    polling,
    longPollingSeconds,
    trigger: mode,
  };
}

/** The interval of the reference. */
const defaultPolling: Delay = { minSeconds: 60, maxSeconds: 120 };

/** The service of this name, or the first one for an empty name. */
function serviceOf(name: string, services: readonly string[]): string {
  const [first] = services;
  if (name === '' && first !== undefined) return first;
  if (!services.includes(name)) throw new ConfigError(`service name ${JSON.stringify(name)} not found`);
  return name;
}

function parseSigning(
  section: ConfigSection | undefined,
  keys: { readonly [id: string]: KeyConfig },
): VerificationConfig {
  // The keys of a configuration have other uses, too. With this section bundles must be signed.
  if (section === undefined) return { keys, optional: true };
  const keyId = section.string('keyid') ?? '';
  if (keyId !== '' && !Object.hasOwn(keys, keyId)) throw new ConfigError(`key id ${keyId} not found`);
  const scope = section.string('scope');
  return {
    keys,
    optional: false,
    ...(keyId !== '' && { keyId }),
    ...(scope !== undefined && { scope }),
    exclude: section.strings('exclude_files') ?? [],
  };
}
