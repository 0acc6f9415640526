/**
 * The primary process of a server with several workers. It has the configuration, the plugins and
 * all writes; workers have a copy of policies and documents, and answer requests that only read.
 */
import type { ChildProcess } from 'node:child_process';
import type { Change, Engine } from '../../engine/index.js';
import type { CheckMetrics } from '../gateway/envoy/check-metrics.js';
import type { Gateway } from '../gateway/listeners/gateway.js';
import type { ServerApp } from '../http/app.js';
import type { ProcessReport } from '../observability/process-report.js';
import type { RequestDurations } from '../observability/request-durations.js';
import type { DecisionLogPlugin } from '../services/decision-log/decision-log.js';
import { noUsage, usageOfEnded } from '../services/metrics/process-metrics.js';
import type { PluginLogger } from '../services/plugin.js';
import type { Writing } from '../storage/writing.js';
import { answerForwarded } from './forwarding.js';
import type { Head, ToPrimary, WorkerSettings } from './messages.js';
import type { SharedAddresses } from './shared-addresses.js';
import { toWire, type WireChange } from './wire-change.js';
import { type Connection, WorkerProcess } from './worker-process.js';

interface PrimaryOptions {
  readonly count: number;
  /** Starts the process of a worker, with a channel for messages. */
  readonly spawn: () => ChildProcess;
  readonly engine: Engine;
  readonly logger: PluginLogger;
}

/** The parts of the running server that workers need. */
interface Whole {
  /** Answers forwarded requests, which workers have authorized. */
  readonly app: ServerApp;
  readonly writing: Writing;
  /** The configuration as JSON. */
  readonly config: string;
  readonly settings: () => WorkerSettings;
  readonly decisionLog: () => DecisionLogPlugin | undefined;
  /** Whether every configured bundle was active at some time. */
  readonly bundlesActivated: () => boolean;
  /** Calls a listener whenever that may have changed. */
  readonly onBundles: (listener: () => void) => void;
  readonly durations: RequestDurations;
  readonly addresses: SharedAddresses;
  readonly gateways: readonly { readonly addresses: SharedAddresses; readonly gateway: Gateway }[];
  /** Undefined where Envoy's checks are not measured. */
  readonly checks: CheckMetrics | undefined;
}

/** Pauses before a worker is replaced that ended soon after its start, in milliseconds. */
const soonMs = 5000;
const longestPauseMs = 10_000;

/** The most connections that wait for a worker. */
const mostHeld = 4096;

/** Milliseconds after the grace period until a worker that has not ended is killed. */
const killMs = 2000;

export class Primary {
  readonly #options: PrimaryOptions;
  readonly #state = new ReplicatedState();
  readonly #workers = new Set<WorkerProcess>();
  #whole!: Whole;
  readonly #pauses = new Set<NodeJS.Timeout>();
  /** Connections that wait for a worker. */
  readonly #held: Connection[] = [];
  #changes = 0;
  #failures = 0;
  /** The usage of workers that have ended. */
  #goneUsage = noUsage;
  #toldActivated: boolean | undefined;
  #hasStarted = false;
  #isStopping = false;
  #next = 0;

  constructor(options: PrimaryOptions) {
    this.#options = options;
  }

  /** Prepares a change for the workers. Call the result at once after the engine has made it. */
  replicate(change: Change, revision: number): () => Promise<void> {
    const wire = this.#workers.size === 0 ? undefined : toWire(change, revision);
    return async () => {
      this.#state.note(change);
      if (wire !== undefined) await this.#send(wire);
    };
  }

  /** Resolves when each worker has made the change. A worker that cannot is replaced. */
  async #send(wire: WireChange): Promise<void> {
    const number = ++this.#changes;
    await Promise.all(
      [...this.#workers].map(async (worker) => {
        const error = await worker.change({ kind: 'change', number, change: wire });
        if (error === undefined) return;
        this.#options.logger.error(`Worker ${worker.pid} failed to make a change: ${error}`);
        worker.kill();
      }),
    );
  }

  /** Starts all workers. Resolves once all take requests. */
  async start(whole: Whole): Promise<void> {
    this.#whole = whole;
    whole.onBundles(() => this.#tellOfBundles());
    const all = Array.from({ length: this.#options.count }, () => this.#spawn());
    await Promise.all(all.map(({ ready }) => ready));
    this.#hasStarted = true;
    await Promise.all([whole, ...whole.gateways].map(({ addresses }) => addresses.listen()));
  }

  #spawn(): WorkerProcess {
    const { config, settings, bundlesActivated, addresses, gateways } = this.#whole;
    const started = performance.now();
    const worker = new WorkerProcess(this.#options.spawn(), {
      message: (from, message) => this.#receive(from, message),
      ended: (gone, untaken) => {
        this.#replace(gone, performance.now() - started);
        for (const connection of untaken) this.pass(connection);
      },
    });
    // Changes from now on follow the state.
    const state = this.#state.of(this.#options.engine);
    worker.send({
      kind: 'start',
      config,
      settings: settings(),
      bundlesActivated: bundlesActivated(),
      addresses: addresses.all,
      gateways: gateways.map(({ addresses: { all }, gateway }) => ({ address: all[0]!, gateway })),
      state,
    });
    this.#workers.add(worker);
    // A worker that takes requests gets the connections that have waited.
    const passHeld = () => {
      for (const connection of this.#held.splice(0)) this.pass(connection);
    };
    worker.ready.then(passHeld, () => undefined);
    return worker;
  }

  #replace(gone: WorkerProcess, livedMs: number): void {
    this.#workers.delete(gone);
    // Its counts stay in the sums.
    if (gone.report !== undefined) {
      this.#whole.durations.add(gone.report.durations);
      if (gone.report.checks !== undefined) this.#whole.checks?.add(gone.report.checks);
      this.#goneUsage = usageOfEnded(this.#goneUsage, gone.report.usage);
    }
    // The start waits for a worker that was not ready, and fails.
    if (this.#isStopping || !(this.#hasStarted || gone.isReady)) return;
    const problem = gone.pid === undefined ? 'A worker cannot be started' : `Worker ${gone.pid} ended unexpectedly`;
    this.#options.logger.error(`${problem}; another one takes its place.`);
    this.#failures = livedMs < soonMs ? this.#failures + 1 : 1;
    this.#spawnLater();
  }

  #spawnLater(): void {
    const pause = this.#failures <= 1 ? 0 : Math.min(longestPauseMs, 100 * 2 ** this.#failures);
    // Keeps the process alive where no worker is left.
    const timer = setTimeout(() => {
      this.#pauses.delete(timer);
      this.#spawn();
    }, pause);
    this.#pauses.add(timer);
  }

  #receive(worker: WorkerProcess, message: ToPrimary): void {
    const { app, writing, decisionLog } = this.#whole;
    if (message.kind === 'request') {
      const { id, request } = message;
      answerForwarded(app, request).then(
        (answer) => worker.send({ kind: 'answer', id, answer }),
        (error: Error) => {
          this.#options.logger.error(`A forwarded request failed: ${error.stack ?? error.message}`);
          worker.send({
            kind: 'answer',
            id,
            answer: { status: 500, contentType: undefined, location: undefined, headers: {}, revision: 0, body: null },
          });
        },
      );
    } else if (message.kind === 'head') {
      const answer = (head: Head) => worker.send({ kind: 'head', id: message.id, head });
      writing.head().then(
        (revision) => answer({ revision }),
        (error: Error) => answer({ problem: error.message }),
      );
    } else if (message.kind === 'events') {
      const log = decisionLog();
      for (const event of message.events) log?.add(event);
      for (const [loss, count] of message.losses) log?.losses.add(loss, count);
    }
  }

  /** Passes a connection on to the workers in turn. While there are none, it waits. */
  pass(connection: Connection): void {
    const ready = [...this.#workers].filter(({ isReady }) => isReady);
    const worker = ready[this.#next++ % ready.length];
    if (worker !== undefined) worker.pass(connection);
    else if (this.#isStopping || this.#held.length === mostHeld) connection.socket.destroy();
    else this.#held.push(connection);
  }

  /** Settings have been discovered. */
  reconfigure(settings: WorkerSettings): void {
    for (const worker of this.#workers) worker.send({ kind: 'settings', settings });
  }

  /** The health service of a worker's gateway answers by it. */
  #tellOfBundles(): void {
    const activated = this.#whole.bundlesActivated();
    if (activated === this.#toldActivated) return;
    this.#toldActivated = activated;
    for (const worker of this.#workers) worker.send({ kind: 'bundles', activated });
  }

  /** The measurements of all workers. */
  async reports(): Promise<readonly ProcessReport[]> {
    await Promise.all([...this.#workers].map((worker) => worker.measure()));
    return this.lastReports();
  }

  /** The measurements of all workers, as they were last asked for. */
  lastReports(): readonly ProcessReport[] {
    const gone = { durations: [], usage: this.#goneUsage };
    return [gone, ...[...this.#workers].flatMap(({ report }) => report ?? [])];
  }

  /** Ends the workers: they accept no more requests and answer open ones within `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#pauses) clearTimeout(timer);
    for (const { socket } of this.#held.splice(0)) socket.destroy();
    const workers = [...this.#workers];
    for (const worker of workers) worker.send({ kind: 'stop', graceMs });
    const late = setTimeout(() => {
      for (const worker of workers) worker.kill();
    }, graceMs + killMs);
    await Promise.all(workers.map(({ ended }) => ended));
    clearTimeout(late);
  }
}

/** Remembers the names of policies' files, which the engine does not keep. */
class ReplicatedState {
  readonly #files = new Map<string, string>();

  note({ policies = new Map(), files }: Change): void {
    for (const [id, text] of policies) {
      const file = files?.get(id);
      if (text === undefined || file === undefined) this.#files.delete(id);
      else this.#files.set(id, file);
    }
  }

  /** All policies, bundles and documents of now. */
  of(engine: Engine): WireChange {
    const own = engine.policies().filter(({ bundle }) => bundle === undefined);
    const ids = new Set(own.map(({ id }) => id));
    return toWire(
      {
        policies: new Map(own.map(({ id, raw }) => [id, raw])),
        files: new Map([...this.#files].filter(([id]) => ids.has(id))),
        ...(engine.version.bundles.size > 0 && { bundles: engine.version.bundles }),
        data: [{ op: 'write', path: [], value: engine.store.root }],
      },
      engine.version.revision,
    );
  }
}
