/** The exporters of spans: OTLP over HTTP or gRPC. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { httpOptions } from '../otlp/connection.js';
import type { TracingConfig } from './tracing-config.js';

export async function exporterOf(config: TracingConfig): Promise<SpanExporter> {
  const timeoutMillis = config.batch.exportTimeoutMs;
  if (config.type === 'grpc') return (await import('./grpc-exporter.js')).grpcExporter(config, timeoutMillis);
  return new OTLPTraceExporter({ ...httpOptions(config, '/v1/traces'), timeoutMillis });
}
