/** The section `decision_logs`. */
import { ConfigError, type ConfigSection, decisionPath, delay, triggerMode } from '../config-section.js';
import { serviceFor } from '../status/config.js';

export interface DecisionLogConfig {
  /** Whether each event is logged. */
  readonly console: boolean;
  /** The service for events, to which this release sends none. */
  readonly service: string | undefined;
  /** The path below `data` of the decision that masks events. */
  readonly maskDecision: readonly string[];
  /** The path below `data` of the decision that drops events. */
  readonly dropDecision: readonly string[];
  /** Names of request headers that an event shows. */
  readonly headers: readonly string[];
  /** Whether events have the recorded results of non-deterministic built-ins. */
  readonly ndBuiltinCache: boolean;
  /** Whether events of decisions tell which rules held, and where others failed. */
  readonly why: boolean;
}

/**
 * Undefined where the section enables no decision log. Throws a ConfigError in the reference's
 * words.
 */
export function parseDecisionLogs(config: ConfigSection, services: readonly string[]): DecisionLogConfig | undefined {
  const section = config.section('decision_logs');
  if (section === undefined) return undefined;
  const plugin = section.string('plugin');
  if (plugin !== undefined) throw new ConfigError(`invalid plugin name ${JSON.stringify(plugin)} in decision_logs`);
  const console = section.boolean('console') ?? false;
  const service = serviceFor(section, services, console, 'decision_logs');
  checkReporting(section.section('reporting'));
  const mask = decisionPath(section.string('mask_decision') ?? '/system/log/mask', 'invalid mask_decision in decision_logs');
  const drop = decisionPath(section.string('drop_decision') ?? '/system/log/drop', 'invalid drop_decision in decision_logs');
  const headers = section.section('request_context')?.section('http')?.strings('headers') ?? [];
  const ndBuiltinCache = section.boolean('nd_builtin_cache') ?? config.boolean('nd_builtin_cache') ?? false;
  const why = section.boolean('why') ?? false;
  if (!console && service === undefined) return undefined;
  return { console, service, maskDecision: mask, dropDecision: drop, headers, ndBuiltinCache, why };
}

function checkReporting(section: ConfigSection | undefined): void {
  if (section === undefined) return;
  try {
    triggerMode(section.string('trigger'));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`invalid decision_log config: ${error.message}`);
  }
  delay(section, 'reporting', ' in decision_logs');
  const type = section.string('buffer_type') ?? 'size';
  if (type !== 'size' && type !== 'event') throw new ConfigError(`invalid buffer type ${JSON.stringify(type)}, expected "event" or "size"`);
  const bytes = section.integer('buffer_size_limit_bytes');
  const events = section.integer('buffer_size_limit_events');
  section.integer('upload_size_limit_bytes');
  const perSecond = section.number('max_decisions_per_second');
  if (type === 'event' && bytes !== undefined) {
    throw new ConfigError("invalid decision_log config, 'buffer_size_limit_bytes' isn't supported for the event buffer type");
  }
  if (type === 'size' && events !== undefined) {
    throw new ConfigError("invalid decision_log config, 'buffer_size_limit_events' isn't supported for the size buffer type");
  }
  if (bytes !== undefined && perSecond !== undefined) {
    throw new ConfigError("invalid decision_log config, specify either 'buffer_size_limit_bytes' or 'max_decisions_per_second'");
  }
}
