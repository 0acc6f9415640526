/** Options of an engine with a service configuration. */

import type { Json } from '../../values/index.js';
import { type EngineOptions, isTexts } from '../engine-options.js';
import { EngineError } from '../errors/engine-error.js';
import type { Source } from '../sources/sources.js';

/**
 * Options of `Engine.open` with a configuration.
 * @typeParam Input the type of inputs, that of the schema `input`
 */
export interface ConfiguredOptions<Input = unknown> extends EngineOptions<Input>, ServiceOptions {
  /** Policies and documents beside the bundles. A plan alone belongs into a bundle. */
  readonly sources?: Source | readonly Source[] | undefined;
}

export interface ServiceOptions {
  /**
   * The configuration, as `writ run -c` has it: the path or the `file://` URL of a file of YAML or
   * JSON, its text (with a line break, or as an object in braces), or an object. `${NAME}` is
   * replaced from the environment of the process.
   * @example { config: 'opa.yaml' }
   * @example
   * { config: { services: { acme: { url } }, bundles: { authz: { service: 'acme' } } } }
   */
  readonly config: string | URL | object;
  /** Settings over it, in the notation of `writ run --set`: `decision_logs.console=true`. */
  readonly set?: readonly string[] | undefined;
  /** Settings whose values are read from files, as `--set-file`. */
  readonly setFile?: readonly string[] | undefined;
  /**
   * Milliseconds until all bundles must be active for the first time, or `open` rejects with an
   * EngineError (`not_ready`) that tells why they are not. 0 does not wait: see `status().ready`.
   * Bundles with manual triggers are not waited for. Default: 30,000.
   */
  readonly readyMs?: number | undefined;
  /**
   * Milliseconds that `close` gives decision logs, saved bundles, spans and metrics to be written.
   * Default: 10,000.
   */
  readonly closeMs?: number | undefined;
  /**
   * The log of bundles and services. `console` will do. Default: warnings and errors, as lines of
   * JSON on standard error.
   */
  readonly logger?: EngineLogger | undefined;
  /**
   * Takes the events of `decision_logs.console` and `status.console`, by `info`. Default: lines of
   * JSON on standard error, as those of a server.
   */
  readonly console?: Pick<EngineLogger, 'info'> | undefined;
}

/** A log: a sentence, and what belongs to it. */
export interface EngineLogger {
  debug?(message: string, fields?: LogFields): unknown;
  info(message: string, fields?: LogFields): unknown;
  warn(message: string, fields?: LogFields): unknown;
  error(message: string, fields?: LogFields): unknown;
}

export type LogFields = Readonly<Record<string, Json>>;

/**
 * `NOT_READY` until the first success, `ERROR` where that is impossible, `WARN` where a part is
 * missing.
 */
export interface PluginState {
  readonly state: 'NOT_READY' | 'OK' | 'ERROR' | 'WARN';
  readonly message?: string;
}

/** The status of a bundle after its last load. Times are texts of RFC 3339. */
export interface BundleState {
  readonly name: string;
  readonly active_revision?: string;
  readonly type?: 'snapshot' | 'delta';
  readonly size?: number;
  readonly last_request: string;
  readonly last_successful_request: string;
  readonly last_successful_download: string;
  readonly last_successful_activation: string;
  /** The code of an error, then its sentence and the complaints of the compiler. */
  readonly code?: string;
  readonly message?: string;
  readonly http_code?: number;
  readonly errors?: readonly Json[];
  readonly metrics?: Readonly<Record<string, Json>>;
}

/** The fields of `GET /v1/status`, and whether the engine was ready. */
export interface EngineStatus {
  /** Whether all plugins were up at one time, and all bundles active. */
  readonly ready: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** States by name: `bundle`, `decision_logs`, `discovery`, `status`. */
  readonly plugins: Readonly<Record<string, PluginState>>;
  readonly bundles?: Readonly<Record<string, BundleState>>;
  /** The bundle of the discovered configuration. */
  readonly discovery?: BundleState;
  /** The last upload, with an error's code and message, and counts of lost events. */
  readonly decision_logs?: Readonly<Record<string, Json>>;
  readonly metrics: Readonly<Record<string, Json>>;
}

const own: Readonly<Record<keyof ServiceOptions | 'sources', (value: unknown) => boolean>> = {
  config: (value) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
  sources: () => true,
  set: isTexts,
  setFile: isTexts,
  readyMs: isTime,
  closeMs: isTime,
  logger: (value) => hasMethods(value, ['info', 'warn', 'error']),
  console: (value) => hasMethods(value, ['info']),
};

/** The options of services, checked, and the others. Throws an EngineError. */
export function dividedOptions<Input>(given: ConfiguredOptions<Input>): {
  readonly services: ServiceOptions;
  readonly engine: EngineOptions<Input>;
} {
  const mine: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const fits = Object.hasOwn(own, name) ? own[name as keyof typeof own] : undefined;
    if (fits === undefined) others.push([name, value]);
    else if (value === undefined || fits(value)) mine.push([name, value]);
    else throw new EngineError('invalid_option', `option ${name} cannot be ${JSON.stringify(value)}`);
  }
  const { sources: _, ...services } = Object.fromEntries(mine) as unknown as ConfiguredOptions;
  return { services, engine: Object.fromEntries(others) };
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');
}
