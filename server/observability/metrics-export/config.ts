/** The section `metrics_export`. */
import { ConfigError, type ConfigSection } from '../../plugins/config-section.js';
import { type CollectorConfig, parseCollector } from '../otlp/collector-config.js';

export interface MetricsExportConfig extends CollectorConfig {
  readonly intervalMs: number;
  /** At most the interval. */
  readonly timeoutMs: number;
}

/** Undefined where no metrics are sent. Throws a ConfigError. */
export function parseMetricsExport(config: ConfigSection): MetricsExportConfig | undefined {
  const section = config.section('metrics_export');
  const collector = section && parseCollector(section, 'metrics_export');
  if (section === undefined || collector === undefined) return undefined;
  const positive = (name: string, byDefault: number): number => {
    const value = section.integer(name) ?? byDefault;
    if (value < 1) throw new ConfigError(`metrics_export.${name}: must be positive`);
    return value;
  };
  const intervalMs = positive('export_interval_ms', 60_000);
  return { ...collector, intervalMs, timeoutMs: Math.min(intervalMs, positive('export_timeout_ms', 30_000)) };
}
