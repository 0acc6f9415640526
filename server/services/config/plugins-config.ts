/** The sections of a configuration that are about plugins. */
import { join } from 'node:path';
import type { Value } from '../../../values/index.js';
import { type BundlesConfig, parseBundles } from '../bundle/bundle-config.js';
import { parseServices, type ServicesConfig } from '../clients/services-config.js';
import { type DecisionLogConfig, parseDecisionLogs } from '../decision-log/decision-log-config.js';
import { type DiscoveryConfig, parseDiscovery } from '../discovery/discovery-config.js';
import { parseStatus, type StatusConfig } from '../status/status-config.js';
import { configSchema } from './config-schema.js';
import { ConfigError, ConfigSection } from './config-section.js';
import { parseKeys } from './keys-section.js';

/** The plugins' sections of a configuration, checked. */
export interface PluginsConfig {
  readonly services: ServicesConfig;
  readonly discovery: DiscoveryConfig | undefined;
  readonly bundles: BundlesConfig;
  readonly decisionLogs: DecisionLogConfig | undefined;
  readonly status: StatusConfig | undefined;
  /** The directory of saved bundles. */
  readonly persistenceDirectory: string;
}

/** The names below `plugins`. */
const known = Object.keys(configSchema.properties!.plugins!.properties!);

/**
 * Reads the plugins' sections of a whole configuration. Throws a ConfigError, in the reference's
 * words where it has some.
 */
export function parsePlugins(configuration: Value): PluginsConfig {
  const config = new ConfigSection(configuration, '');
  for (const [name] of config.section('plugins')?.sections() ?? [])
    if (!known.includes(name))
      throw new ConfigError(`plugin ${JSON.stringify(name)} not registered: there are ${known.join(', ')}`);
  const { verification, signing } = parseKeys(config.section('keys'));
  const services = parseServices(config, signing);
  const names = [...services.keys()];
  return {
    services,
    discovery: parseDiscovery(config, names, verification),
    bundles: parseBundles(config, names, verification),
    decisionLogs: parseDecisionLogs(config, names),
    status: parseStatus(config, names),
    persistenceDirectory: config.string('persistence_directory') || join(process.cwd(), '.opa'),
  };
}
