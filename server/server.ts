/** The server: starts and stops engine, plugins, app and sockets in the right order. */

import { buildInfo, type Engine, type PolicyRecord } from '../engine/index.js';
import type { SideThread } from '../engine/node.js';
import { type HostNetwork, type PlainObject, toJson } from '../values/index.js';
import type { TlsFloor } from '../values/node.js';
import type { AppContext, Settings } from './control/app-context.js';
import { missingDecisions } from './control/missing-decisions.js';
import type { RequestGate } from './control/request-gate.js';
import { readConfig, type ServerConfig } from './control/server-config.js';
import { authzenPlugin } from './gateway/authzen/authzen-config.js';
import { CheckMetrics } from './gateway/envoy/check-metrics.js';
import { checkBuckets } from './gateway/listeners/gateway.js';
import { ServerGateway } from './gateway/listeners/server-gateway.js';
import { createApp, type ServerApp } from './http/app.js';
import { plainOptions } from './http/decisions.js';
import { authorizationFaults } from './http/middleware/authorization-schema.js';
import { PreparedDecisions } from './http/prepared-decisions.js';
import type { Route } from './http/route-table.js';
import type { ServerTlsOptions } from './http/sockets/http-servers.js';
import { type Listener, type ListenOptions, listen } from './http/sockets/listen.js';
import { RequestDurations } from './observability/request-durations.js';
import { serverMetrics } from './observability/server-metrics.js';
import { storageStatus } from './observability/storage-metrics.js';
import { discoveredConfigOf } from './services/config/discovered-config.js';
import type { RecentDecisions } from './services/decision-log/recent-decisions.js';
import type { Logger } from './services/logs/logger.js';
import { PluginManager } from './services/manager.js';
import { metricsJson } from './services/metrics/prometheus.js';
import { type MetricsExport, startMetricsExport } from './services/metrics-export/metrics-export.js';
import { lastExportMs } from './services/otlp/last-export.js';
import type { Tracing } from './services/tracing/tracing.js';
import { type Started, startWriting } from './storage/start-writing.js';
import type { WorkerSettings } from './workers/messages.js';
import type { Primary } from './workers/primary.js';
import { SharedAddresses } from './workers/shared-addresses.js';

/** Addresses with routes of their own. */
export interface OwnRoutes {
  readonly addresses: readonly string[];
  readonly routes: readonly Route[];
}

interface ServerOptions extends ListenOptions, Pick<Settings, 'authentication' | 'authorization'> {
  readonly engine: Engine;
  readonly config: ServerConfig;
  readonly logger: Logger;
  /** The log of decisions and status, at any level of the other log. */
  readonly console: Logger;
  readonly addresses: readonly string[];
  /** Addresses that serve health and metrics only, without authorization. */
  readonly diagnosticAddresses?: readonly string[];
  /** Addresses that serve routes of their own, with the same authorization. */
  readonly others?: readonly OwnRoutes[];
  /** Keeps the last decisions for a page. */
  readonly recent?: RecentDecisions | undefined;
  /** Whether the authorization policy is not checked against its input. */
  readonly skipsSchemaCheck?: boolean;
  /** Milliseconds to wait for plugins before the first request is accepted; 0 does not wait. */
  readonly readyTimeoutMs?: number;
  /** Whether bundles are read again when their files change. */
  readonly watch?: boolean;
  /** Stopped with the server. */
  readonly tracing?: Tracing | undefined;
  /** Reads long YAML. */
  readonly sideThread?: SideThread | undefined;
  /** Serves the addresses by worker processes; absent: by this process. */
  readonly primary?: Primary | undefined;
  /** See `ManagerOptions`. */
  readonly tlsFloor?: TlsFloor | undefined;
  /** The network of services with downloads that are shown. */
  readonly watchDownloads?: ((network: HostNetwork) => HostNetwork) | undefined;
  /** See `AppContext`. */
  readonly gate?: RequestGate | undefined;
  /** The whole configuration, for workers. */
  readonly configuration?: PlainObject;
}

export class Server {
  readonly #listeners: Listener[] = [];
  readonly #options: ServerOptions;
  readonly #durations: RequestDurations;
  readonly #checksPolicies: boolean;
  /** Other than that of the start once a part was discovered. */
  #config: ServerConfig;
  /** The settings of clients' requests, and of requests that workers forward. */
  readonly #settings: Settings[] = [];
  #decisions: PreparedDecisions | undefined;
  #shared: SharedAddresses | undefined;
  #metricsExport: MetricsExport | undefined;
  #gateways: readonly ServerGateway[] = [];
  #writing: Started | undefined;
  #isStopping = false;
  readonly plugins: PluginManager;

  constructor(options: ServerOptions) {
    this.#options = options;
    const { engine, config, logger, console } = options;
    this.#durations = new RequestDurations(config.buckets);
    const checks = options.authorization === 'basic' && options.skipsSchemaCheck !== true;
    const context = {
      engine,
      logger,
      console,
      labels: config.labels,
      checkPolicies: checks ? (policies: readonly PolicyRecord[]) => this.#checkPolicies(policies) : undefined,
      recent: options.recent,
      storage: () => storageStatus(engine.version.revision, this.#writing?.writing.state()),
      prometheus: () =>
        metricsJson([
          this.#durations.with(options.primary?.lastReports().flatMap(({ durations }) => durations) ?? []).metric,
        ]),
    };
    this.#checksPolicies = checks;
    this.#config = config;
    this.plugins = new PluginManager(config.plugins, context, {
      watch: options.watch === true,
      tlsFloor: options.tlsFloor,
      trace: (network) => {
        const watched = options.watchDownloads?.(network) ?? network;
        return options.tracing?.network(watched) ?? watched;
      },
      discover: (discovered) => {
        const next = discoveredConfigOf(config, discovered, readConfig);
        return { ...next, apply: () => this.#take(next) };
      },
    });
  }

  /** Throws CompileErrors where the authorization policy does not fit its input. */
  #checkPolicies(policies: readonly PolicyRecord[]): void {
    const faults = authorizationFaults(policies, this.#config.settings.authorizationDecision);
    if (faults !== undefined) throw faults;
  }

  /**
   * Starts plugins, then accepts requests. Rejects where an address cannot be bound, plugins are
   * not ready in time, the authorization policy does not fit its input, or `stop` was called.
   */
  async start(): Promise<void> {
    const { engine, logger, authentication, authorization, addresses, primary } = this.#options;
    this.#checkRunning();
    // The state of the log comes before bundles.
    this.#writing = await startWriting(this.#config.storage, { engine, logger, release: buildInfo.version });
    const { writing } = this.#writing;
    this.#checkRunning();
    if (this.#checksPolicies) this.#checkPolicies(engine.policies());
    await this.plugins.start();
    await this.#ready();
    this.#checkRunning();
    const config = this.#config;
    // Settings of bundles may still come.
    if (this.plugins.bundlesActivated())
      for (const warning of missingDecisions(engine, config, authorization === 'basic')) logger.warn(warning);
    const buckets = checkBuckets(config.gateways);
    const checks = buckets && new CheckMetrics(buckets);
    this.#gateways = this.#gatewaysOf(config, checks);
    this.#reportAuthzen(config);
    const limits = { ...config.settings.limits, sideThread: this.#options.sideThread };
    const settings: Settings = { ...config.settings, limits, authentication, authorization };
    const decisions = new PreparedDecisions(engine, plainOptions(settings));
    this.#settings.push(settings);
    this.#decisions = decisions;
    const others = primary && (() => primary.reports());
    const context: AppContext = {
      engine,
      decisions,
      writing,
      plugins: this.plugins,
      logger,
      durations: this.#durations,
      checks,
      settings,
      tracing: this.#options.tracing,
      others,
      gate: this.#options.gate,
      recent: this.#options.recent,
    };
    this.#metricsExport = await startMetricsExport(
      this.#options.config.metricsExport,
      () => serverMetrics(context),
      logger,
    );
    this.#checkRunning();
    if (primary === undefined) {
      for (const gateway of this.#gateways) await gateway.start();
      await this.#listen(createApp(context), addresses);
    } else await this.#startWorkers(primary, context);
    for (const own of this.#options.others ?? [])
      await this.#listen(createApp(context, { routes: own.routes }), own.addresses);
    await this.#listen(createApp(context, { diagnosticsOnly: true }), this.#options.diagnosticAddresses ?? []);
  }

  #gatewaysOf({ gateways, settings }: ServerConfig, metrics: CheckMetrics | undefined): readonly ServerGateway[] {
    const { engine, logger, tracing } = this.#options;
    const { plugins } = this;
    const host = {
      engine,
      logger,
      timeMs: settings.evaluationTimeMs,
      get decisionLog() {
        return plugins.decisionLog;
      },
    };
    const isReady = () => plugins.bundlesActivated();
    return gateways.map((gateway) => {
      const report = plugins.reporterOf(gateway.name);
      return new ServerGateway(gateway, { host, tracing, isReady, metrics, logger, report });
    });
  }

  async #listen(app: ServerApp, addresses: readonly string[]): Promise<void> {
    for (const address of addresses) {
      const listener = await listen(app, address, this.#options);
      this.#listeners.push(listener);
      // `stop` has closed those of before.
      if (this.#isStopping) await listener.close(0);
      this.#checkRunning();
    }
  }

  #checkRunning(): void {
    if (this.#isStopping) throw new Error('the server is told to end');
  }

  /** Takes over a configuration of which a part was discovered. */
  #take(config: ServerConfig): void {
    this.#config = config;
    // Before the start there are no settings, and gateways open with this configuration.
    if (this.#settings.length > 0) this.#warnOfGateways(config);
    const { defaultDecision, authorizationDecision, authzen, shownConfig } = config.settings;
    // The routes hold these objects. Other settings are those of the start.
    for (const settings of this.#settings)
      Object.assign(settings, { defaultDecision, authorizationDecision, authzen, shownConfig });
    if (this.#settings.length > 0) this.#reportAuthzen(config);
    this.#decisions?.clear();
    this.#options.primary?.reconfigure(workerSettings(config));
  }

  /** Its routes are those of the server, and are served as long as the server is. */
  #reportAuthzen({ settings }: ServerConfig): void {
    if (settings.authzen !== undefined) this.plugins.reporterOf(authzenPlugin)({ state: 'OK' });
  }

  #warnOfGateways({ gateways: discovered }: ServerConfig): void {
    const open = this.#gateways.map(({ gateway }) => gateway);
    for (const name of new Set([...open, ...discovered].map((gateway) => gateway.name))) {
      const [now, next] = [open, discovered].map((all) => all.find((gateway) => gateway.name === name));
      if (JSON.stringify(now) !== JSON.stringify(next))
        this.#options.logger.warn(`The discovered configuration of ${name} has effect after a restart.`);
    }
  }

  async #startWorkers(primary: Primary, context: AppContext): Promise<void> {
    const { addresses, configuration = {}, tls, unixSocketPermissions } = this.#options;
    const shared = new SharedAddresses({
      hasTls: tls !== undefined,
      unixSocketPermissions,
      pass: (connection) => primary.pass(connection),
    });
    this.#shared = shared;
    for (const address of addresses) await shared.add(address);
    const gateways: { readonly gateway: ServerGateway; readonly addresses: SharedAddresses }[] = [];
    for (const gateway of this.#gateways) {
      const own = await gateway.share(primary);
      if (own !== undefined) gateways.push({ gateway, addresses: own });
    }
    if (this.#isStopping) shared.close();
    this.#checkRunning();
    // Workers have authorized, logged and counted the requests that they pass on.
    const settings: Settings = { ...context.settings, authorization: 'off' };
    this.#settings.push(settings);
    await primary.start({
      app: createApp({ ...context, settings }, { isForwarded: true }),
      writing: context.writing,
      config: toJson(configuration),
      settings: () => workerSettings(this.#config),
      decisionLog: () => this.plugins.decisionLog,
      bundlesActivated: () => this.plugins.bundlesActivated(),
      onBundles: (listener) => void this.plugins.onChange(listener),
      durations: this.#durations,
      addresses: shared,
      gateways: gateways.map(({ gateway: { gateway }, addresses: own }) => ({ gateway, addresses: own })),
      checks: context.checks,
    });
    for (const { gateway } of gateways) gateway.listening();
  }

  async #ready(): Promise<void> {
    const until = performance.now() + (this.#options.readyTimeoutMs ?? 0);
    while (!this.plugins.wasReady && !this.#isStopping && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    if (!this.plugins.wasReady && (this.#options.readyTimeoutMs ?? 0) > 0) {
      throw new Error('Failed to start plugins: timed out while waiting for plugins to be ready');
    }
  }

  /** The URLs of all addresses. */
  get urls(): readonly string[] {
    return [...(this.#shared?.urls ?? []), ...this.#listeners.map(({ url }) => url)];
  }

  reloadTls(tls: ServerTlsOptions): void {
    for (const listener of this.#listeners) listener.reloadTls(tls);
  }

  /**
   * Accepts no more requests, answers open ones within `graceMs`, then stops plugins, so that logs
   * have all decisions. The last spans and metrics get the time that is left.
   */
  async stop(graceMs: number): Promise<void> {
    const until = performance.now() + graceMs;
    this.#isStopping = true;
    this.#shared?.close();
    await Promise.all([
      this.#options.primary?.stop(graceMs),
      ...this.#gateways.map((gateway) => gateway.stop(graceMs)),
      this.#options.engine.endWatches(),
    ]);
    await Promise.all(this.#listeners.map((listener) => listener.close(graceMs)));
    await this.plugins.stop();
    await this.#writing?.stop();
    const leftMs = lastExportMs(until);
    await Promise.all([this.#options.tracing?.stop(leftMs), this.#metricsExport?.stop(leftMs)]);
  }
}

/** The part of a configuration that workers do not read from the one of the start. */
function workerSettings({ labels, plugins, settings }: ServerConfig): WorkerSettings {
  const { defaultDecision, authorizationDecision, authzen } = settings;
  return { labels, decisionLogs: plugins.decisionLogs, defaultDecision, authorizationDecision, authzen };
}
