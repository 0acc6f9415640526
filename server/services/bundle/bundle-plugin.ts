/** The plugin `bundle`: fetches, activates and saves the bundles of the configuration. */

import { CompileErrors } from '../../../compiler/index.js';
import { BundleError, SerialQueue } from '../../../engine/index.js';
import type { PlainObject } from '../../../values/index.js';
import { ServiceError } from '../clients/request.js';
import type { Plugin, PluginContext, ReportStatus } from '../plugin.js';
import { activateEach, warnOfWasm } from './activation.js';
import type { BundlesConfig } from './bundle-config.js';
import { type ConfiguredBundle, configuredBundles } from './configured-bundle.js';
import { BundlePersistence } from './persistence.js';
import type { PersistenceDirectory } from './persistence-directory.js';
import { BundleSchedule, type Failures, type Scheduled } from './schedule.js';
import { typeOf } from './status.js';
import type { FetchedVersion } from './tracked-source.js';

interface BundlePluginOptions {
  /** Bundles with `persist` are saved there. */
  readonly persistence: PersistenceDirectory;
  /** Whether bundles are fetched again as soon as their sources report a change. */
  readonly watch: boolean;
}

/** The last version of a bundle that could not be activated. */
interface Refusal {
  readonly digest: string;
  readonly error: unknown;
  /** The engine's version at that time, by its number. */
  readonly engineVersion: number;
}

/** The age of a version that an earlier run saved. */
function ageOf({ savedAtMs }: FetchedVersion): { readonly saved_at?: string; readonly age_seconds?: number } {
  if (savedAtMs === undefined) return {};
  const seconds = Math.max(0, Math.round((Date.now() - savedAtMs) / 1000));
  return { saved_at: new Date(savedAtMs).toISOString(), age_seconds: seconds };
}

type Versions = ReadonlyMap<string, FetchedVersion>;

export class BundlePlugin implements Plugin<BundlesConfig> {
  #bundles: ReadonlyMap<string, ConfiguredBundle>;
  /** Activations and saves. */
  readonly #queue = new SerialQueue();
  #isReady = false;
  #isRunning = false;
  readonly #schedule: BundleSchedule;
  readonly #persistence: BundlePersistence;
  readonly #context: PluginContext;
  readonly #report: ReportStatus;
  readonly #listeners = new Set<() => void>();
  /** Versions that could not be activated. They may be once other bundles have changed. */
  readonly #pending = new Map<string, FetchedVersion>();
  readonly #refusals = new Map<string, Refusal>();
  #firstRemote: Promise<unknown> = Promise.resolve();

  constructor(config: BundlesConfig, context: PluginContext, report: ReportStatus, options: BundlePluginOptions) {
    this.#context = context;
    this.#report = report;
    this.#persistence = new BundlePersistence(options.persistence, context);
    this.#schedule = new BundleSchedule((names, signal) => this.#load(names, signal), options.watch);
    this.#bundles = configuredBundles(config, context.services);
  }

  /** Whether each configured bundle was active at some time. */
  get isActivated(): boolean {
    return [...this.#bundles.values()].every(({ status }) => status.isActivated);
  }

  /** The statuses of all bundles by name, as JSON. */
  statuses(): PlainObject {
    return Object.fromEntries([...this.#bundles].map(([name, { shownStatus }]) => [name, shownStatus]));
  }

  /**
   * Calls a listener whenever a bundle's status may have changed, until the returned function is
   * called.
   */
  onStatus(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async start(): Promise<void> {
    this.#isRunning = true;
    this.#report({ state: 'NOT_READY' });
    await this.#queue.run(() => this.#activateSaved());
    await this.#loadAll();
  }

  /** Fetches all bundles now. One that cannot be activated leaves its former version active. */
  async trigger(): Promise<void> {
    await this.#schedule.stop();
    for (const bundle of this.#bundles.values()) bundle.triggered();
    this.#refusals.clear();
    await this.#loadAll(true);
    await this.settled();
  }

  /** Resolves once each bundle was fetched since the start, successfully or not. */
  async settled(): Promise<void> {
    await this.#firstRemote;
  }

  /**
   * Removes bundles that the configuration no longer has. The others stay active until they are
   * replaced.
   */
  async reconfigure(config: BundlesConfig): Promise<void> {
    await this.#schedule.stop();
    this.#persistence.cancel();
    await this.#queue.run(async () => {
      const gone = [...this.#bundles].filter(([name]) => !config.has(name));
      const active = gone.filter(([, { status }]) => status.isActivated);
      if (active.length > 0) {
        await this.#context.engine.commit(
          { bundles: new Map(active.map(([name]) => [name, undefined])) },
          { ignoreRoots: true },
        );
      }
      for (const [name, { config: former }] of gone) if (former.persist) await this.#persistence.remove(name);
      this.#pending.clear();
      this.#refusals.clear();
      this.#bundles = configuredBundles(config, this.#context.services, this.#bundles);
    });
    await this.#loadAll();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#schedule.stop();
    this.#persistence.cancel();
    await this.#queue.run(() => this.#savePrograms());
    this.#report({ state: 'NOT_READY' });
  }

  /**
   * Fetches all bundles, then starts the schedule. Nothing waits for those of services, which may
   * be slow: the state tells when all are active. Those with manual triggers are fetched when they
   * are triggered alone.
   */
  async #loadAll(isTriggered = false): Promise<void> {
    const [remote, files] = [true, false].map((isRemote) =>
      [...this.#bundles].filter(([, { config }]) => (config.service !== undefined) === isRemote),
    ) as [[string, ConfiguredBundle][], [string, ConfiguredBundle][]];
    const scheduled = ({ config, tracked }: ConfiguredBundle): Scheduled => ({ config, source: tracked.source });
    const failed = await this.#schedule.load(files.map(([name]) => name));
    if (!this.#isRunning) return;
    this.#schedule.start(new Map(files.map(([name, bundle]) => [name, scheduled(bundle)])), failed);
    const begun = remote.filter(([, { config }]) => isTriggered || config.trigger === 'periodic');
    this.#firstRemote = Promise.all(begun.map(([name, bundle]) => this.#schedule.begin(name, scheduled(bundle))));
  }

  /**
   * Activates the versions that an earlier run saved. They decide until the sources are fetched.
   */
  async #activateSaved(): Promise<void> {
    const saved = new Map<string, FetchedVersion>();
    for (const [name, { config }] of this.#bundles) {
      if (!config.persist) continue;
      try {
        const found = await this.#persistence.load(name, config);
        if (found !== undefined) saved.set(name, found);
      } catch (error) {
        this.#failed(name, 'Failed to load bundle from disk', error);
      }
    }
    if (saved.size === 0) return;
    await this.#persistence.offerPrograms();
    for (const [name, { etag }] of await this.#activate(saved)) this.#bundles.get(name)?.tracked.resume(etag);
  }

  /**
   * Fetches bundles at the same time, so that a slow source keeps no other from it; then activates
   * them. Returns those that failed.
   */
  async #load(names: readonly string[], signal: AbortSignal): Promise<Failures> {
    const bundles = this.#bundles;
    const fetched = new Map<string, FetchedVersion>();
    const failed = new Map<string, number>();
    const fetchOne = async (name: string): Promise<void> => {
      try {
        const version = await bundles.get(name)?.fetch(signal);
        if (version !== undefined) fetched.set(name, version);
        else this.#forgive(name);
      } catch (error) {
        if (signal.aborted) return;
        failed.set(name, error instanceof ServiceError ? error.retryAfterMs : 0);
        bundles.get(name)?.status.refused(error);
        this.#log(name, 'Bundle load failed', error);
      }
    };
    await Promise.all(names.map(fetchOne));
    await this.#queue.run(async () => {
      // An aborted load is repeated, and a version that was fetched later is activated by its own
      // load.
      if (signal.aborted) return;
      const open = new Map<string, FetchedVersion>();
      const refused: string[] = [];
      for (const name of names) {
        const [configured, version] = [bundles.get(name), fetched.get(name)];
        if (version === undefined || !configured?.accepts(version)) continue;
        const refusal = this.#refusalOf(name, version);
        if (refusal === undefined) open.set(name, version);
        else {
          configured.status.refused(refusal.error);
          configured.tracked.refused();
          refused.push(name);
        }
      }
      const activated = await this.#activate(open);
      for (const [name, version] of activated) await this.#save(name, version);
      for (const name of [...refused, ...open.keys()]) if (!activated.has(name)) failed.set(name, 0);
    });
    for (const name of names) bundles.get(name)?.loaded();
    this.#tell();
    return failed;
  }

  /** Activates versions, and pending ones with them. Returns those that were activated. */
  async #activate(fetched: Versions): Promise<Versions> {
    if (fetched.size === 0) return new Map();
    const { engine, logger } = this.#context;
    const engineVersion = engine.version.number;
    const versions: Versions = new Map([...this.#pending, ...fetched]);
    this.#pending.clear();
    const { activated, failed } = await activateEach(
      new Map([...versions].map(([name, { bundle }]) => [name, bundle])),
      this.#context,
    );
    const succeeded = new Map<string, FetchedVersion>();
    for (const [name, version] of versions) {
      const [configured, metrics] = [this.#bundles.get(name), activated.get(name)];
      if (configured === undefined || metrics === undefined) continue;
      const { bundle, etag, size, requestMs } = version;
      const { revision } = bundle.manifest;
      succeeded.set(name, version);
      configured.activated(version);
      this.#refusals.delete(name);
      configured.status.activated(revision, typeOf(bundle), metrics);
      const from = version.savedAtMs === undefined ? '' : ' from disk';
      logger.info(`Bundle loaded${from} and activated successfully.`, {
        name,
        plugin: 'bundle',
        revision,
        ...ageOf(version),
        ...(requestMs !== undefined && {
          ...(etag !== undefined && { etag }),
          size: size ?? 0,
          request_ms: Math.round(requestMs),
        }),
      });
      warnOfWasm(name, bundle, logger);
    }
    for (const [name, version] of versions) {
      if (!failed.has(name)) continue;
      const [configured, error] = [this.#bundles.get(name), failed.get(name)];
      configured?.tracked.refused();
      this.#refusals.set(name, { digest: version.digest, error, engineVersion });
      // A delta changes one version only, which may be replaced by then.
      if (version.bundle.patch === undefined) this.#pending.set(name, version);
      if (!fetched.has(name)) continue;
      configured?.status.refused(error);
      this.#log(name, 'Bundle activation failed', error);
    }
    if (!this.#isReady && this.isActivated) {
      this.#isReady = true;
      this.#report({ state: 'OK' });
    }
    return succeeded;
  }

  /**
   * Why a version was refused before, where it would be again: neither it nor the engine has
   * changed since. Deltas are not, nor are errors that may be those of a moment.
   */
  #refusalOf(name: string, { digest, bundle }: FetchedVersion): Refusal | undefined {
    const refusal = this.#refusals.get(name);
    if (refusal === undefined || bundle.patch !== undefined) return undefined;
    const { error, engineVersion } = refusal;
    const stays = error instanceof BundleError || error instanceof CompileErrors;
    const isSame = refusal.digest === digest && engineVersion === this.#context.engine.version.number;
    return stays && isSame ? refusal : undefined;
  }

  /** The source has the active version again. */
  #forgive(name: string): void {
    this.#pending.delete(name);
    this.#refusals.delete(name);
  }

  /** Saves an activated version on disk, unless it is a delta, which is no whole bundle. */
  async #save(name: string, version: FetchedVersion): Promise<void> {
    if (this.#bundles.get(name)?.config.persist !== true || version.bundle.patch !== undefined) return;
    try {
      await this.#persistence.save(name, version);
    } catch (error) {
      this.#failed(name, 'Persisting bundle to disk failed', error);
      return;
    }
    this.#persistence.scheduleSavingPrograms(() => void this.#queue.run(() => this.#savePrograms()));
  }

  async #savePrograms(): Promise<void> {
    const isSaved = [...this.#bundles.values()].some(({ config, active }) => config.persist && active !== undefined);
    if (isSaved) await this.#persistence.savePrograms();
  }

  #failed(name: string, event: string, error: unknown): void {
    this.#bundles.get(name)?.status.failed(error);
    this.#log(name, event, error);
  }

  #log(name: string, event: string, error: unknown): void {
    const config = this.#bundles.get(name)?.config;
    this.#context.logger.error(`${event}: ${(error as Error).message}`, {
      name,
      plugin: 'bundle',
      ...(config?.service !== undefined && { service: config.service, resource: config.resource }),
    });
  }

  /** Tells listeners once a load is over. */
  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
