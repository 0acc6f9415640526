/** Exporters of OTLP, over HTTP or gRPC. */
import { createOtlpNetworkExportDelegate, ExporterMetrics, OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { IExporterMetricsHelper, ISerializer } from '@opentelemetry/otlp-transformer';
import { type CollectorConfig, tlsOptions } from './collector-config.js';
import { GrpcTransport } from './grpc-transport.js';

/** What is sent: spans or metrics. */
export interface Signal<Items, Answer> {
  /** In the names of the variables `OTEL_EXPORTER_OTLP_…`. */
  readonly name: 'TRACES' | 'METRICS';
  readonly httpPath: string;
  readonly grpcPath: string;
  readonly serializer: ISerializer<Items, Answer>;
  readonly helper: IExporterMetricsHelper<Items>;
}

/** An exporter to a collector, with the headers and the compression that the environment tells. */
export function exporterOf<Items, Answer>(
  collector: CollectorConfig,
  timeoutMillis: number,
  signal: Signal<Items, Answer>,
): OTLPExporterBase<Items> {
  const { type, address, tls } = collector;
  const { serializer, helper } = signal;
  const collectorUrl = `${tls === undefined ? 'http' : 'https'}://${address}`;
  const isHttp = type === 'http';
  const options = convertLegacyHttpOptions(
    {
      url: isHttp ? collectorUrl + signal.httpPath : collectorUrl,
      timeoutMillis,
      ...(tls !== undefined && { httpAgentOptions: { keepAlive: true, ...tlsOptions(tls) } }),
    },
    signal.name,
    signal.httpPath,
    isHttp ? { 'Content-Type': 'application/x-protobuf' } : {},
  );
  const component = `otlp_${type}_exporter`;
  if (isHttp) return new OTLPExporterBase(createOtlpHttpExportDelegate(options, serializer, component, helper, undefined));
  const { url, headers, compression } = options;
  const transport = new GrpcTransport({ url, tls, path: signal.grpcPath, headers, isCompressed: compression === 'gzip' });
  const metrics = new ExporterMetrics({
    componentType: component,
    metricsHelper: helper,
    url,
    meterProvider: undefined,
    responseAttributesFromError: () => ({}),
  });
  return new OTLPExporterBase(createOtlpNetworkExportDelegate(options, serializer, metrics, transport));
}
