/** The context of the routes: engine, plugins, log, metrics and settings. */
import type { Engine } from '../../engine/engine.js';
import type { PlainObject } from '../../values/value.js';
import type { PreparedDecisions } from '../http/prepared-decisions.js';
import type { BodyLimits } from '../http/requests/body.js';
import type { Compression } from '../http/responses/response.js';
import type { Logger } from '../observability/logger.js';
import type { ProcessReport } from '../observability/process-report.js';
import type { Metric } from '../observability/prometheus.js';
import type { RequestDurations } from '../observability/request-durations.js';
import type { Tracing } from '../observability/tracing/tracing.js';
import type { DecisionLogPlugin } from '../plugins/decision-log/decision-log.js';
import type { PluginStatus } from '../plugins/plugin.js';
import type { RequestGate } from './request-gate.js';

/** The plugins, as the routes see them. */
export interface PluginView {
  /** States by name, in order; `discovery` is always among them. */
  states(): ReadonlyMap<string, PluginStatus>;
  /** Whether every configured bundle was activated once. */
  bundlesActivated(): boolean;
  /** Whether all plugins were up at one time since the start. */
  readonly wasReady: boolean;
  /** The answer of `GET /v1/status`; undefined where status is not enabled. */
  status(): PlainObject | undefined;
  /** The metrics of bundles and plugins; none where they are not enabled. */
  metrics(): readonly Metric[];
  /** Undefined where decisions are not logged. */
  readonly decisionLog: DecisionLogPlugin | undefined;
}

/** The settings that routes read, taken from the configuration when the app is built. */
export interface Settings {
  readonly limits: BodyLimits;
  readonly compression: Compression;
  /** The path of the document that `POST /` returns, in segments. */
  readonly defaultDecision: readonly string[];
  /** The path of the document that authorizes requests, in segments. */
  readonly authorizationDecision: readonly string[];
  readonly authentication: 'off' | 'token' | 'tls';
  readonly authorization: 'off' | 'basic';
  /** Milliseconds until a request must be answered after it arrived; 0 is no limit. */
  readonly evaluationTimeMs: number;
  /** The most inputs of one batch. */
  readonly maxBatchInputs: number;
  /** Operations of one patch: all become visible in one step. */
  readonly maxPatchOperations: number;
  /** The most watches of all clients together. */
  readonly maxWatches: number;
  /** The answer of `GET /v1/config`. */
  readonly shownConfig: PlainObject;
}

export interface AppContext {
  readonly engine: Engine;
  readonly decisions: PreparedDecisions;
  readonly plugins: PluginView;
  readonly logger: Logger;
  readonly durations: RequestDurations;
  /** Undefined where requests are not traced. */
  readonly tracing?: Tracing | undefined;
  /** The measurements of the other processes that share the work; absent without any. */
  readonly others?: (() => Promise<readonly ProcessReport[]>) | undefined;
  readonly settings: Settings;
  /** Lets requests wait for a debugger; absent where none can attach. */
  readonly gate?: RequestGate | undefined;
}
