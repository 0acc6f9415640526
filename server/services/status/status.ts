/**
 * The plugin `status`: the states of bundles and plugins, for `/v1/status`, `/metrics`, the console
 * and a service.
 */
import type { PlainObject } from '../../../values/index.js';
import type { Metric } from '../metrics/prometheus.js';
import type { Plugin, PluginContext, ReportStatus } from '../plugin.js';
import { StatusMetrics } from './metrics.js';
import type { StatusConfig } from './status-config.js';
import { type StatusSources, statusSnapshot } from './status-snapshot.js';
import { StatusUpload } from './status-upload.js';

export class StatusPlugin implements Plugin<StatusConfig> {
  #config: StatusConfig;
  #isPending = false;
  #ignore: (() => void) | undefined;
  readonly #context: PluginContext;
  readonly #report: ReportStatus;
  readonly #sources: StatusSources;
  #metrics: StatusMetrics | undefined;
  #upload: StatusUpload | undefined;

  constructor(config: StatusConfig, context: PluginContext, report: ReportStatus, sources: StatusSources) {
    this.#config = config;
    this.#context = context;
    this.#report = report;
    this.#sources = sources;
    this.#metrics = metricsOf(config);
    this.#upload = this.#newUpload();
  }

  async start(): Promise<void> {
    this.#ignore = this.#sources.onChange(() => this.#changed());
    this.#report({ state: 'OK' });
  }

  async reconfigure(config: StatusConfig): Promise<void> {
    if (String(config.loadBuckets) !== String(this.#config.loadBuckets)) this.#metrics = metricsOf(config);
    this.#config = config;
    const { target } = config;
    if (target === undefined || this.#upload === undefined) {
      await this.#upload?.stop();
      this.#upload = this.#newUpload();
    } else this.#upload.reconfigure(target);
    this.#report({ state: 'OK' });
  }

  /** Sends the status. */
  async trigger(): Promise<void> {
    await this.#upload?.trigger();
  }

  async stop(): Promise<void> {
    this.#ignore?.();
    this.#ignore = undefined;
    await this.#upload?.stop();
    this.#report({ state: 'NOT_READY' });
  }

  #newUpload(): StatusUpload | undefined {
    const { target } = this.#config;
    if (target === undefined) return undefined;
    const { services, logger } = this.#context;
    return new StatusUpload(target, { services, logger, snapshot: () => this.snapshot() });
  }

  /** The answer of `GET /v1/status`. */
  snapshot(): PlainObject {
    const { labels, prometheus } = this.#context;
    return statusSnapshot(this.#sources, labels, this.metrics(), prometheus?.());
  }

  /** The metrics of bundles and plugins; none where they are not enabled. */
  metrics(): readonly Metric[] {
    return this.#metrics?.metrics(this.#sources.bundles() ?? {}, this.#sources.plugins()) ?? [];
  }

  /** Changes of one turn make one update. */
  #changed(): void {
    this.#metrics?.update(this.#sources.bundles() ?? {});
    this.#upload?.changed();
    if (!this.#config.console || this.#isPending) return;
    this.#isPending = true;
    setImmediate(() => {
      this.#isPending = false;
      if (this.#ignore !== undefined)
        this.#context.console.info('Status Log', { ...this.snapshot(), type: 'openpolicyagent.org/status' });
    });
  }
}

function metricsOf({ loadBuckets }: StatusConfig): StatusMetrics | undefined {
  return loadBuckets === undefined ? undefined : new StatusMetrics(loadBuckets);
}
