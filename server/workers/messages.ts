/** Messages between the primary process and its workers. */

import type { AuthzenConfig } from '../gateway/authzen/authzen-config.js';
import type { Gateway } from '../gateway/listeners/gateway.js';
import type { ProcessReport } from '../observability/process-report.js';
import type { DecisionLogConfig } from '../services/decision-log/decision-log-config.js';
import type { Loss } from '../services/decision-log/losses.js';
import type { WireChange } from './wire-change.js';

/** A request that the primary answers. */
export interface ForwardedRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  /** The data, not compressed. */
  readonly body: Uint8Array;
  /** The client's name, if it has one. */
  readonly author: string | undefined;
}

export interface ForwardedAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly location: string | undefined;
  /** See `Answer`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly revision: number;
  readonly body: Uint8Array | null;
}

/** The revision of the last write, or why it is not known. */
export type Head = { readonly revision: number } | { readonly problem: string };

/** How an address is shared. */
export interface SharedAddress {
  readonly address: string;
  /** See `ListenOptions`. */
  readonly shared: 'port' | 'passed';
}

/** Settings that may be discovered. */
export interface WorkerSettings {
  readonly labels: Readonly<Record<string, string>>;
  readonly decisionLogs: DecisionLogConfig | undefined;
  readonly defaultDecision: readonly string[];
  readonly authorizationDecision: readonly string[];
  readonly authzen: AuthzenConfig | undefined;
}

export type ToWorker =
  | {
      readonly kind: 'start';
      /** JSON. */
      readonly config: string;
      readonly settings: WorkerSettings;
      readonly bundlesActivated: boolean;
      readonly addresses: readonly SharedAddress[];
      readonly gateways: readonly { readonly address: SharedAddress; readonly gateway: Gateway }[];
      readonly state: WireChange;
    }
  | { readonly kind: 'change'; readonly number: number; readonly change: WireChange }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ForwardedAnswer }
  | { readonly kind: 'head'; readonly id: number; readonly head: Head }
  /** A connection, sent with its socket. */
  | { readonly kind: 'connection'; readonly id: number; readonly address: string }
  | { readonly kind: 'report'; readonly id: number }
  | { readonly kind: 'settings'; readonly settings: WorkerSettings }
  | { readonly kind: 'bundles'; readonly activated: boolean }
  | { readonly kind: 'stop'; readonly graceMs: number };

export type ToPrimary =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'changed'; readonly number: number; readonly error: string | undefined }
  /** The connection is the worker's: it begins to read. */
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'request'; readonly id: number; readonly request: ForwardedRequest }
  | { readonly kind: 'head'; readonly id: number }
  | {
      readonly kind: 'events';
      readonly events: readonly string[];
      readonly losses: readonly (readonly [Loss, number])[];
    }
  | { readonly kind: 'report'; readonly id: number; readonly report: ProcessReport }
  /** The last measurements of a worker that has stopped. */
  | { readonly kind: 'stopped'; readonly report: ProcessReport };
