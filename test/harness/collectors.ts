/** Collectors of spans and metrics for tests, which read OTLP over HTTP and over gRPC. */
import type { ServerOptions } from 'node:https';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { serve } from './server/http.js';
import { onTestFinished } from './set-up/concurrent-tests.js';

interface CollectedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 2 is an error. */
  readonly status: number;
  readonly resource: Readonly<Record<string, unknown>>;
}

interface CollectedMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'unknown';
  readonly points: readonly CollectedPoint[];
  readonly resource: Readonly<Record<string, unknown>>;
}

interface CollectedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of a histogram the sum. */
  readonly value: number;
  /** Of a histogram: how many values are between each two bounds. */
  readonly counts: readonly number[];
  readonly bounds: readonly number[];
}

interface Collector {
  /** Host and port. */
  readonly address: string;
  readonly spans: CollectedSpan[];
  /** By each message that has arrived. */
  readonly metrics: (readonly CollectedMetric[])[];
}

export async function httpCollector(tls?: ServerOptions): Promise<Collector & { readonly paths: string[] }> {
  const spans: CollectedSpan[] = [];
  const metrics: (readonly CollectedMetric[])[] = [];
  const paths: string[] = [];
  const { url } = await serve(
    ({ path, body }, response) => {
      paths.push(path);
      if (path === '/v1/metrics') metrics.push(metricsOf(body));
      else spans.push(...spansOf(body));
      response.setHeader('content-type', 'application/x-protobuf');
      response.end();
    },
    tls === undefined ? {} : { tls },
  );
  return { address: new URL(url).host, spans, metrics, paths };
}

export async function grpcCollector(credentials = ServerCredentials.createInsecure()): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const metrics: (readonly CollectedMetric[])[] = [];
  const server = new Server();
  addExport(server, 'trace.v1.TraceService', (request) => spans.push(...spansOf(request)));
  addExport(server, 'metrics.v1.MetricsService', (request) => metrics.push(metricsOf(request)));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });
  onTestFinished(() => server.forceShutdown());
  return { address: `127.0.0.1:${port}`, spans, metrics };
}

function addExport(server: Server, service: string, take: (request: Buffer) => void): void {
  const bytes = (buffer: Buffer) => buffer;
  const method = {
    path: `/opentelemetry.proto.collector.${service}/Export`,
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  server.addService(
    { export: method },
    {
      export: (call: { readonly request: Buffer }, answer: (error: null, response: Buffer) => void) => {
        take(call.request);
        answer(null, Buffer.alloc(0));
      },
    },
  );
}

/** The numbers of fields are those of OTLP's messages. */
function spansOf(request: Buffer): CollectedSpan[] {
  return messages(fields(request), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(messages(resourceSpans, 1)[0]!, 1));
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        name: text(span, 5),
        kind: Number(span.get(6)?.[0] ?? 0),
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4),
        attributes: attributesOf(messages(span, 9)),
        status: Number(messages(span, 15)[0]?.get(3)?.[0] ?? 0),
        resource,
      }));
  });
}

/** A metric's field 5 is a gauge, 7 a sum, 9 a histogram. */
function metricsOf(request: Buffer): CollectedMetric[] {
  return messages(fields(request), 1).flatMap((resourceMetrics) => {
    const resource = attributesOf(messages(messages(resourceMetrics, 1)[0]!, 1));
    return messages(resourceMetrics, 2)
      .flatMap((scopeMetrics) => messages(scopeMetrics, 2))
      .map((metric): CollectedMetric => {
        const type = metric.has(5) ? 'gauge' : metric.has(7) ? 'counter' : metric.has(9) ? 'histogram' : 'unknown';
        const data = [5, 7, 9].flatMap((number) => messages(metric, number));
        return { name: text(metric, 1), type, points: data.flatMap((each) => messages(each, 1)).map(pointOf(type)), resource };
      });
  });
}

function pointOf(type: CollectedMetric['type']): (point: Fields) => CollectedPoint {
  const isHistogram = type === 'histogram';
  return (point) => ({
    attributes: attributesOf(messages(point, isHistogram ? 9 : 7)),
    value: (point.get(isHistogram ? 5 : 4)?.[0] as Buffer | undefined)?.readDoubleLE() ?? Number.NaN,
    counts: isHistogram ? packed(point, 6).map((bytes) => Number(bytes.readBigUInt64LE())) : [],
    bounds: isHistogram ? packed(point, 7).map((bytes) => bytes.readDoubleLE()) : [],
  });
}

/** The numbers of a repeated field, 8 bytes each. */
function packed(message: Fields, number: number): Buffer[] {
  const bytes = Buffer.concat((message.get(number) ?? []) as Buffer[]);
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.subarray(8 * i, 8 * i + 8));
}

type Fields = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

function attributesOf(pairs: readonly Fields[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value] = messages(pair, 2);
      return [text(pair, 1), value?.has(1) ? text(value, 1) : Number(value?.get(3)?.[0])];
    }),
  );
}

function messages(message: Fields, number: number): Fields[] {
  return (message.get(number) ?? []).map((value) => fields(value as Buffer));
}

function text(message: Fields, number: number): string {
  return ((message.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString('utf8');
}

function hex(message: Fields, number: number): string {
  return ((message.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString('hex');
}

/** The fields of a message of protocol buffers. */
function fields(bytes: Buffer): Fields {
  const found = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    const value = kind === 0 ? varint() : take(kind === 1 ? 8 : kind === 5 ? 4 : Number(varint()));
    const values = found.get(tag >> 3);
    if (values === undefined) found.set(tag >> 3, [value]);
    else values.push(value);
  }
  return found;
}
