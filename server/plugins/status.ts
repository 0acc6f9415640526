/** The plugin `status`: how bundles and plugins are, for whoever asks and for the console. */
import type { PlainObject } from '../../runtime/values/value.js';
import type { Plugin, PluginContext, ReportStatus } from './plugin.js';
import type { StatusConfig } from './status-config.js';

/** What status tells of. */
export interface StatusSources {
  /** By bundle; undefined where there is no bundle plugin. */
  readonly bundles: () => PlainObject | undefined;
  /** By plugin: its state and message. */
  readonly plugins: () => PlainObject;
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

  constructor(config: StatusConfig, context: PluginContext, report: ReportStatus, sources: StatusSources) {
    this.#config = config;
    this.#context = context;
    this.#report = report;
    this.#sources = sources;
  }

  async start(): Promise<void> {
    this.#ignore = this.#sources.onChange(() => this.#changed());
    this.#report({ state: 'OK' });
  }

  async reconfigure(config: StatusConfig): Promise<void> {
    this.#config = config;
  }

  async stop(): Promise<void> {
    this.#ignore?.();
    this.#ignore = undefined;
    this.#report({ state: 'NOT_READY' });
  }

  /** As `GET /v1/status` answers it. */
  snapshot(): PlainObject {
    const bundles = this.#sources.bundles();
    return {
      labels: this.#context.labels,
      ...(bundles !== undefined && { bundles }),
      metrics: { prometheus: this.#context.prometheus?.() ?? {} },
      plugins: this.#sources.plugins(),
    };
  }

  /** Changes that come together are one update. */
  #changed(): void {
    if (!this.#config.console || this.#isPending) return;
    this.#isPending = true;
    setImmediate(() => {
      this.#isPending = false;
      if (this.#ignore !== undefined) this.#context.console.info('Status Log', { ...this.snapshot(), type: 'openpolicyagent.org/status' });
    });
  }
}
