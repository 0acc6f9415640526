/** The section `distributed_tracing`. */
import { ConfigError, type ConfigSection } from '../config/config-section.js';
import { type CollectorConfig, collectorSection, configuredMs } from '../otlp/collector-config.js';

export interface TracingConfig extends CollectorConfig {
  /** The part of traces that are recorded, unless the client has decided. */
  readonly sampleRatio: number;
  readonly batch: BatchConfig;
}

interface BatchConfig {
  readonly maxQueueSize: number;
  readonly maxExportBatchSize: number;
  readonly batchTimeoutMs: number;
  readonly exportTimeoutMs: number;
}

/** Undefined where nothing is traced. Throws a ConfigError. */
export function parseTracing(config: ConfigSection): TracingConfig | undefined {
  const found = collectorSection(config, 'distributed_tracing');
  if (found === undefined) return undefined;
  const { section, collector } = found;
  const percentage = section.number('sample_percentage') ?? 100;
  if (percentage < 0 || percentage > 100)
    throw new ConfigError('distributed_tracing.sample_percentage: must be from 0 to 100');
  return {
    ...collector,
    sampleRatio: percentage / 100,
    batch: parseBatch(section.section('batch_span_processor_options')),
  };
}

function parseBatch(section: ConfigSection | undefined): BatchConfig {
  const maxQueueSize = section?.positive('max_queue_size') ?? 2048;
  return {
    maxQueueSize,
    maxExportBatchSize: Math.min(maxQueueSize, section?.positive('max_export_batch_size') ?? 512),
    batchTimeoutMs: configuredMs(section, 'batch_timeout_ms', 5000),
    exportTimeoutMs: configuredMs(section, 'export_timeout_ms', 30_000),
  };
}
