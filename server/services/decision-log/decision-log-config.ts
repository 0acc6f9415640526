/** The section `decision_logs`. */
import type { ConfigSection, TriggerMode } from '../config/config-section.js';
import { ConfigError, decisionPath, delay, inheritedTrigger, triggerMode } from '../config/config-section.js';
import { serviceFor } from '../status/status-config.js';
import { type FileConfig, parseFileConfig } from './file/file-config.js';

export interface DecisionLogConfig {
  /** Whether each event is logged. */
  readonly console: boolean;
  /** Undefined where events are sent to no service. */
  readonly upload: UploadConfig | undefined;
  /** Undefined where events are written to no file. */
  readonly file: FileConfig | undefined;
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
  /** The number of last events that the process keeps for its page; 0 is none. */
  readonly recent: number;
}

export interface UploadConfig {
  readonly service: string;
  /** The path below the service's URL. */
  readonly resource: string;
  readonly reporting: ReportingConfig;
}

export interface ReportingConfig {
  /** `immediate` sends full chunks at once, and the rest at intervals. */
  readonly trigger: TriggerMode | 'immediate';
  readonly minDelaySeconds: number;
  readonly maxDelaySeconds: number;
  /** Compressed bytes of one request. */
  readonly uploadSizeLimitBytes: number;
  readonly bufferType: 'size' | 'event';
  readonly bufferSizeLimitBytes: number;
  readonly bufferSizeLimitEvents: number;
  readonly maxDecisionsPerSecond: number | undefined;
}

/** The reference's, with its bounds of an upload. */
const defaults = { minDelaySeconds: 300, maxDelaySeconds: 600, uploadBytes: 32_768, bufferEvents: 10_000 } as const;
const leastUploadBytes = 90;
const mostUploadBytes = 2 ** 32 - 1;
/** The events that a process keeps at most. */
const mostRecent = 10_000;

/**
 * Undefined where the section enables no decision log. Throws a ConfigError in the reference's
 * words.
 */
export function parseDecisionLogs(config: ConfigSection, services: readonly string[]): DecisionLogConfig | undefined {
  const section = config.section('decision_logs');
  if (section === undefined) return undefined;
  const console = section.boolean('console') ?? false;
  const file = parseFileConfig(config, section);
  const recent = parseRecent(section);
  // A section that only keeps events sends them to no service.
  const isElsewhere = console || file !== undefined || (recent > 0 && Object.keys(section.fields).length === 1);
  const service = serviceFor(section, services, isElsewhere, 'decision_logs');
  const reporting = parseReporting(section.section('reporting'), inheritedTrigger(config));
  const mask = decisionPath(
    section.string('mask_decision') ?? '/system/log/mask',
    'invalid mask_decision in decision_logs',
  );
  const drop = decisionPath(
    section.string('drop_decision') ?? '/system/log/drop',
    'invalid drop_decision in decision_logs',
  );
  const headers = section.section('request_context')?.section('http')?.strings('headers') ?? [];
  const ndBuiltinCache = section.boolean('nd_builtin_cache') ?? config.boolean('nd_builtin_cache') ?? false;
  const why = section.boolean('why') ?? false;
  if (!console && file === undefined && service === undefined && recent === 0) return undefined;
  const upload = service === undefined ? undefined : { service, resource: resourceOf(section), reporting };
  return { console, upload, file, maskDecision: mask, dropDecision: drop, headers, ndBuiltinCache, why, recent };
}

function parseRecent(section: ConfigSection): number {
  const recent = section.integer('recent') ?? 0;
  if (recent < 0 || recent > mostRecent)
    throw new ConfigError(`decision_logs.recent: must be between 0 and ${mostRecent}`);
  return recent;
}

/** `partition_name` is the form of older releases. */
function resourceOf(section: ConfigSection): string {
  const partition = section.string('partition_name') ?? '';
  return section.string('resource') ?? (partition === '' ? '/logs' : `/logs/${partition}`);
}

function parseReporting(section: ConfigSection | undefined, inherited: TriggerMode | undefined): ReportingConfig {
  const pause = delay(section, 'reporting', ' in decision_logs');
  const uploadBytes = section?.integer('upload_size_limit_bytes') ?? defaults.uploadBytes;
  return {
    trigger: parseTrigger(section?.string('trigger'), inherited),
    minDelaySeconds: pause?.minSeconds ?? defaults.minDelaySeconds,
    maxDelaySeconds: pause?.maxSeconds ?? defaults.maxDelaySeconds,
    uploadSizeLimitBytes: Math.min(mostUploadBytes, Math.max(leastUploadBytes, uploadBytes)),
    ...parseBuffer(section),
  };
}

function parseTrigger(mode: string | undefined, inherited: TriggerMode | undefined): ReportingConfig['trigger'] {
  if (mode === 'immediate' && inherited !== 'manual') return mode;
  try {
    return triggerMode(mode, inherited);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`invalid decision_log config: ${error.message}`);
  }
}

type BufferConfig = Pick<
  ReportingConfig,
  'bufferType' | 'bufferSizeLimitBytes' | 'bufferSizeLimitEvents' | 'maxDecisionsPerSecond'
>;

function parseBuffer(section: ConfigSection | undefined): BufferConfig {
  const type = section?.string('buffer_type') ?? 'size';
  if (type !== 'size' && type !== 'event')
    throw new ConfigError(`invalid buffer type ${JSON.stringify(type)}, expected "event" or "size"`);
  const bytes = section?.integer('buffer_size_limit_bytes');
  const events = section?.integer('buffer_size_limit_events');
  const perSecond = section?.number('max_decisions_per_second');
  if (type === 'event' && bytes !== undefined) {
    throw new ConfigError(
      "invalid decision_log config, 'buffer_size_limit_bytes' isn't supported for the event buffer type",
    );
  }
  if (type === 'size' && events !== undefined) {
    throw new ConfigError(
      "invalid decision_log config, 'buffer_size_limit_events' isn't supported for the size buffer type",
    );
  }
  if (bytes !== undefined && perSecond !== undefined) {
    throw new ConfigError(
      "invalid decision_log config, specify either 'buffer_size_limit_bytes' or 'max_decisions_per_second'",
    );
  }
  for (const limit of [bytes, events, perSecond])
    if (limit !== undefined && limit < 0) throw new ConfigError('decision_logs.reporting: limits must not be negative');
  return {
    bufferType: type,
    // As in the reference, 0 is no limit.
    bufferSizeLimitBytes: bytes || Number.POSITIVE_INFINITY,
    bufferSizeLimitEvents: events || defaults.bufferEvents,
    maxDecisionsPerSecond: perSecond,
  };
}
