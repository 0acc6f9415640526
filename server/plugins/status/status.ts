/**
 * The plugin `status`: the states of bundles and plugins, for `/v1/status`, `/metrics` and the
 * console.
 */
import type { PlainObject } from '../../../runtime/values/value.js';
import { consoleOnly } from '../console-only.js';
import type { Plugin, PluginContext, ReportStatus } from '../plugin.js';
import type { StatusConfig } from './config.js';
import { StatusMetrics } from './metrics.js';

/** The sources of a status. */
interface StatusSources {
  /** Statuses by bundle; undefined without bundle plugin. */
  readonly bundles: () => PlainObject | undefined;
  /** State and message by plugin. */
  readonly plugins: () => PlainObject;
  /** The status of lost events; undefined without any. */
  readonly decisionLogs: () => PlainObject | undefined;
  /** Calls a listener on each change until the returned function is called. */
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

  /** The answer of `GET /v1/status`. */
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

  /** The lines of `/metrics` about bundles and plugins; empty where they are not enabled. */
  metricsText(): string {
    return this.#metrics?.text(this.#sources.bundles() ?? {}, this.#sources.plugins()) ?? '';
  }

  /** Changes of one turn make one update. */
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
