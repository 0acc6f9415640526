/** The answers of the routes of a server's page. */

/** `GET /ui/state`. */
export interface ServerView {
  readonly version: string;
  /** The release of OPA whose API the server has. */
  readonly opa: string;
  /** Milliseconds since 1970 at which the process of the server started. */
  readonly startedMs: number;
  /** The time of the answer. */
  readonly nowMs: number;
  /** The revision of the log of writes. */
  readonly revision: number;
  readonly health: HealthView;
  readonly bundles: readonly BundleView[];
  readonly policies: readonly PolicyView[];
  readonly metrics: MetricsView;
  /** The newest first. */
  readonly decisions: readonly DecisionView[];
}

export interface HealthView {
  /** Whether every configured bundle was activated, and all plugins are up. */
  readonly isReady: boolean;
  readonly plugins: readonly { readonly name: string; readonly state: string; readonly message?: string }[];
}

export interface BundleView {
  readonly name: string;
  /** Whether it is loaded. */
  readonly isActive: boolean;
  readonly revision: string;
  readonly roots: readonly string[];
  /** When the version of a configured bundle was activated. */
  readonly activatedMs?: number;
  /** When the service of a configured bundle was last asked. */
  readonly requestedMs?: number;
  /** The fault of the last attempt. */
  readonly error?: string;
}

export interface PolicyView {
  readonly id: string;
  readonly package: string;
  /** The path of its document, as `authz/roles`. */
  readonly path: string;
  readonly rules: number;
  readonly bundle?: string;
}

/** Counters and gauges at one time, of all processes of the server. */
export interface MetricsView {
  readonly requests: number;
  /** Requests that were answered with a status of 500 or above. */
  readonly failures: number;
  readonly requestSeconds: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
}

export interface DecisionView {
  readonly id: string;
  readonly timeMs: number;
  /** A path, or the text of a query. */
  readonly question: string;
  readonly outcome: 'value' | 'undefined' | 'error';
  /** The beginning of the result or of the error. */
  readonly text: string;
  readonly by?: string;
  /** The whole time on the server, where it is known. */
  readonly milliseconds?: number;
}

/** `GET /ui/decisions/ID`. */
export interface DecisionDetail {
  /** The event as indented JSON, masked as the decision log is. */
  readonly event: string;
  readonly isShortened: boolean;
  /** The explanation, in lines; undefined where there is none. */
  readonly why?: string;
  /** A note about the explanation, or the reason why there is none. */
  readonly note?: string;
  /** The path of rules with a plan. */
  readonly path?: string;
}

/** `GET /ui/data?path=["a"]`. */
export interface DocumentView {
  readonly path: readonly string[];
  readonly members: readonly DataMember[];
  /** The members that are not shown. */
  readonly omitted: number;
}

export interface DataMember {
  readonly key: string;
  /** The size of an object or an array; undefined for other values. */
  readonly size?: number;
  /** JSON, or its beginning. */
  readonly text: string;
}
