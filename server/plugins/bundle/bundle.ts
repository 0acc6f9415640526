/** The plugin `bundle`: bundles of the configuration, read, activated, kept on disk and read again. */

import { Metrics, timers } from '../../../engine/evaluation/metrics.js';
import type { Bundle } from '../../../runtime/bundle/bundle.js';
import type { PlainObject } from '../../../runtime/values/value.js';
import type { Plugin, PluginContext, ReportStatus } from '../plugin.js';
import { FileWatch } from '../watch.js';
import type { BundleConfig, BundlesConfig } from './config.js';
import { BundlePersistence } from './persistence.js';
import type { PersistenceDirectory } from './persistence-directory.js';
import { FileSource, type LoadedBundle, warnOfWasm } from './source.js';
import { BundleStatus, type BundleType } from './status.js';

export interface BundlePluginOptions {
  /** Where bundles with `persist` are kept. */
  readonly persistence: PersistenceDirectory;
  /** Whether files are read again as soon as they change. */
  readonly watch: boolean;
}

/** A configured bundle. */
interface Entry {
  readonly config: BundleConfig;
  /** Undefined where it comes from a service. */
  readonly source: FileSource | undefined;
  readonly status: BundleStatus;
  /** Of what is active. */
  digest: string | undefined;
  timer: NodeJS.Timeout | undefined;
}

export class BundlePlugin implements Plugin<BundlesConfig> {
  #config: BundlesConfig;
  #entries = new Map<string, Entry>();
  #queue: Promise<void> = Promise.resolve();
  #isReady = false;
  #isRunning = false;
  #watch: FileWatch | undefined;
  readonly #kept: BundlePersistence;
  readonly #context: PluginContext;
  readonly #report: ReportStatus;
  readonly #options: BundlePluginOptions;
  readonly #listeners = new Set<() => void>();

  constructor(config: BundlesConfig, context: PluginContext, report: ReportStatus, options: BundlePluginOptions) {
    this.#config = config;
    this.#context = context;
    this.#report = report;
    this.#options = options;
    this.#kept = new BundlePersistence(options.persistence, context);
    this.#makeEntries(config);
  }

  /** Whether each configured bundle was active at some time. */
  get isActivated(): boolean {
    return [...this.#entries.values()].every(({ status }) => status.isActivated);
  }

  /** By bundle's name, as status shows them. */
  statuses(): PlainObject {
    return Object.fromEntries([...this.#entries].map(([name, { status }]) => [name, status.toJson()]));
  }

  /** Has a listener called whenever a bundle's status may have changed, until the function that comes back is called. */
  onStatus(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    this.#isRunning = true;
    this.#report({ state: 'NOT_READY' });
    await this.#enqueue(async () => {
      await this.#activateKept();
      await this.#load([...this.#entries.keys()]);
      this.#schedule();
    });
  }

  /** Reads all resources again now. What cannot be activated leaves what was active as it is. */
  async trigger(): Promise<void> {
    await this.#enqueue(async () => {
      for (const { source } of this.#entries.values()) source?.forget();
      await this.#load([...this.#entries.keys()]);
    });
  }

  /** Bundles that are gone from the configuration are taken out with all they brought; the others stay active until they are replaced. */
  async reconfigure(config: BundlesConfig): Promise<void> {
    await this.#enqueue(async () => {
      const gone = [...this.#entries.keys()].filter((name) => !config.has(name));
      const active = gone.filter((name) => this.#entries.get(name)!.status.isActivated);
      if (active.length > 0) {
        await this.#context.engine.commit({ bundles: new Map(active.map((name) => [name, undefined])) }, { ignoreRoots: true });
      }
      for (const name of gone) if (this.#config.get(name)?.persist === true) await this.#kept.remove(name);
      this.#unschedule();
      this.#config = config;
      this.#makeEntries(config);
      await this.#load([...this.#entries.keys()]);
      if (this.#isRunning) this.#schedule();
    });
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#unschedule();
    await this.#enqueue(() => this.#keepPrograms());
    this.#report({ state: 'NOT_READY' });
  }

  /** One after the other: two that read the same file must not activate the older one last. */
  #enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  #makeEntries(config: BundlesConfig): void {
    const before = this.#entries;
    this.#entries = new Map();
    for (const [name, bundle] of config) {
      const known = before.get(name);
      const source = bundle.service === undefined ? new FileSource(bundle.resource, bundle) : undefined;
      const { status = new BundleStatus(name), digest } = known ?? {};
      this.#entries.set(name, { config: bundle, source, status, digest, timer: undefined });
    }
  }

  /** What was active in an earlier run answers until the resources are read. */
  async #activateKept(): Promise<void> {
    const kept = new Map<string, LoadedBundle>();
    for (const [name, { config, status }] of this.#entries) {
      if (!config.persist) continue;
      try {
        const found = await this.#kept.load(name, config);
        if (found !== undefined) kept.set(name, found);
      } catch (error) {
        this.#failed(name, status, 'Failed to load bundle from disk', error);
      }
    }
    if (kept.size === 0) return;
    await this.#kept.offerPrograms();
    await this.#activate(kept, false);
  }

  async #load(names: readonly string[]): Promise<void> {
    const loaded = new Map<string, LoadedBundle>();
    for (const name of names) {
      const entry = this.#entries.get(name);
      if (entry === undefined) continue;
      const { source, status, config } = entry;
      if (source === undefined) {
        const problem = `bundle comes from the service ${JSON.stringify(config.service)}, and this release reads bundles from files alone`;
        if (!status.isActivated) this.#failed(name, status, 'Bundle load failed', new Error(problem));
        continue;
      }
      status.requested();
      try {
        const found = await source.read();
        if (found === undefined) {
          status.unchanged();
          continue;
        }
        status.read(typeOf(found.bundle), found.size);
        if (found.digest === entry.digest) status.isActive();
        else loaded.set(name, found);
      } catch (error) {
        this.#failed(name, status, 'Bundle load failed', error);
      }
    }
    await this.#activate(loaded, true);
    this.#tell();
  }

  /**
   * All together first, as one may need another; where that fails each on its own, again while some succeed, so that a faulty one keeps no
   * other out.
   */
  async #activate(loaded: ReadonlyMap<string, LoadedBundle>, isNew: boolean): Promise<void> {
    if (loaded.size === 0) return;
    if (loaded.size > 1 && (await this.#commit(loaded)) === undefined) {
      for (const [name, bundle] of loaded) await this.#activated(name, bundle, isNew);
      return;
    }
    const errors = new Map<string, unknown>();
    let open = [...loaded];
    for (let before = open.length + 1; open.length > 0 && open.length < before; ) {
      before = open.length;
      const failed: typeof open = [];
      for (const [name, bundle] of open) {
        const error = await this.#commit(new Map([[name, bundle]]));
        if (error === undefined) await this.#activated(name, bundle, isNew);
        else {
          failed.push([name, bundle]);
          errors.set(name, error);
        }
      }
      open = failed;
    }
    for (const [name] of open) {
      const { status, source } = this.#entries.get(name)!;
      // It may do when others have changed.
      source?.forget();
      this.#failed(name, status, 'Bundle activation failed', errors.get(name));
    }
  }

  readonly #metrics = new Map<string, PlainObject>();

  /** Undefined where it came out well, else what was wrong. */
  async #commit(loaded: ReadonlyMap<string, LoadedBundle>): Promise<unknown> {
    const metrics = new Metrics();
    const started = performance.now();
    try {
      await this.#context.engine.commit(
        { bundles: new Map([...loaded].map(([name, { bundle }]) => [name, bundle])), bundlesTransferred: true },
        { ignoreRoots: true, metrics, check: this.#context.checkPolicies },
      );
    } catch (error) {
      return error;
    }
    metrics.since(timers.loadBundles, started);
    // Not those of the compiler's stages: like the reference, which times them for who asks.
    const timersOfAll = Object.entries(metrics.toJson()).filter(([timer]) => timer.startsWith('timer_rego_'));
    for (const name of loaded.keys()) this.#metrics.set(name, Object.fromEntries(timersOfAll));
    return undefined;
  }

  async #activated(name: string, loaded: LoadedBundle, isNew: boolean): Promise<void> {
    const { bundle, digest } = loaded;
    const entry = this.#entries.get(name)!;
    entry.digest = digest;
    const { revision } = bundle.manifest;
    entry.status.activated(revision, typeOf(bundle), this.#metrics.get(name) ?? {});
    this.#context.logger.info('Bundle loaded and activated successfully.', { name, plugin: 'bundle', revision });
    warnOfWasm(name, bundle, this.#context.logger);
    if (isNew && entry.config.persist && bundle.patch === undefined) await this.#persist(name, entry, loaded);
    if (!this.#isReady && this.isActivated) {
      this.#isReady = true;
      this.#report({ state: 'OK' });
    }
  }

  async #persist(name: string, entry: Entry, loaded: LoadedBundle): Promise<void> {
    try {
      await this.#kept.save(name, loaded);
    } catch (error) {
      this.#failed(name, entry.status, 'Persisting bundle to disk failed', error);
      return;
    }
    this.#kept.savesProgramsLater(() => void this.#enqueue(() => this.#keepPrograms()));
  }

  async #keepPrograms(): Promise<void> {
    const isKept = [...this.#entries.values()].some(({ config, digest }) => config.persist && digest !== undefined);
    if (isKept) await this.#kept.savePrograms();
  }

  #failed(name: string, status: BundleStatus, what: string, error: unknown): void {
    status.failed(error);
    this.#context.logger.error(`${what}: ${(error as Error).message}`, { name, plugin: 'bundle' });
  }

  /** Once each look at resources is over: what is told before may be half of it. */
  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #schedule(): void {
    const files = [...this.#entries.values()].filter(({ source }) => source !== undefined);
    if (this.#options.watch && files.length > 0) {
      const load = () => void this.#enqueue(() => this.#load([...this.#entries.keys()]));
      this.#watch = new FileWatch(
        files.map(({ source }) => source!.path),
        load,
      );
      // What changed between the first look and the watch is seen by this one.
      load();
    }
    for (const [name, entry] of this.#entries) this.#poll(name, entry);
  }

  #poll(name: string, entry: Entry): void {
    const { polling, trigger } = entry.config;
    if (polling === undefined || trigger === 'manual' || entry.source === undefined || !this.#isRunning) return;
    const { minSeconds, maxSeconds } = polling;
    // No more often than ten times a second, whatever is configured.
    const pauseMs = Math.max(100, 1000 * (minSeconds + Math.random() * (maxSeconds - minSeconds)));
    const look = async () => {
      await this.#enqueue(() => this.#load([name]));
      if (this.#entries.get(name) === entry) this.#poll(name, entry);
    };
    entry.timer = setTimeout(() => void look(), Math.min(pauseMs, 2 ** 31 - 1)).unref();
  }

  #unschedule(): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#kept.cancel();
    for (const { timer } of this.#entries.values()) clearTimeout(timer);
  }
}

function typeOf({ patch }: Bundle): BundleType {
  return patch === undefined ? 'snapshot' : 'delta';
}
