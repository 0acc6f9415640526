/** The status of a configured bundle, for `GET /v1/status` and status updates. */

import { CompileErrors, diagnosticToJson } from '../../../compiler/index.js';
import { type Bundle, type FetchedBundle, timers } from '../../../engine/index.js';
import { wallClockNs } from '../../../runtime/index.js';
import { type PlainObject, rfc3339Text, type Value } from '../../../values/index.js';
import { ServiceError } from '../clients/request.js';
import { neverStamp } from '../timestamp.js';

type BundleType = 'snapshot' | 'delta';

export function typeOf({ patch }: Bundle): BundleType {
  return patch === undefined ? 'snapshot' : 'delta';
}

export class BundleStatus {
  readonly name: string;
  #revision = '';
  #activation = neverStamp;
  #download = neverStamp;
  #successfulRequest = neverStamp;
  #request = neverStamp;
  #type: BundleType | undefined;
  #size: number | undefined;
  #error: PlainObject = {};
  /** Whether the error ends once the source has the active version. */
  #endsUnchanged = false;
  #fetchMetrics: PlainObject = {};
  #metrics: PlainObject = {};

  constructor(name: string) {
    this.name = name;
  }

  /** Whether a version was activated. It stays active until another replaces it. */
  get isActivated(): boolean {
    return this.#activation !== neverStamp;
  }

  /** A fetch began. */
  requested(): void {
    this.#request = rfc3339Text(wallClockNs());
  }

  /** The fetch found the active version. */
  unchanged(): void {
    this.#successfulRequest = this.#request;
    if (this.#endsUnchanged) this.#error = {};
  }

  /** The fetch failed, or its version cannot be activated. */
  refused(error: unknown): void {
    this.failed(error);
    this.#endsUnchanged = true;
  }

  /** A fetch returned a version. */
  fetched({ bundle, size, requestMs, dataParseMs = 0 }: FetchedBundle): void {
    this.#successfulRequest = this.#request;
    this.#download = this.#request;
    this.#type = typeOf(bundle);
    this.#size = size;
    this.#fetchMetrics = {
      ...(requestMs !== undefined && { [timers.bundleRequest]: Math.round(requestMs * 1e6) }),
      [timers.dataParse]: Math.round(dataParseMs * 1e6),
    };
  }

  /** The fetched version is the active one. */
  isActive(): void {
    this.#error = {};
  }

  activated(revision: string, type: BundleType, metrics: PlainObject): void {
    this.#revision = revision;
    this.#activation = rfc3339Text(wallClockNs());
    this.#type = type;
    this.#metrics = metrics;
    this.#error = {};
  }

  failed(error: unknown): void {
    this.#error = problem(error);
    this.#endsUnchanged = false;
  }

  toJson(): PlainObject {
    const metrics = { ...this.#fetchMetrics, ...this.#metrics };
    return {
      name: this.name,
      ...(this.#revision !== '' && { active_revision: this.#revision }),
      last_successful_activation: this.#activation,
      ...(this.#type !== undefined && { type: this.#type }),
      ...(this.#size !== undefined && { size: this.#size }),
      last_successful_download: this.#download,
      last_successful_request: this.#successfulRequest,
      last_request: this.#request,
      ...this.#error,
      ...(Object.keys(metrics).length > 0 && { metrics }),
    };
  }
}

function problem(error: unknown): PlainObject {
  if (error instanceof ServiceError && error.status !== undefined) {
    return { code: 'bundle_error', message: error.message, http_code: error.status };
  }
  if (!(error instanceof CompileErrors))
    return { code: 'bundle_error', message: error instanceof Error ? error.message : String(error) };
  const errors = error.diagnostics.map(
    (diagnostic) => JSON.parse(JSON.stringify(diagnosticToJson(diagnostic))) as Value,
  );
  return { code: 'bundle_error', message: 'error(s) occurred while compiling module(s)', errors };
}
