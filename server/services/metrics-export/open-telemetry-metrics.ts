/** Metrics by the packages of OpenTelemetry. */
import { type HrTime, ValueType } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import type { IExportMetricsServiceResponse } from '@opentelemetry/otlp-transformer';
import { MetricsExporterMetricsHelper, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import type { CollectionResult, MetricData, MetricProducer, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { buildInfo } from '../../../engine/index.js';
import type { Metric } from '../metrics/prometheus.js';
import { exporterOf, type Signal } from '../otlp/exporter.js';
import { logComplaints, resourceOf, shutDown } from '../otlp/sdk.js';
import type { PluginLogger } from '../plugin.js';
import type { MetricsExport } from './metrics-export.js';
import type { MetricsExportConfig } from './metrics-export-config.js';

const signal: Signal<ResourceMetrics, IExportMetricsServiceResponse> = {
  name: 'METRICS',
  httpPath: '/v1/metrics',
  grpcPath: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  serializer: ProtobufMetricsSerializer,
  helper: MetricsExporterMetricsHelper,
};

export class OpenTelemetryMetrics implements MetricsExport {
  readonly #provider: MeterProvider;
  readonly #logger: PluginLogger;

  private constructor(provider: MeterProvider, logger: PluginLogger) {
    this.#provider = provider;
    this.#logger = logger;
  }

  static async start(
    config: MetricsExportConfig,
    metrics: () => Promise<readonly Metric[]>,
    logger: PluginLogger,
    isGuest: boolean,
  ): Promise<OpenTelemetryMetrics> {
    logComplaints(logger, isGuest);
    const resource = resourceOf(config);
    const started = millisToHrTime(performance.timeOrigin);
    const producer: MetricProducer = {
      async collect(): Promise<CollectionResult> {
        const now = millisToHrTime(Date.now());
        const data = (await metrics()).map((metric) => metricData(metric, started, now));
        const scope = { name: 'writ', version: buildInfo.version };
        return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: data }] }, errors: [] };
      },
    };
    const reader = new PeriodicExportingMetricReader({
      exporter: exporterOf(config, config.timeoutMs, signal, logger),
      exportIntervalMillis: config.intervalMs,
      exportTimeoutMillis: config.timeoutMs,
      metricProducers: [producer],
    });
    return new OpenTelemetryMetrics(new MeterProvider({ resource, readers: [reader] }), logger);
  }

  async stop(timeMs: number): Promise<void> {
    await shutDown(this.#provider, timeMs, this.#logger);
  }
}

/** A family of Prometheus under its name, with its labels as attributes. */
function metricData({ family, samples, histograms }: Metric, startTime: HrTime, endTime: HrTime): MetricData {
  const { name, help, type } = family;
  const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE, advice: {} };
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  if (type === 'histogram') {
    return {
      descriptor,
      dataPointType: DataPointType.HISTOGRAM,
      aggregationTemporality,
      dataPoints: histograms.map((histogram) => ({
        startTime,
        endTime,
        attributes: histogram.labels,
        value: { buckets: histogram.buckets, sum: histogram.state.sum, count: histogram.state.count },
      })),
    };
  }
  const dataPoints = samples.map(({ labels, value }) => ({ startTime, endTime, attributes: labels, value }));
  if (type === 'gauge') return { descriptor, dataPointType: DataPointType.GAUGE, aggregationTemporality, dataPoints };
  return { descriptor, dataPointType: DataPointType.SUM, aggregationTemporality, isMonotonic: true, dataPoints };
}
