/** Collectors of spans for tests, which read OTLP over HTTP and over gRPC. */
import type { ServerOptions } from 'node:https';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import { serve } from '../../plugins/services/http-testing.js';

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

interface Collector {
  /** Host and port. */
  readonly address: string;
  readonly spans: CollectedSpan[];
}

export async function httpCollector(tls?: ServerOptions): Promise<Collector & { readonly paths: string[] }> {
  const spans: CollectedSpan[] = [];
  const paths: string[] = [];
  const { url } = await serve(
    ({ path, body }, response) => {
      paths.push(path);
      spans.push(...spansOf(body));
      response.setHeader('content-type', 'application/x-protobuf');
      response.end();
    },
    tls === undefined ? {} : { tls },
  );
  return { address: new URL(url).host, spans, paths };
}

export async function grpcCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const server = new Server();
  const bytes = (buffer: Buffer) => buffer;
  const method = {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
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
        spans.push(...spansOf(call.request));
        answer(null, Buffer.alloc(0));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return { address: `127.0.0.1:${port}`, spans };
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
