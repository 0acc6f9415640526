/** The server in a worker process. */
import type { Socket } from 'node:net';
import type { Engine } from '../../engine/index.js';
import type { SideThread } from '../../engine/node.js';
import { type PlainObject, parseJson } from '../../values/index.js';
import type { AppContext, Settings } from '../control/app-context.js';
import { readConfig } from '../control/server-config.js';
import { CheckMetrics } from '../gateway/envoy/check-metrics.js';
import { checkBuckets, openGateway } from '../gateway/listeners/gateway.js';
import type { GatewayListener } from '../gateway/listeners/gateway-listener.js';
import { createApp } from '../http/app.js';
import { plainOptions } from '../http/decisions.js';
import { PreparedDecisions } from '../http/prepared-decisions.js';
import { type Listener, type ListenOptions, listen } from '../http/sockets/listen.js';
import type { ProcessReport } from '../observability/process-report.js';
import { RequestDurations } from '../observability/request-durations.js';
import { Services } from '../services/clients/services.js';
import { DecisionLogPlugin } from '../services/decision-log/decision-log.js';
import type { Logger } from '../services/logs/logger.js';
import { processUsage } from '../services/metrics/process-metrics.js';
import type { PluginView } from '../services/plugin-view.js';
import type { Tracing } from '../services/tracing/tracing.js';
import type { Writing, Written } from '../storage/writing.js';
import { workerRoutes } from './forwarding.js';
import type { ToWorker, WorkerSettings } from './messages.js';
import type { PrimaryLink } from './primary-link.js';
import { fromWire, type WireChange } from './wire-change.js';

interface WorkerOptions extends ListenOptions, Pick<Settings, 'authentication' | 'authorization'> {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly console: Logger;
  readonly sideThread: SideThread | undefined;
  readonly link: PrimaryLink;
  readonly tracing: Tracing | undefined;
}

type Start = Extract<ToWorker, { kind: 'start' }>;

export class Worker {
  readonly #options: WorkerOptions;
  readonly #durations: RequestDurations;
  readonly #settings: Settings;
  readonly #decisions: PreparedDecisions;
  readonly #listeners = new Map<string, Listener>();
  /** Gateways by their addresses, as the listeners are. */
  readonly #gateways = new Map<string, GatewayListener>();
  readonly #start: Start;
  readonly #checkMetrics: CheckMetrics | undefined;
  #decisionLog: DecisionLogPlugin | undefined;
  /** Whether the bundles of the primary, which has the plugins, are activated. */
  bundlesActivated: boolean;

  constructor(start: Start, options: WorkerOptions) {
    this.#start = start;
    this.#options = options;
    this.bundlesActivated = start.bundlesActivated;
    const { engine, authentication, authorization, sideThread } = options;
    const { settings, buckets } = readConfig(parseJson(start.config) as PlainObject);
    this.#settings = { ...settings, limits: { ...settings.limits, sideThread }, authentication, authorization };
    this.#decisions = new PreparedDecisions(engine, plainOptions(this.#settings));
    this.#durations = new RequestDurations(buckets);
    const bounds = checkBuckets(start.gateways.map(({ gateway }) => gateway));
    this.#checkMetrics = bounds && new CheckMetrics(bounds);
  }

  /** Takes over the primary's state, then accepts requests. */
  async start(): Promise<void> {
    const { engine, logger, link, tracing } = this.#options;
    const { state, addresses } = this.#start;
    // First, without waiting: settings that are discovered meanwhile come after these.
    const applied = this.apply(this.#start.settings);
    await this.change(state);
    await applied;
    const context: AppContext = {
      engine,
      decisions: this.#decisions,
      writing: new WorkerWriting(link),
      plugins: this.#plugins(),
      logger,
      durations: this.#durations,
      settings: this.#settings,
      tracing,
    };
    // As in a server without workers, gateways may ask once the server is healthy.
    await this.#openGateways();
    const app = createApp(context, { routes: workerRoutes((request) => link.ask(request)) });
    for (const { address, shared } of addresses)
      this.#listeners.set(address, await listen(app, address, { ...this.#options, shared }));
  }

  async #openGateways(): Promise<void> {
    const { engine, logger, tracing } = this.#options;
    const decisionLog = () => this.#decisionLog;
    const host = {
      engine,
      logger,
      timeMs: this.#settings.evaluationTimeMs,
      get decisionLog() {
        return decisionLog();
      },
    };
    const options = { host, tracing, isReady: () => this.bundlesActivated, metrics: this.#checkMetrics };
    for (const { address, gateway } of this.#start.gateways) {
      const listener = await openGateway(gateway, options);
      this.#gateways.set(address.address, listener);
      if (address.shared === 'port') await listener.listen(address.address, true);
      else listener.waitForConnections();
    }
  }

  /** Makes a change that the primary has made. */
  async change(wire: WireChange): Promise<void> {
    await this.#options.engine.commit(fromWire(wire), {
      ignoreRoots: true,
      fills: true,
      revision: () => wire.revision,
    });
  }

  /** Takes over settings that were discovered. */
  async apply({
    labels,
    decisionLogs,
    defaultDecision,
    authorizationDecision,
    authzen,
  }: WorkerSettings): Promise<void> {
    const { engine, logger, console, link } = this.#options;
    // The routes hold this object.
    Object.assign(this.#settings, { defaultDecision, authorizationDecision, authzen });
    this.#decisions.clear();
    const before = this.#decisionLog;
    this.#decisionLog = undefined;
    if (decisionLogs !== undefined) {
      const context = {
        engine,
        logger,
        console,
        labels,
        services: new Services(new Map()),
        deliver: (event: string) => link.log(event),
      };
      this.#decisionLog = new DecisionLogPlugin(decisionLogs, context, () => undefined);
      link.losses = this.#decisionLog.losses;
    }
    await before?.stop();
  }

  /** Requests about plugins are forwarded: only the decision log is asked for here. */
  #plugins(): PluginView {
    const worker = this;
    return {
      states: () => new Map(),
      bundlesActivated: () => true,
      wasReady: true,
      status: () => undefined,
      snapshot: () => ({}),
      metrics: () => [],
      get decisionLog() {
        return worker.#decisionLog;
      },
    };
  }

  /** Serves a connection that the primary has accepted. */
  take(address: string, socket: Socket): void {
    const listener = this.#listeners.get(address) ?? this.#gateways.get(address);
    if (listener === undefined) socket.destroy();
    else listener.take(socket);
  }

  reloadTls(tls: NonNullable<ListenOptions['tls']>): void {
    for (const listener of this.#listeners.values()) listener.reloadTls(tls);
  }

  /** Accepts no more requests, and answers open ones within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    await this.#options.engine.endWatches();
    await Promise.all(
      [...this.#gateways.values(), ...this.#listeners.values()].map((listener) => listener.close(graceMs)),
    );
    await this.#decisionLog?.stop();
    await this.#options.link.flushed();
  }

  report(): ProcessReport {
    return { durations: this.#durations.states(), usage: processUsage(), checks: this.#checkMetrics?.counts };
  }
}

/** Writes are passed on; a worker knows which revisions it has applied. */
class WorkerWriting implements Writing {
  readonly #link: PrimaryLink;

  constructor(link: PrimaryLink) {
    this.#link = link;
  }

  write(): Promise<Written> {
    throw new Error('requests that write are passed on');
  }

  async head(): Promise<number> {
    return await this.#link.head();
  }

  state(): undefined {
    return undefined;
  }
}
