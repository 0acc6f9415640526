import type { PlainObject } from '../../values/index.js';
import type { DecisionLogPlugin } from './decision-log/decision-log.js';
import type { Metric } from './metrics/prometheus.js';
import type { PluginStatus } from './plugin.js';

/** The plugins, as others see them. */
export interface PluginView {
  /** States by name, in order; `discovery` is always among them. */
  states(): ReadonlyMap<string, PluginStatus>;
  /** Whether every configured bundle was activated once. */
  bundlesActivated(): boolean;
  /** Whether all plugins were up at one time since the start. */
  readonly wasReady: boolean;
  /** The answer of `GET /v1/status`; undefined where status is not enabled. */
  status(): PlainObject | undefined;
  /** The status, whether it is enabled or not. */
  snapshot(): PlainObject;
  /** The metrics of bundles and plugins; none where they are not enabled. */
  metrics(): readonly Metric[];
  /** Undefined where decisions are not logged. */
  readonly decisionLog: DecisionLogPlugin | undefined;
}
