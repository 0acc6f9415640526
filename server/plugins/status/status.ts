/** The plugin `status`: how bundles and plugins are, for whoever asks and for the console. */
import type { PlainObject } from '../../../runtime/values/value.js';
import { consoleOnly } from '../console-only.js';
import type { Plugin, PluginContext, ReportStatus } from '../plugin.js';
import type { StatusConfig } from './config.js';
import { StatusMetrics } from './metrics.js';

/** What status tells of. */
export interface StatusSources {
  /** By bundle; undefined where there is no bundle plugin. */
  readonly bundles: () => PlainObject | undefined;
  /** By plugin: its state and message. */
  readonly plugins: () => PlainObject;
  /** Of events that were lost; undefined where none was. */
  readonly decisionLogs: () => PlainObject | undefined;
  /** Has a listener called on each change; the function that comes back ends that. */
  readonly onChange: (listener: () => void) => () => void;
}

export class StatusPlugin implements Plugin<StatusConfig> {
  #config: StatusConfig;
  #isPending = false;
  #ignore: (() => void) | undefined;
  readonly #context: PluginContext;
  readonly #report: ReportStatus;
  readonly #sources: StatusSources;
  #metrics: StatusMetrics | undefined;

  constructor(config: StatusConfig, context: PluginContext, report: ReportStatus, sources: StatusSources) {
    this.#config = config;
    this.#context = context;
    this.#report = report;
    this.#sources = sources;
    this.#metrics = metricsOf(config);
  }

  async start(): Promise<void> {
    this.#ignore = this.#sources.onChange(() => this.#changed());
    this.#report(consoleOnly('status', 'status is', this.#config.service, this.#context.logger));
  }

  async reconfigure(config: StatusConfig): Promise<void> {
    if (String(config.loadBuckets) !== String(this.#config.loadBuckets)) this.#metrics = metricsOf(config);
    this.#config = config;
    this.#report(consoleOnly('status', 'status is', this.#config.service, this.#context.logger));
  }

  async stop(): Promise<void> {
    this.#ignore?.();
    this.#ignore = undefined;
    this.#report({ state: 'NOT_READY' });
  }

  /** As `GET /v1/status` answers it. */
  snapshot(): PlainObject {
    const bundles = this.#sources.bundles();
    const plugins = this.#sources.plugins();
    const prometheus = { ...this.#context.prometheus?.(), ...this.#metrics?.toJson(bundles ?? {}, plugins) };
    const decisionLogs = this.#sources.decisionLogs();
    return {
      labels: this.#context.labels,
      ...(bundles !== undefined && { bundles }),
      ...(decisionLogs !== undefined && { decision_logs: decisionLogs }),
      metrics: { prometheus },
      plugins,
    };
  }

  /** What `/metrics` shows of bundles and plugins, empty where it is to show nothing. */
  metricsText(): string {
    return this.#metrics?.text(this.#sources.bundles() ?? {}, this.#sources.plugins()) ?? '';
  }

  /** Changes that come together are one update. */
  #changed(): void {
    this.#metrics?.update(this.#sources.bundles() ?? {});
    if (!this.#config.console || this.#isPending) return;
    this.#isPending = true;
    setImmediate(() => {
      this.#isPending = false;
      if (this.#ignore !== undefined) this.#context.console.info('Status Log', { ...this.snapshot(), type: 'openpolicyagent.org/status' });
    });
  }
}

function metricsOf({ loadBuckets }: StatusConfig): StatusMetrics | undefined {
  return loadBuckets === undefined ? undefined : new StatusMetrics(loadBuckets);
}
