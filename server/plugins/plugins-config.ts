/** The sections of a configuration that are about plugins. */
import { join } from 'node:path';
import type { Value } from '../../runtime/values/value.js';
import { type BundlesConfig, parseBundles, parseKeys, serviceNames } from './bundle/config.js';
import { ConfigError, ConfigSection } from './config-section.js';
import { type DecisionLogConfig, parseDecisionLogs } from './decision-log/config.js';
import { parseStatus, type StatusConfig } from './status/config.js';

/** The plugins' sections of a configuration, checked. */
export interface PluginsConfig {
  readonly bundles: BundlesConfig;
  readonly decisionLogs: DecisionLogConfig | undefined;
  readonly status: StatusConfig | undefined;
  /** The directory of saved bundles. */
  readonly persistenceDirectory: string;
}

/**
 * Reads the plugins' sections of a whole configuration. Throws a ConfigError, in the reference's
 * words where it has some.
 */
export function parsePlugins(configuration: Value): PluginsConfig {
  const config = new ConfigSection(configuration, '');
  if (config.has('discovery')) throw new ConfigError('discovery: this release takes its configuration from files alone');
  for (const [name] of config.section('plugins')?.sections() ?? []) throw new ConfigError(`plugin ${JSON.stringify(name)} not registered`);
  const services = serviceNames(config);
  const keys = parseKeys(config.section('keys'));
  return {
    bundles: parseBundles(config, services, keys),
    decisionLogs: parseDecisionLogs(config, services),
    status: parseStatus(config, services),
    persistenceDirectory: config.string('persistence_directory') || join(process.cwd(), '.opa'),
  };
}
