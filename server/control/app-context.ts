/** The context of the routes: engine, plugins, log, metrics and settings. */
import type { Engine } from '../../engine/index.js';
import type { PlainObject } from '../../values/index.js';
import type { AuthzenConfig } from '../gateway/authzen/authzen-config.js';
import type { CheckMetrics } from '../gateway/envoy/check-metrics.js';
import type { PreparedDecisions } from '../http/prepared-decisions.js';
import type { BodyLimits } from '../http/requests/body.js';
import type { Compression } from '../http/responses/response.js';
import type { ProcessReport } from '../observability/process-report.js';
import type { RequestDurations } from '../observability/request-durations.js';
import type { RecentDecisions } from '../services/decision-log/recent-decisions.js';
import type { Logger } from '../services/logs/logger.js';
import type { PluginView } from '../services/plugin-view.js';
import type { Tracing } from '../services/tracing/tracing.js';
import type { Writing } from '../storage/writing.js';
import type { RequestGate } from './request-gate.js';

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
  /** Milliseconds that a request waits for a revision. */
  readonly revisionWaitMs: number;
  /** The most watches of all clients together. */
  readonly maxWatches: number;
  /** Undefined where the AuthZEN API is not served. */
  readonly authzen: AuthzenConfig | undefined;
  /** The answer of `GET /v1/config`. */
  readonly shownConfig: PlainObject;
}

export interface AppContext {
  readonly engine: Engine;
  readonly decisions: PreparedDecisions;
  readonly writing: Writing;
  readonly plugins: PluginView;
  readonly logger: Logger;
  readonly durations: RequestDurations;
  /** Undefined where Envoy's checks are not measured. */
  readonly checks?: CheckMetrics | undefined;
  /** Undefined where requests are not traced. */
  readonly tracing?: Tracing | undefined;
  /** The measurements of the other processes that share the work; absent without any. */
  readonly others?: (() => Promise<readonly ProcessReport[]>) | undefined;
  readonly settings: Settings;
  /** The last decisions; absent where none can be kept. */
  readonly recent?: RecentDecisions | undefined;
  /** Lets requests wait for a debugger; absent where none can attach. */
  readonly gate?: RequestGate | undefined;
}
