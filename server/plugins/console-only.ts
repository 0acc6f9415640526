import type { Logger, PluginStatus } from './plugin.js';

/** The state of a plugin that writes to the console only. A configured service is an error. */
export function consoleOnly(plugin: string, what: string, service: string | undefined, logger: Logger): PluginStatus {
  if (service === undefined) return { state: 'OK' };
  const message = `${what} not sent to the service ${JSON.stringify(service)}: this release writes to the console alone`;
  logger.error(message, { plugin });
  return { state: 'ERROR', message };
}
