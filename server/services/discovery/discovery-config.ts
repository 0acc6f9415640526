/** The section `discovery`: the bundle that holds the rest of the configuration. */
import type { KeyConfig } from '../../../engine/index.js';
import { type BundleConfig, parseBundleConfig } from '../bundle/bundle-config.js';
import { ConfigError, type ConfigSection } from '../config/config-section.js';

export interface DiscoveryConfig {
  readonly bundle: BundleConfig;
  /** The path of the document below `data` that is the configuration. */
  readonly decision: readonly string[];
}

/** Undefined without the section. Throws a ConfigError. */
export function parseDiscovery(
  config: ConfigSection,
  services: readonly string[],
  keys: { readonly [id: string]: KeyConfig },
): DiscoveryConfig | undefined {
  const section = config.section('discovery');
  if (section === undefined) return undefined;
  const name = section.string('name') ?? '';
  const resource = section.string('resource') || formerResource(section, name);
  const decision = section.string('decision') || (section.has('resource') ? '' : name);
  if (resource === '') throw new ConfigError('missing required discovery.resource field');
  if (services.length === 0 && !resource.startsWith('file://'))
    throw new ConfigError('discovery: no service is configured');
  try {
    return { bundle: parseBundleConfig(section, resource, services, keys), decision: segmentsOf(decision) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`invalid configuration for discovery: ${error.message}`);
  }
}

/** Older configurations name the bundle and a prefix. */
function formerResource(section: ConfigSection, name: string): string {
  if (name === '') return '';
  return `${section.string('prefix') ?? 'bundles'}/${name}`.replace(/\/+/g, '/');
}

/** A path with slashes or dots; an empty one is all of `data`. */
function segmentsOf(decision: string): readonly string[] {
  const segments = decision.split(decision.includes('/') ? '/' : '.').filter((segment) => segment !== '');
  return segments[0] === 'data' ? segments.slice(1) : segments;
}
