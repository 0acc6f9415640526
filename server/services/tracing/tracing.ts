/** Spans of requests, decisions and exchanges with other servers. */
import type { HostNetwork } from '../../../values/index.js';
import type { PluginLogger } from '../plugin.js';
import type { TracingConfig } from './tracing-config.js';

export interface TraceSpan {
  readonly traceId: string;
  readonly spanId: string;
  set(attribute: string, value: string | number): void;
  /** Does a part of this work, with a span of its own. An error ends the span as failed. */
  part<Result>(
    name: string,
    attributes: { readonly [name: string]: string },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** The attributes of a request that are known when it arrives. */
export interface TracedRequest {
  readonly method: string;
  readonly path: string;
  header(name: string): string | undefined;
}

/** A call of gRPC, when it arrives. */
export interface TracedCall {
  /** `package.Service/Method`. */
  readonly name: string;
  header(name: string): string | undefined;
}

export interface Tracing {
  /**
   * Answers a request, with a span that continues the client's trace.
   * @param name of the span, known once there is an answer
   */
  request(
    request: TracedRequest,
    answer: (span: TraceSpan) => Promise<Response>,
    name: () => string,
  ): Promise<Response>;
  /**
   * Answers a call of gRPC, with a span that continues the client's trace: W3C's headers or B3's.
   */
  call<Result>(call: TracedCall, answer: (span: TraceSpan) => Promise<Result>): Promise<Result>;
  /**
   * Does work that is part of no request, with a span in the trace of the program around it, if
   * that has one. An error ends the span as failed.
   */
  work<Result>(
    name: string,
    attributes: { readonly [name: string]: string },
    work: (span: TraceSpan) => Result,
  ): Result;
  /** The same network, with a span for each exchange, to which the trace is passed on. */
  network(network: HostNetwork): HostNetwork;
  /** Sends the last spans, for at most `timeMs`. */
  stop(timeMs: number): Promise<void>;
}

/**
 * The packages of OpenTelemetry are loaded only here.
 * @param isGuest see `logComplaints`
 */
export async function startTracing(
  config: TracingConfig | undefined,
  logger: PluginLogger,
  isGuest = false,
): Promise<Tracing | undefined> {
  if (config === undefined) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return await OpenTelemetry.start(config, logger, isGuest);
}
