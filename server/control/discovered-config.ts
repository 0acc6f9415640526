/** The configuration of a server after a part of it was discovered. */

import { mergedConfig } from '../../services/discovery/merge.js';
import type { PlainObject } from '../../values/value.js';
import { readConfig, type ServerConfig } from './server-config.js';

/**
 * The configuration of the start with a discovered one. Throws a ConfigError where that is refused.
 */
export function discoveredConfigOf(boot: ServerConfig, discovered: PlainObject): ServerConfig {
  const { config, overridden } = mergedConfig(boot.source, discovered);
  const read = readConfig(config, boot.labels.id);
  const ignored = overridden.map((key) => `discovered config key ${JSON.stringify(key)} is overridden by the configuration of the start`);
  return { ...read, warnings: [...read.warnings, ...ignored] };
}
