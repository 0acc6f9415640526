import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-grpc';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { CollectorConfig } from '../otlp/collector-config.js';
import { grpcOptions } from '../otlp/grpc-connection.js';

export function grpcExporter(collector: CollectorConfig, timeoutMillis: number): PushMetricExporter {
  return new OTLPMetricExporter({ ...grpcOptions(collector), timeoutMillis });
}
