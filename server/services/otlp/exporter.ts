/** Exporters of OTLP, over HTTP or gRPC. */
import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { createOtlpNetworkExportDelegate, ExporterMetrics, OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { IExporterMetricsHelper, ISerializer } from '@opentelemetry/otlp-transformer';
import type { PluginLogger } from '../plugin.js';
import { type CollectorConfig, collectorTlsOptions } from './collector-config.js';
import { GrpcTransport } from './grpc-transport.js';

/** The kind of data that is sent: spans or metrics. */
export interface Signal<Items, Answer> {
  /** In the names of the variables `OTEL_EXPORTER_OTLP_…`. */
  readonly name: 'TRACES' | 'METRICS';
  readonly httpPath: string;
  readonly grpcPath: string;
  readonly serializer: ISerializer<Items, Answer>;
  readonly helper: IExporterMetricsHelper<Items>;
}

/** Sends, and tells a log what could not be sent. */
interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/** An exporter to a collector, with the headers and the compression that the environment tells. */
export function exporterOf<Items, Answer>(
  collector: CollectorConfig,
  timeoutMillis: number,
  signal: Signal<Items, Answer>,
  logger: PluginLogger,
): Exporter<Items> {
  const { type, address, tls } = collector;
  const { serializer, helper } = signal;
  const collectorUrl = `${tls === undefined ? 'http' : 'https'}://${address}`;
  const isHttp = type === 'http';
  const agents: Agent[] = [];
  const options = convertLegacyHttpOptions(
    {
      url: isHttp ? collectorUrl + signal.httpPath : collectorUrl,
      timeoutMillis,
      httpAgentOptions: async (protocol) => {
        const agent =
          protocol === 'https:'
            ? new SecureAgent({ keepAlive: true, ...(tls !== undefined && collectorTlsOptions(tls)) })
            : new Agent({ keepAlive: true });
        agents.push(agent);
        return agent;
      },
    },
    signal.name,
    signal.httpPath,
    isHttp ? { 'Content-Type': 'application/x-protobuf' } : {},
  );
  const component = `otlp_${type}_exporter`;
  if (isHttp) {
    const exporter = new OTLPExporterBase(
      createOtlpHttpExportDelegate(options, serializer, component, helper, undefined),
    );
    return telling(exporter, timeoutMillis, logger, () => {
      for (const agent of agents) agent.destroy();
    });
  }
  const { url, headers, compression } = options;
  const transport = new GrpcTransport({
    url,
    tls,
    path: signal.grpcPath,
    headers,
    isCompressed: compression === 'gzip',
  });
  const metrics = new ExporterMetrics({
    componentType: component,
    metricsHelper: helper,
    url,
    meterProvider: undefined,
    responseAttributesFromError: () => ({}),
  });
  return telling(
    new OTLPExporterBase(createOtlpNetworkExportDelegate(options, serializer, metrics, transport)),
    timeoutMillis,
    logger,
    () => {},
  );
}

/**
 * Failures are told to the log, and not to the SDK: that would tell it to the process, which may
 * be another program's, with an OpenTelemetry of its own. The time is measured here, since the
 * exporter waits for as long as a collector sends anything.
 */
function telling<Items>(
  exporter: OTLPExporterBase<Items>,
  timeMs: number,
  logger: PluginLogger,
  disconnect: () => void,
): Exporter<Items> {
  return {
    export(items, done) {
      const { promise, resolve } = Promise.withResolvers<ExportResult>();
      const timer = setTimeout(() => {
        resolve({ code: ExportResultCode.FAILED, error: new Error('the collector takes too long') });
        disconnect();
      }, timeMs);
      exporter.export(items, resolve);
      void promise.then(({ code, error }) => {
        clearTimeout(timer);
        if (code !== ExportResultCode.SUCCESS)
          logger.error(`OpenTelemetry failed: ${error?.message ?? 'nothing was sent'}.`);
        done({ code: ExportResultCode.SUCCESS });
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown().finally(disconnect),
  };
}
