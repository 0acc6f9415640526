/** What talks to the outside beside the API: bundles, status, decision logs. Each is a plugin with a life cycle and a state. */
import type { Engine } from '../../engine/engine.js';
import type { PolicyRecord } from '../../engine/version.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';

/** `NOT_READY` until a plugin has what it was started for, `ERROR` where it cannot have it, `WARN` where it does with less. */
export type PluginState = 'NOT_READY' | 'OK' | 'ERROR' | 'WARN';

export interface PluginStatus {
  readonly state: PluginState;
  readonly message?: string;
}

/** Where lines go; false for one that is dropped. Fields are values of the language, so that no digit of what is logged is lost. */
export interface Logger {
  debug(message: string, fields?: LogFields): boolean;
  info(message: string, fields?: LogFields): boolean;
  warn(message: string, fields?: LogFields): boolean;
  error(message: string, fields?: LogFields): boolean;
}

export type LogFields = { readonly [field: string]: Value };

/** What a plugin is given. */
export interface PluginContext {
  readonly engine: Engine;
  readonly logger: Logger;
  /** Takes decisions and status in full, at whatever level the server logs. */
  readonly console: Logger;
  /** `id` and `version` beside the configured ones. */
  readonly labels: { readonly [label: string]: string };
  /** Throws where policies that a bundle would make are not to be. */
  readonly checkPolicies?: ((policies: readonly PolicyRecord[]) => void) | undefined;
  /** What `/metrics` counts, as JSON, for status. */
  readonly prometheus?: () => PlainObject;
}

/** A part of the server that is configured, started and stopped. */
export interface Plugin<Config> {
  /** Begins the work and returns when a first attempt of it is done, whether it came out well or not: the state tells. */
  start(): Promise<void>;
  /** Takes other settings over while running. */
  reconfigure(config: Config): Promise<void>;
  /** Ends the work; when this is done nothing of it goes on. */
  stop(): Promise<void>;
}

/** How a plugin tells its state. */
export type ReportStatus = (status: PluginStatus) => void;
