/** Makes, starts, reconfigures and stops the plugins of a configuration. */

import type { HostNetwork, PlainObject } from '../../values/index.js';
import type { TlsFloor } from '../../values/node.js';
import { BundlePlugin } from './bundle/bundle-plugin.js';
import { PersistenceDirectory } from './bundle/persistence-directory.js';
import { Services } from './clients/services.js';
import type { PluginsConfig } from './config/plugins-config.js';
import { DecisionLogPlugin } from './decision-log/decision-log.js';
import type { DecisionLogConfig } from './decision-log/decision-log-config.js';
import type { DiscoveryConfig } from './discovery/discovery-config.js';
import { DiscoveryPlugin } from './discovery/discovery-plugin.js';
import type { Metric } from './metrics/prometheus.js';
import type { Plugin, PluginContext, PluginStatus, ReportStatus } from './plugin.js';
import type { PluginView } from './plugin-view.js';
import { StatusPlugin } from './status/status.js';
import type { StatusConfig } from './status/status-config.js';
import { type StatusSources, statusSnapshot } from './status/status-snapshot.js';

export interface ManagerOptions {
  /** The oldest version of TLS and the suites for connections to services. */
  readonly tlsFloor?: TlsFloor | undefined;
  /** Whether bundles are fetched again as soon as their files change. */
  readonly watch?: boolean;
  /** Adds spans to the exchanges with services. */
  readonly trace?: ((network: HostNetwork) => HostNetwork) | undefined;
  /** Makes a configuration of a discovered one. Throws a ConfigError. */
  readonly discover?: (discovered: PlainObject) => Discovered;
}

/** A configuration of which a part was discovered. */
interface Discovered {
  readonly plugins: PluginsConfig;
  readonly labels: PluginContext['labels'];
  readonly warnings: readonly string[];
  /** Takes over the settings that belong to no plugin. */
  readonly apply?: () => void;
}

/** The context of plugins, to which the manager adds the services. */
export type ManagerContext = Omit<PluginContext, 'services'>;

/** Called with the name and the new status of a plugin. */
type StatusListener = (name: string, status: PluginStatus) => void;

export class PluginManager implements PluginView {
  #isStarted = false;
  #wasReady = false;
  #labels: PluginContext['labels'];
  #discovery: DiscoveryPlugin | undefined;
  #bundle: BundlePlugin | undefined;
  #decisionLog: DecisionLogPlugin | undefined;
  #status: StatusPlugin | undefined;
  readonly #context: PluginContext;
  readonly #services: Services;
  readonly #options: ManagerOptions;
  readonly #statuses = new Map<string, PluginStatus>();
  /** Names of statuses that are no plugins'. */
  readonly #parts = new Set<string>();
  readonly #listeners = new Set<StatusListener>();
  /** The plugin of bundles may be made after its listeners. */
  readonly #bundleListeners = new Set<() => void>();

  /** Makes the plugins without starting them. */
  constructor(config: PluginsConfig, context: ManagerContext, options: ManagerOptions = {}) {
    this.#services = new Services(config.services, {
      floor: options.tlsFloor,
      trace: options.trace,
      logger: context.logger,
    });
    this.#labels = context.labels;
    const labels = () => this.#labels;
    this.#context = {
      ...context,
      services: this.#services,
      get labels() {
        return labels();
      },
    };
    this.#options = options;
    // As in the reference, it is shown where no configuration is discovered, too.
    this.#statuses.set('discovery', { state: 'NOT_READY' });
    if (config.discovery !== undefined)
      this.#discovery = this.#makeDiscovery(config.discovery, config.persistenceDirectory);
    if (config.bundles.size > 0) this.#bundle = this.#makeBundle(config);
    if (config.decisionLogs !== undefined) this.#decisionLog = this.#makeDecisionLog(config.decisionLogs);
    if (config.status !== undefined) this.#status = this.#makeStatus(config.status);
  }

  /** Undefined where no bundle is configured. */
  get bundle(): BundlePlugin | undefined {
    return this.#bundle;
  }

  get decisionLog(): DecisionLogPlugin | undefined {
    return this.#decisionLog;
  }

  /** The answer of `GET /v1/status`; undefined where status is not enabled. */
  status(): PlainObject | undefined {
    return this.#status?.snapshot();
  }

  /** The status, whether it is enabled or not. */
  snapshot(): PlainObject {
    return statusSnapshot(this.#sources, this.#labels, this.#status?.metrics() ?? []);
  }

  /**
   * Calls a listener whenever a plugin's state has changed, or a bundle's status may have, until
   * the returned function is called.
   */
  onChange(listener: () => void): () => void {
    const end = this.onStatus(listener);
    this.#bundleListeners.add(listener);
    return () => {
      end();
      this.#bundleListeners.delete(listener);
    };
  }

  /** The metrics of bundles and plugins. */
  metrics(): readonly Metric[] {
    return [...(this.#status?.metrics() ?? []), ...(this.#decisionLog?.metrics() ?? [])];
  }

  /** States by name, sorted. */
  states(): ReadonlyMap<string, PluginStatus> {
    return new Map([...this.#statuses].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Whether all plugins were up at one time since the start. */
  get wasReady(): boolean {
    return this.#wasReady;
  }

  /** Whether every configured bundle was active at some time, that of the configuration too. */
  bundlesActivated(): boolean {
    return (this.#discovery?.isActivated ?? true) && (this.#bundle?.isActivated ?? true);
  }

  /**
   * Shows the status of a part of the server among those of the plugins. It may wait until the
   * plugins are ready.
   */
  reporterOf(part: string): ReportStatus {
    this.#parts.add(part);
    return this.#reporter(part);
  }

  /** Calls a listener on each change until the returned function is called. */
  onStatus(listener: StatusListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Starts all plugins, the decision log first. Afterwards bundles are active, or their status has
   * the error.
   */
  async start(): Promise<void> {
    this.#isStarted = true;
    for (const plugin of this.#all()) if (this.#isStarted) await plugin.start();
    if (!this.#isStarted) return;
    if (this.#discovery === undefined) this.#setStatus('discovery', { state: 'OK' });
    else await this.#discovery.start();
  }

  /** Resolves once all bundles were fetched for the first time, successfully or not. */
  async settled(): Promise<void> {
    await this.#discovery?.settled();
    await this.#bundle?.settled();
  }

  /** Fetches all bundles again, and sends decision log and status. */
  async trigger(): Promise<void> {
    await this.#discovery?.trigger();
    await Promise.all([this.#bundle?.trigger(), this.#decisionLog?.trigger()]);
    await this.#status?.trigger();
  }

  /**
   * Stops plugins that the new configuration lacks, reconfigures the others, and starts new ones.
   */
  async reconfigure(config: PluginsConfig): Promise<void> {
    // A decision log that ends sends its events first, while its service is known.
    if (config.decisionLogs === undefined) await this.#decisionLog?.stop();
    this.#services.reconfigure(config.services);
    this.#decisionLog = await this.#replaced('decision_logs', this.#decisionLog, config.decisionLogs, (c) =>
      this.#makeDecisionLog(c),
    );
    this.#status = await this.#replaced('status', this.#status, config.status, (c) => this.#makeStatus(c));
    // Before it stops, the plugin removes its bundles.
    if (config.bundles.size === 0) await this.#bundle?.reconfigure(config.bundles);
    const bundles = config.bundles.size === 0 ? undefined : config.bundles;
    this.#bundle = await this.#replaced('bundle', this.#bundle, bundles, () => this.#makeBundle(config));
  }

  /** Stops all plugins, in reverse order. */
  async stop(): Promise<void> {
    this.#isStarted = false;
    await this.#discovery?.stop();
    for (const plugin of this.#all().reverse()) await plugin.stop();
    await this.#services.close();
    this.#setStatus('discovery', { state: 'NOT_READY' });
  }

  async #replaced<C, P extends Plugin<C>>(
    name: string,
    plugin: P | undefined,
    config: C | undefined,
    make: (config: C) => P,
  ): Promise<P | undefined> {
    if (config === undefined) {
      await plugin?.stop();
      this.#statuses.delete(name);
      return undefined;
    }
    if (plugin !== undefined) {
      await plugin.reconfigure(config);
      return plugin;
    }
    const made = make(config);
    if (this.#isStarted) await made.start();
    return made;
  }

  #all(): Plugin<never>[] {
    return [this.#decisionLog, this.#status, this.#bundle].filter((plugin) => plugin !== undefined);
  }

  #makeDiscovery(config: DiscoveryConfig, persistenceDirectory: string): DiscoveryPlugin {
    const persistence = new PersistenceDirectory(persistenceDirectory);
    const apply = (discovered: PlainObject) => this.#applyDiscovered(discovered);
    return new DiscoveryPlugin(config, this.#context, this.#reporter('discovery'), { persistence, apply });
  }

  async #applyDiscovered(discovered: PlainObject): Promise<void> {
    const { discover } = this.#options;
    if (discover === undefined) throw new Error('a discovered configuration has no effect here');
    const { plugins, labels, warnings, apply } = discover(discovered);
    for (const warning of warnings) this.#context.logger.warn(warning, { plugin: 'discovery' });
    this.#labels = labels;
    await this.reconfigure(plugins);
    apply?.();
  }

  #makeBundle(config: PluginsConfig): BundlePlugin {
    const { watch = false } = this.#options;
    const persistence = new PersistenceDirectory(config.persistenceDirectory);
    const plugin = new BundlePlugin(config.bundles, this.#context, this.#reporter('bundle'), { persistence, watch });
    plugin.onStatus(() => {
      for (const listener of [...this.#bundleListeners]) listener();
    });
    return plugin;
  }

  #makeDecisionLog(config: DecisionLogConfig): DecisionLogPlugin {
    return new DecisionLogPlugin(config, this.#context, this.#reporter('decision_logs'));
  }

  #makeStatus(config: StatusConfig): StatusPlugin {
    return new StatusPlugin(config, this.#context, this.#reporter('status'), this.#sources);
  }

  readonly #sources: StatusSources = {
    discovery: () => this.#discovery?.status(),
    bundles: () => this.#bundle?.statuses(),
    plugins: () => this.#statusesJson(),
    decisionLogs: () => this.#decisionLog?.status(),
    storage: () => this.#context.storage?.(),
    onChange: (listener) => this.onChange(listener),
  };

  #statusesJson(): PlainObject {
    return Object.fromEntries(
      [...this.states()].map(([name, { state, message }]) => [
        name,
        { state, ...(message !== undefined && { message }) },
      ]),
    );
  }

  #reporter(name: string): ReportStatus {
    this.#statuses.set(name, { state: 'NOT_READY' });
    return (status) => this.#setStatus(name, status);
  }

  #setStatus(name: string, status: PluginStatus): void {
    this.#statuses.set(name, status);
    this.#wasReady ||= [...this.#statuses].every(([plugin, { state }]) => state === 'OK' || this.#parts.has(plugin));
    for (const listener of [...this.#listeners]) listener(name, status);
  }
}
