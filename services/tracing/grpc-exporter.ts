import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { CollectorConfig } from '../otlp/collector-config.js';
import { grpcOptions } from '../otlp/grpc-connection.js';

export function grpcExporter(collector: CollectorConfig, timeoutMillis: number): SpanExporter {
  return new OTLPTraceExporter({ ...grpcOptions(collector), timeoutMillis });
}
