/** The services of an engine in a process: bundles, discovery, decision logs, status, spans. */
import type { Engine } from '../../engine/index.js';
import type { MetricsExport, PluginLogger, ServiceConfig, Tracing } from '../../server/index.js';
import {
  discoveredConfigOf,
  Logger as LineLogger,
  lastExportMs,
  metricsText,
  PluginManager,
  processMetrics,
  processUsage,
  readServiceConfig,
  startMetricsExport,
  startTracing,
} from '../../server/index.js';
import { type Host, jsonCopy, type PlainObject, timerMs, toPlain } from '../../values/index.js';
import { EngineError } from '../errors/engine-error.js';
import { documentPathText } from '../paths/document-path.js';
import type { Attachment } from './attachment.js';
import { DecisionRecorder } from './decision-recorder.js';
import type { BundleState, EngineLogger, EngineStatus, LogFields, ServiceOptions } from './service-options.js';

const defaultReadyMs = 30_000;
const defaultCloseMs = 10_000;

export class EngineServices implements Attachment {
  readonly #options: ServiceOptions;
  readonly #logger: PluginLogger;
  readonly #tracing: Tracing | undefined;
  /** The configuration; a discovered one replaces that of the start. */
  #config: ServiceConfig;
  #manager!: PluginManager;
  #recorder!: DecisionRecorder;
  #metricsExport: MetricsExport | undefined;
  #isClosed = false;
  readonly #watches: boolean;

  private constructor(
    config: ServiceConfig,
    options: ServiceOptions,
    logger: PluginLogger,
    tracing: Tracing | undefined,
    watches: boolean,
  ) {
    this.#config = config;
    this.#options = options;
    this.#logger = logger;
    this.#tracing = tracing;
    this.#watches = watches;
  }

  /**
   * Checks a configuration, and makes what it needs before there is an engine. Rejects with a
   * ConfigError.
   * @param watches whether bundles of files are read again when these change
   */
  static async of(config: PlainObject, options: ServiceOptions, watches: boolean): Promise<EngineServices> {
    const read = readServiceConfig(config);
    const logger = loggerOf(options.logger, 'warn');
    for (const warning of read.warnings) logger.warn(warning);
    return new EngineServices(read, options, logger, await startTracing(read.tracing, logger, true), watches);
  }

  /** The configuration as policies see it. */
  get runtime(): PlainObject {
    return this.#config.runtime;
  }

  /** The host, with a span for each exchange with another server. */
  traced(host: Host): Host {
    const { network } = host;
    return this.#tracing === undefined || network === undefined
      ? host
      : { ...host, network: this.#tracing.network(network) };
  }

  attach(engine: Engine): void {
    const [config, logger, tracing] = [this.#config, this.#logger, this.#tracing];
    const context = { engine, logger, console: loggerOf(this.#options.console, 'info'), labels: config.labels };
    this.#manager = new PluginManager(config.plugins, context, {
      watch: this.#watches,
      trace: tracing && ((network) => tracing.network(network)),
      discover: (discovered) => {
        const next = discoveredConfigOf(config, discovered, readServiceConfig);
        return { ...next, apply: () => void (this.#config = next) };
      },
    });
    this.#recorder = new DecisionRecorder({
      engine,
      logger,
      log: () => this.#manager.decisionLog,
      tracing: this.#tracing,
    });
  }

  readonly begin: Attachment['begin'] = (...asked) => this.#recorder.begin(...asked);

  readonly follow: Attachment['follow'] = (...asked) => this.#recorder.follow(...asked);

  /**
   * Starts all, and waits until the engine is ready, if the options say so. Rejects with an
   * EngineError.
   */
  async start(): Promise<void> {
    const metrics = async () => this.#metrics();
    this.#metricsExport = await startMetricsExport(this.#config.metricsExport, metrics, this.#logger, true);
    const { readyMs = defaultReadyMs } = this.#options;
    const started = this.#manager.start();
    if (readyMs === 0 || this.#isTriggered) return await started;
    await this.#untilReady(started, readyMs);
  }

  /** Whether a bundle waits for a trigger of the caller. */
  get #isTriggered(): boolean {
    const { discovery, bundles } = this.#config.plugins;
    const all = [...bundles.values(), ...(discovery === undefined ? [] : [discovery.bundle])];
    return all.some(({ service, trigger }) => service !== undefined && trigger === 'manual');
  }

  async #untilReady(started: Promise<void>, readyMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let stopListening: (() => void) | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timerMs(readyMs));
    });
    const ready = new Promise<void>((resolve, reject) => {
      const look = () => this.#isReady && resolve();
      stopListening = this.#manager.onChange(look);
      // Files that are read once will not become ready later.
      const settled = started.then(async () => {
        await this.#manager.settled();
        look();
        if (!this.#isRetried) resolve();
      });
      settled.catch(reject);
    });
    try {
      await Promise.race([ready, late]);
    } finally {
      clearTimeout(timer);
      stopListening?.();
    }
    if (!this.#isReady) throw new EngineError('not_ready', this.#whyNotReady());
  }

  get #isReady(): boolean {
    return this.#manager.wasReady && this.#manager.bundlesActivated();
  }

  /** Whether a bundle that failed is fetched again without a change of files. */
  get #isRetried(): boolean {
    const { discovery, bundles } = this.#config.plugins;
    return discovery !== undefined || [...bundles.values()].some(({ polling }) => polling !== undefined);
  }

  #whyNotReady(): string {
    const { bundles = {}, discovery, plugins } = this.status();
    const problems = Object.values({ ...bundles, ...(discovery && { discovery }) })
      .filter(
        ({ last_successful_activation, message }) =>
          message !== undefined || last_successful_activation.startsWith('0001-'),
      )
      .map(problemOf);
    const waiting = Object.entries(plugins)
      .filter(([, { state }]) => state !== 'OK')
      .map(([name, { state, message }]) => `plugin ${name}: ${message ?? state}`);
    return `the services are not ready: ${(problems.length > 0 ? problems : waiting).join('; ')}`;
  }

  /** See `Engine.defaultDecision`. */
  get defaultDecision(): string {
    return documentPathText(this.#config.defaultDecision);
  }

  status(): EngineStatus {
    const snapshot = toPlain(this.#manager.snapshot()) as unknown as Omit<EngineStatus, 'ready'>;
    return { ready: this.#isReady, ...snapshot };
  }

  /** Calls a listener after changes, once for those of one turn. */
  onStatus(listener: (status: EngineStatus) => void): () => void {
    this.#checkOpen();
    let isPending = false;
    let isEnded = false;
    const end = this.#manager.onChange(() => {
      if (isPending) return;
      isPending = true;
      setImmediate(() => {
        isPending = false;
        if (!isEnded) listener(this.status());
      });
    });
    return () => {
      isEnded = true;
      end();
    };
  }

  async trigger(): Promise<void> {
    this.#checkOpen();
    await this.#manager.trigger();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new EngineError('closed', 'the engine is closed');
  }

  metrics(): string {
    return metricsText(this.#metrics());
  }

  #metrics() {
    return [...this.#manager.metrics(), ...processMetrics([processUsage()])];
  }

  /** Ends what was made for an engine that could not be opened. */
  async abandon(): Promise<void> {
    await this.#tracing?.stop(0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const { closeMs = defaultCloseMs } = this.#options;
    const until = performance.now() + closeMs;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#logger.warn('The services did not end in time: events may be lost.');
        resolve();
      }, timerMs(closeMs));
    });
    const stopped = this.#manager
      .stop()
      .catch((error: Error) => void this.#logger.error(`Ending the services failed: ${error.message}`));
    await Promise.race([stopped, late]).finally(() => clearTimeout(timer));
    const leftMs = lastExportMs(until);
    await Promise.all([this.#tracing?.stop(leftMs), this.#metricsExport?.stop(leftMs)]);
  }
}

function problemOf({ name, message, http_code: status, errors = [] }: BundleState): string {
  const details = errors.map((error) => (error as { readonly message?: string }).message ?? '');
  const answer = status === undefined || message?.includes(String(status)) === true ? [] : [`HTTP status ${status}`];
  return `bundle ${JSON.stringify(name)}: ${[message ?? 'no answer yet', ...answer, ...details].join(': ')}`;
}

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A caller's log, or lines of JSON of at least a level on standard error. */
function loggerOf(given: Partial<EngineLogger> | undefined, level: 'info' | 'warn'): PluginLogger {
  if (given === undefined) return new LineLogger({ level, format: 'json' });
  const write = (level: Level) => (message: string, fields?: PlainObject) => {
    // An error of a log ends no decision.
    try {
      given[level]?.(message, fields && (toPlain(jsonCopy(fields)) as LogFields));
      return true;
    } catch {
      return false;
    }
  };
  const info = write('info');
  return { debug: write('debug'), info, show: info, warn: write('warn'), error: write('error') };
}
