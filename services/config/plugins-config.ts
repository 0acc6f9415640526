/** The sections of a configuration that are about plugins. */
import { join } from 'node:path';
import type { Value } from '../../values/value.js';
import { type BundlesConfig, parseBundles } from '../bundle/bundle-config.js';
import { parseServices, type ServicesConfig } from '../clients/services-config.js';
import { type DecisionLogConfig, parseDecisionLogs } from '../decision-log/decision-log-config.js';
import { fileLoggerPlugin } from '../decision-log/file/file-config.js';
import { type DiscoveryConfig, parseDiscovery } from '../discovery/discovery-config.js';
import { parseStatus, type StatusConfig } from '../status/status-config.js';
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

/**
 * Reads the plugins' sections of a whole configuration. Throws a ConfigError, in the reference's
 * words where it has some.
 * @param registered the names below `plugins` that the caller reads itself
 */
export function parsePlugins(configuration: Value, registered: readonly string[] = []): PluginsConfig {
  const config = new ConfigSection(configuration, '');
  for (const [name] of config.section('plugins')?.sections() ?? [])
    if (name !== fileLoggerPlugin && !registered.includes(name))
      throw new ConfigError(`plugin ${JSON.stringify(name)} not registered`);
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
