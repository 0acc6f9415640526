/** The exporters of spans: OTLP over HTTP or gRPC. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingConfig } from './config.js';

export async function exporterOf({ type, address, tls, batch }: TracingConfig): Promise<SpanExporter> {
  const timeoutMillis = batch.exportTimeoutMs;
  const scheme = tls === undefined ? 'http' : 'https';
  if (type === 'grpc') {
    // gRPC is ten times as large as the rest.
    const { grpcExporter } = await import('./grpc-exporter.js');
    return grpcExporter(`${scheme}://${address}`, tls, timeoutMillis);
  }
  const httpAgentOptions = tls && {
    keepAlive: true,
    rejectUnauthorized: !tls.allowsInsecure,
    ...(tls.ca !== undefined && { ca: tls.ca }),
    ...(tls.certificate !== undefined && { cert: tls.certificate, key: tls.key }),
  };
  return new OTLPTraceExporter({ url: `${scheme}://${address}/v1/traces`, timeoutMillis, ...(httpAgentOptions && { httpAgentOptions }) });
}
