/** The status of bundles and plugins, as `GET /v1/status` answers it. */
import type { PlainObject } from '../../../values/index.js';
import { type Metric, metricsJson } from '../metrics/prometheus.js';

/** The sources of a status. */
export interface StatusSources {
  /** The status of the configuration's bundle; undefined without discovery. */
  readonly discovery: () => PlainObject | undefined;
  /** Statuses by bundle; undefined without bundle plugin. */
  readonly bundles: () => PlainObject | undefined;
  /** State and message by plugin. */
  readonly plugins: () => PlainObject;
  /** The last upload of the decision log and its lost events; undefined without either. */
  readonly decisionLogs: () => PlainObject | undefined;
  /** How the log of writes is followed; undefined where there is nothing to say. */
  readonly storage: () => PlainObject | undefined;
  /** Calls a listener on each change until the returned function is called. */
  readonly onChange: (listener: () => void) => () => void;
}

/**
 * The status now.
 * @param metrics those of bundles and plugins
 * @param others metrics of the process, as JSON
 */
export function statusSnapshot(
  sources: StatusSources,
  labels: PlainObject,
  metrics: readonly Metric[],
  others?: PlainObject,
): PlainObject {
  const bundles = sources.bundles();
  const discovery = sources.discovery();
  const storage = sources.storage();
  const decisionLogs = sources.decisionLogs();
  const prometheus = { ...(decisionLogs?.metrics as PlainObject | undefined), ...others, ...metricsJson(metrics) };
  return {
    labels,
    ...(discovery !== undefined && { discovery }),
    ...(bundles !== undefined && { bundles }),
    ...(storage !== undefined && { storage }),
    ...(decisionLogs !== undefined && { decision_logs: decisionLogs }),
    metrics: { prometheus },
    plugins: sources.plugins(),
  };
}
