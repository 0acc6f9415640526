import { credentials } from '@grpc/grpc-js';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingTls } from './config.js';

export function grpcExporter(url: string, tls: TracingTls | undefined, timeoutMillis: number): SpanExporter {
  return new OTLPTraceExporter({ url, timeoutMillis, credentials: tls === undefined ? credentials.createInsecure() : secure(tls) });
}

function secure({ ca, certificate, key, allowsInsecure }: TracingTls): ReturnType<typeof credentials.createSsl> {
  const bytes = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  return credentials.createSsl(bytes(ca), bytes(key), bytes(certificate), { rejectUnauthorized: !allowsInsecure });
}
