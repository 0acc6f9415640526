/** A configuration after a part of it was discovered. */
import type { PlainObject } from '../../../values/index.js';
import { mergedConfig } from '../discovery/merged-config.js';
import type { ServiceConfig } from './service-config.js';

/**
 * The configuration of the start with a discovered one. Throws a ConfigError where that is refused.
 * @param read checks the configuration of a process with an id
 */
export function discoveredConfigOf<Config extends ServiceConfig>(
  boot: ServiceConfig,
  discovered: PlainObject,
  read: (config: PlainObject, id: string | undefined) => Config,
): Config {
  const { config, overridden } = mergedConfig(boot.source, discovered);
  const next = read(config, boot.labels.id);
  const ignored = overridden.map(
    (key) => `discovered config key ${JSON.stringify(key)} is overridden by the configuration of the start`,
  );
  return { ...next, warnings: [...next.warnings, ...ignored] };
}
