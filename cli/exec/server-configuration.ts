/** Reads a configuration and runs its plugins, as the server does. */
import type { Engine } from '../../engine/index.js';
import type { Logger, ServiceConfig } from '../../server/index.js';
import { ConfigSection, discoveredConfigOf, PluginManager, parseKeys, readServiceConfig } from '../../server/index.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { givenConfig, useYamlOf } from '../server/run-config.js';
import type { Configuration } from './configuration.js';

/** Throws a ConfigError. */
export function readConfiguration(flags: FlagValues, io: Io): Configuration {
  const given = givenConfig(flags, io);
  const config = readServiceConfig(given);
  useYamlOf(config, flags);
  return {
    shown: config.runtime,
    decision: config.defaultDecisionText,
    keys: parseKeys(new ConfigSection(given, '').section('keys')).verification,
    async start(engine, loggers) {
      const logger = await loggers.logger();
      const plugins = await startPlugins(config, engine, logger, await loggers.console());
      return { decisionLog: plugins.decisionLog, logger, stop: () => plugins.stop() };
    },
  };
}

/** Rejects with an Error if the bundles of the configuration are not activated. */
async function startPlugins(
  config: ServiceConfig,
  engine: Engine,
  logger: Logger,
  console: Logger,
): Promise<PluginManager> {
  const plugins = new PluginManager(
    config.plugins,
    { engine, logger, console, labels: config.labels },
    { discover: (discovered) => discoveredConfigOf(config, discovered, readServiceConfig) },
  );
  await plugins.start();
  await plugins.settled();
  if (plugins.bundlesActivated()) return plugins;
  await plugins.stop();
  throw new Error('one or more bundles are not activated');
}
