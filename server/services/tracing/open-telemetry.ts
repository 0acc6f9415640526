/** Spans by the packages of OpenTelemetry. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context, Span as OtelSpan, Tracer } from '@opentelemetry/api';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  context as openContext,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { CompositePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import type { IExportTraceServiceResponse } from '@opentelemetry/otlp-transformer';
import { ProtobufTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import { B3Propagator } from '@opentelemetry/propagator-b3';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { buildInfo } from '../../../engine/index.js';
import { type HostNetwork, longestTimerMs, type NetworkRequest, type NetworkResponse } from '../../../values/index.js';
import { exporterOf, type Signal } from '../otlp/exporter.js';
import { logComplaints, resourceOf, shutDown } from '../otlp/sdk.js';
import type { PluginLogger } from '../plugin.js';
import type { TracedCall, TracedRequest, TraceSpan, Tracing } from './tracing.js';
import type { TracingConfig } from './tracing-config.js';

const propagator = new W3CTraceContextPropagator();

/** The propagator for calls: Envoy sends B3 as well. */
const callPropagator = new CompositePropagator({ propagators: [new B3Propagator(), propagator] });
const callHeaders = [
  'traceparent',
  'tracestate',
  'b3',
  'x-b3-traceid',
  'x-b3-spanid',
  'x-b3-parentspanid',
  'x-b3-sampled',
  'x-b3-flags',
];

const signal: Signal<ReadableSpan[], IExportTraceServiceResponse> = {
  name: 'TRACES',
  httpPath: '/v1/traces',
  grpcPath: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  serializer: ProtobufTraceSerializer,
  helper: TraceExporterMetricsHelper,
};

/** The span whose work is done. */
const current = new AsyncLocalStorage<Context>();

export class OpenTelemetry implements Tracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #logger: PluginLogger;

  private constructor(provider: TracerProvider, logger: PluginLogger) {
    this.#provider = provider;
    this.#logger = logger;
    this.#tracer = provider.getTracer('writ', buildInfo.version);
  }

  static async start(config: TracingConfig, logger: PluginLogger, isGuest: boolean): Promise<OpenTelemetry> {
    logComplaints(logger, isGuest);
    const { sampleRatio, batch } = config;
    const { maxQueueSize, maxExportBatchSize, batchTimeoutMs, exportTimeoutMs } = batch;
    const processor = new BatchSpanProcessor({
      exporter: exporterOf(config, exportTimeoutMs, signal, logger),
      maxQueueSize,
      maxExportBatchSize,
      scheduledDelayMillis: batchTimeoutMs,
      // The exporter ends in its own time: the SDK would tell the process.
      exportTimeoutMillis: longestTimerMs,
    });
    const provider = new TracerProvider({
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
      resource: resourceOf(config),
      spanProcessors: [processor],
    });
    return new OpenTelemetry(provider, logger);
  }

  async request(
    request: TracedRequest,
    answer: (span: TraceSpan) => Promise<Response>,
    name: () => string,
  ): Promise<Response> {
    const { method, path } = request;
    const carrier = { traceparent: request.header('traceparent'), tracestate: request.header('tracestate') };
    const parent = propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
    const attributes = { 'http.request.method': method, 'url.path': path };
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
    const context = trace.setSpan(parent, span);
    try {
      const response = await current.run(context, () => answer(new OpenSpan(this.#tracer, span, context)));
      span.updateName(name());
      span.setAttributes({ 'http.route': name(), 'http.response.status_code': response.status });
      if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      return response;
    } finally {
      span.end();
    }
  }

  async call<Result>({ name, header }: TracedCall, answer: (span: TraceSpan) => Promise<Result>): Promise<Result> {
    const carrier = Object.fromEntries(
      callHeaders.map((key) => [key, header(key)] as const).filter(([, value]) => value !== undefined),
    );
    const parent = callPropagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
    const [service = '', method = ''] = name.split('/');
    const attributes = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
    const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    const context = trace.setSpan(parent, span);
    return await current.run(context, () => ending(span, () => answer(new OpenSpan(this.#tracer, span, context))));
  }

  work<Result>(
    name: string,
    attributes: { readonly [name: string]: string },
    work: (span: TraceSpan) => Result,
  ): Result {
    const parent = current.getStore() ?? openContext.active();
    const span = this.#tracer.startSpan(name, { attributes }, parent);
    const context = trace.setSpan(parent, span);
    let result: Result;
    try {
      result = current.run(context, () => work(new OpenSpan(this.#tracer, span, context)));
    } catch (error) {
      failed(span, error);
      throw error;
    }
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return ending(span, () => result as Promise<unknown>) as Result;
  }

  network(network: HostNetwork): HostNetwork {
    return { ...network, request: (request, signal) => this.#exchange(network, request, signal) };
  }

  async #exchange(network: HostNetwork, request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse> {
    const { method } = request;
    const url = new URL(request.url);
    // The query, the user and the password may be secrets.
    const attributes = {
      'http.request.method': method,
      'server.address': url.hostname,
      'url.full': `${url.origin}${url.pathname}`,
    };
    const parent = current.getStore() ?? ROOT_CONTEXT;
    const span = this.#tracer.startSpan(`HTTP ${method}`, { kind: SpanKind.CLIENT, attributes }, parent);
    const carrier: Record<string, string> = {};
    propagator.inject(trace.setSpan(parent, span), carrier, defaultTextMapSetter);
    return await ending(span, async () => {
      const response = await network.request({ ...request, headers: withContext(request.headers, carrier) }, signal);
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
      return response;
    });
  }

  async stop(timeMs: number): Promise<void> {
    await shutDown(this.#provider, timeMs, this.#logger);
  }
}

class OpenSpan implements TraceSpan {
  readonly #tracer: Tracer;
  readonly #span: OtelSpan;
  readonly #context: Context;

  constructor(tracer: Tracer, span: OtelSpan, context: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = context;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get spanId(): string {
    return this.#span.spanContext().spanId;
  }

  set(attribute: string, value: string | number): void {
    // A watch goes on after the span of its request.
    if (this.#span.isRecording()) this.#span.setAttribute(attribute, value);
  }

  part<Result>(
    name: string,
    attributes: { readonly [name: string]: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const span = this.#tracer.startSpan(name, { attributes }, this.#context);
    return current.run(trace.setSpan(this.#context, span), () => ending(span, work));
  }
}

async function ending<Result>(span: OtelSpan, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
    throw error;
  } finally {
    span.end();
  }
}

function failed(span: OtelSpan, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
  span.end();
}

/** Headers that a policy gave itself stay. */
function withContext(
  headers: NetworkRequest['headers'],
  carrier: Readonly<Record<string, string>>,
): NetworkRequest['headers'] {
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  return [...headers, ...Object.entries(carrier).filter(([name]) => !given.has(name))];
}
