/**
 * Plugins exchange data with the outside: bundles, status, decision logs. Each has a life cycle and
 * a state.
 */
import type { Engine, Hold, PolicyRecord } from '../../engine/index.js';
import type { PlainObject, Value } from '../../values/index.js';
import type { Services } from './clients/services.js';
import type { RecentDecisions } from './decision-log/recent-decisions.js';

/**
 * `NOT_READY` until the first success, `ERROR` where that is impossible, `WARN` where a part is
 * missing.
 */
type PluginState = 'NOT_READY' | 'OK' | 'ERROR' | 'WARN';

export interface PluginStatus {
  readonly state: PluginState;
  readonly message?: string;
}

/**
 * A log. Its methods return false for a dropped line. Fields are Rego values, which keep all
 * digits.
 */
export interface PluginLogger {
  debug(message: string, fields?: LogLineFields): boolean;
  info(message: string, fields?: LogLineFields): boolean;
  /**
   * Logs the line of a decision, which is shown before its answer.
   * @param hold where the line may be written later, if it is long
   */
  show(message: string, fields?: LogLineFields, hold?: Hold): boolean | Promise<boolean>;
  warn(message: string, fields?: LogLineFields): boolean;
  error(message: string, fields?: LogLineFields): boolean;
}

export type LogLineFields = { readonly [field: string]: Value };

/** The context of all plugins. */
export interface PluginContext {
  readonly engine: Engine;
  /** The clients of the configured services. */
  readonly services: Services;
  readonly logger: PluginLogger;
  /** The log of decisions and status, at any level of the other log. */
  readonly console: PluginLogger;
  /** The configured labels, with `id` and `version`. */
  readonly labels: { readonly [label: string]: string };
  /** Throws to reject the policies that a bundle would bring. */
  readonly checkPolicies?: ((policies: readonly PolicyRecord[]) => void) | undefined;
  /**
   * Takes the events of decisions that go to a service or a file, where another process sends them.
   */
  readonly deliver?: ((event: string) => void) | undefined;
  /** Keeps the last events of decisions, where the configuration says so. */
  readonly recent?: RecentDecisions | undefined;
  /** The metrics of `/metrics` as JSON, for status. */
  readonly prometheus?: () => PlainObject;
  /** How the log of writes is followed, for status; undefined where there is nothing to say. */
  readonly storage?: () => PlainObject | undefined;
}

/** A part of the server that is configured, started and stopped. */
export interface Plugin<Config> {
  /** Starts. Resolves after the first attempt, successful or not: the state tells. */
  start(): Promise<void>;
  /** Changes the configuration of a running plugin. */
  reconfigure(config: Config): Promise<void>;
  /** Stops. Nothing goes on once this has resolved. */
  stop(): Promise<void>;
}

/** Reports a plugin's state. */
export type ReportStatus = (status: PluginStatus) => void;
