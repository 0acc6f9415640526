/** The section `status`. */
import { ConfigError, type ConfigSection, triggerMode } from './config-section.js';

export interface StatusConfig {
  /** Whether each update is logged. */
  readonly console: boolean;
}

/**
 * Undefined where the section names nobody to report to. Only the console and `GET /v1/status` take reports so far: whoever asks for an upload
 * by name is refused. Throws a ConfigError in the reference's words.
 */
export function parseStatus(config: ConfigSection, services: readonly string[]): StatusConfig | undefined {
  const section = config.section('status');
  if (section === undefined) return undefined;
  const plugin = section.string('plugin');
  if (plugin !== undefined) throw new ConfigError(`invalid plugin name ${JSON.stringify(plugin)} in status`);
  const service = section.string('service') ?? '';
  if (service !== '' && !services.includes(service)) throw new ConfigError(`invalid service name ${JSON.stringify(service)} in status`);
  if (service !== '') throw new ConfigError('status.service: this release uploads no status; set status.console to log it');
  try {
    triggerMode(section.string('trigger'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`invalid status config: ${error.message}`);
  }
  const console = section.boolean('console') ?? false;
  const prometheus = section.boolean('prometheus') ?? false;
  return console || prometheus ? { console } : undefined;
}
