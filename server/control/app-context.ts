/** What the routes are given. */
import type { Engine } from '../../engine/engine.js';
import type { PlainObject } from '../../runtime/values/value.js';
import type { PreparedDecisions } from '../http/prepared-decisions.js';
import type { BodyLimits } from '../http/requests/body.js';
import type { Compression } from '../http/responses/response.js';
import type { Logger } from '../observability/logger.js';
import type { RequestDurations } from '../observability/request-durations.js';
import type { DecisionLogPlugin } from '../plugins/decision-log/decision-log.js';
import type { PluginStatus } from '../plugins/plugin.js';

/** What the server asks of its plugins. */
export interface PluginView {
  /** By name, in order; `discovery` is always among them. */
  states(): ReadonlyMap<string, PluginStatus>;
  /** Whether every configured bundle was activated once. */
  bundlesActivated(): boolean;
  /** Whether all plugins were up at one time since the start. */
  readonly wasReady: boolean;
  /** What `GET /v1/status` answers, undefined where status is not enabled. */
  status(): PlainObject | undefined;
  /** What `/metrics` shows of bundles and plugins; empty where that is not asked for. */
  metricsText(): string;
  /** Undefined where decisions are not logged. */
  readonly decisionLog: DecisionLogPlugin | undefined;
}

/** The settings that routes read, taken from the configuration when the app is built. */
export interface Settings {
  readonly limits: BodyLimits;
  readonly compression: Compression;
  /** Segments of the document that `POST /` asks for. */
  readonly defaultDecision: readonly string[];
  /** Segments of the document that authorizes requests. */
  readonly authorizationDecision: readonly string[];
  readonly authentication: 'off' | 'token' | 'tls';
  readonly authorization: 'off' | 'basic';
  /** Milliseconds in which a request is answered once it is there; 0 is no limit. */
  readonly evaluationTimeMs: number;
  /** What `GET /v1/config` answers. */
  readonly shownConfig: PlainObject;
}

export interface AppContext {
  readonly engine: Engine;
  readonly decisions: PreparedDecisions;
  readonly plugins: PluginView;
  readonly logger: Logger;
  readonly durations: RequestDurations;
  readonly settings: Settings;
}
