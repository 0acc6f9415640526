/** The section `status`. */
import type { ConfigSection, TriggerMode } from '../config/config-section.js';
import { ConfigError, inheritedTrigger, triggerMode } from '../config/config-section.js';
import { defaultLoadBuckets } from './metrics.js';

export interface StatusConfig {
  /** Whether each update is logged. */
  readonly console: boolean;
  /** Undefined where updates are sent to no service. */
  readonly target: StatusTarget | undefined;
  /**
   * Upper bounds of loading times in `/metrics`; undefined where `/metrics` has no bundles and
   * plugins.
   */
  readonly loadBuckets: readonly number[] | undefined;
}

export interface StatusTarget {
  readonly service: string;
  /** The path below the service's URL. */
  readonly resource: string;
  /** With `manual`, changes alone send nothing. */
  readonly trigger: TriggerMode;
}

/**
 * Undefined where the section has no target for reports. Throws a ConfigError in the reference's
 * words.
 */
export function parseStatus(config: ConfigSection, services: readonly string[]): StatusConfig | undefined {
  const section = config.section('status');
  if (section === undefined) return undefined;
  const plugin = section.string('plugin');
  if (plugin !== undefined) throw new ConfigError(`invalid plugin name ${JSON.stringify(plugin)} in status`);
  const console = section.boolean('console') ?? false;
  const service = serviceFor(section, services, console, 'status');
  const trigger = parseTrigger(section, inheritedTrigger(config));
  const prometheus = section.boolean('prometheus') ?? false;
  const buckets = section.section('prometheus_config')?.section('collectors')?.section(durations)?.numbers('buckets');
  if (buckets?.some((bound, i) => bound <= (buckets[i - 1] ?? Number.NEGATIVE_INFINITY)))
    throw new ConfigError(`status.prometheus_config.collectors.${durations}.buckets: must increase`);
  if (!console && !prometheus && service === undefined) return undefined;
  const target = service === undefined ? undefined : { service, resource: resourceOf(section), trigger };
  return { console, target, loadBuckets: prometheus ? (buckets ?? defaultLoadBuckets) : undefined };
}

function parseTrigger(section: ConfigSection, inherited: TriggerMode | undefined): TriggerMode {
  try {
    return triggerMode(section.string('trigger'), inherited);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`invalid status config: ${error.message}`);
  }
}

/** `partition_name` is the form of older releases. */
function resourceOf(section: ConfigSection): string {
  const partition = section.string('partition_name') ?? '';
  return section.string('resource') ?? (partition === '' ? '/status' : `/status/${partition}`);
}

const durations = 'bundle_loading_duration_ns';

/**
 * The service of a section: the named one, or the first if the section neither names one nor writes
 * to the console. Throws a ConfigError for an unknown name.
 */
export function serviceFor(
  section: ConfigSection,
  services: readonly string[],
  console: boolean,
  place: 'status' | 'decision_logs',
): string | undefined {
  const name = section.string('service') ?? '';
  if (name === '') return console ? undefined : services[0];
  if (!services.includes(name)) throw new ConfigError(`invalid service name ${JSON.stringify(name)} in ${place}`);
  return name;
}
