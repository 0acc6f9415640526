/** The plugin `discovery`: fetches the bundle of the configuration, evaluates and applies it. */

import { documentText } from '../../../compiler/index.js';
import { type Bundle, createContext, Engine, SerialQueue } from '../../../engine/index.js';
import { isDocumentObject } from '../../../runtime/index.js';
import { type PlainObject, parseJson, toJson, typeName, type Value } from '../../../values/index.js';
import { nodeHost } from '../../../values/node.js';
import { type ConfiguredBundle, configuredBundles } from '../bundle/configured-bundle.js';
import { BundlePersistence } from '../bundle/persistence.js';
import type { PersistenceDirectory } from '../bundle/persistence-directory.js';
import { BundleSchedule, type Failures } from '../bundle/schedule.js';
import { typeOf } from '../bundle/status.js';
import type { FetchedVersion } from '../bundle/tracked-source.js';
import { ServiceError } from '../clients/request.js';
import { ConfigError } from '../config/config-section.js';
import { objectWithEnvironment } from '../config/environment-variables.js';
import type { PluginContext, ReportStatus } from '../plugin.js';
import type { DiscoveryConfig } from './discovery-config.js';

interface DiscoveryOptions {
  readonly persistence: PersistenceDirectory;
  /** Applies a discovered configuration. Rejects where it is refused; nothing has changed then. */
  readonly apply: (discovered: PlainObject) => Promise<void>;
}

const name = 'discovery';

export class DiscoveryPlugin {
  readonly #config: DiscoveryConfig;
  readonly #context: PluginContext;
  readonly #report: ReportStatus;
  readonly #options: DiscoveryOptions;
  readonly #bundle: ConfiguredBundle;
  readonly #schedule: BundleSchedule;
  readonly #persistence: BundlePersistence;
  readonly #activations = new SerialQueue();
  #first: Promise<void> = Promise.resolve();

  constructor(config: DiscoveryConfig, context: PluginContext, report: ReportStatus, options: DiscoveryOptions) {
    this.#config = config;
    this.#context = context;
    this.#report = report;
    this.#options = options;
    this.#bundle = configuredBundles(new Map([[name, config.bundle]]), context.services).get(name)!;
    this.#schedule = new BundleSchedule((_names, signal) => this.#load(signal), false);
    this.#persistence = new BundlePersistence(options.persistence, context);
  }

  /** Whether a configuration was applied at some time. */
  get isActivated(): boolean {
    return this.#bundle.status.isActivated;
  }

  /** The status of the bundle, as JSON. */
  status(): PlainObject {
    return this.#bundle.status.toJson();
  }

  /**
   * Applies the saved configuration, then fetches the bundle without waiting for it. With manual
   * triggers it is fetched when it is triggered alone.
   */
  async start(): Promise<void> {
    this.#report({ state: 'NOT_READY' });
    if (this.#config.bundle.persist) await this.#activateSaved();
    if (this.#config.bundle.trigger === 'periodic') this.#begin();
  }

  /** Fetches the bundle now. */
  async trigger(): Promise<void> {
    await this.#schedule.stop();
    this.#bundle.triggered();
    this.#begin();
    await this.settled();
  }

  /** Resolves once the bundle was fetched since the start, successfully or not. */
  async settled(): Promise<void> {
    await this.#first;
  }

  async stop(): Promise<void> {
    await this.#schedule.stop();
    await this.#activations.ended();
    this.#report({ state: 'NOT_READY' });
  }

  #begin(): void {
    const { config, tracked } = this.#bundle;
    this.#first = this.#schedule.begin(name, { config, source: tracked.source });
  }

  async #load(signal: AbortSignal): Promise<Failures> {
    const { status } = this.#bundle;
    try {
      const version = await this.#bundle.fetch(signal);
      if (version === undefined || signal.aborted) return new Map();
      try {
        await this.#activations.run(() => this.#activate(version));
      } catch (error) {
        this.#bundle.tracked.refused();
        throw error;
      }
      if (this.#config.bundle.persist) await this.#persistence.save(savedName, version);
      return new Map();
    } catch (error) {
      if (signal.aborted) return new Map();
      status.refused(error);
      this.#context.logger.error(`Discovery failed: ${(error as Error).message}`, { plugin: name });
      this.#report({ state: this.isActivated ? 'OK' : 'NOT_READY' });
      return new Map([[name, error instanceof ServiceError ? error.retryAfterMs : 0]]);
    }
  }

  async #activate(version: FetchedVersion): Promise<void> {
    const { bundle } = version;
    const { engine, logger } = this.#context;
    const started = performance.now();
    await this.#options.apply(await discoveredConfig(bundle, this.#config.decision, engine.context.runtime));
    const { revision } = bundle.manifest;
    this.#bundle.activated(version);
    const timer = Math.round((performance.now() - started) * 1e6);
    this.#bundle.status.activated(revision, typeOf(bundle), { timer_discovery_activation_ns: timer });
    logger.info('Discovery update processed successfully.', { plugin: name, revision });
    this.#report({ state: 'OK' });
  }

  async #activateSaved(): Promise<void> {
    try {
      const saved = await this.#persistence.load(savedName, this.#config.bundle);
      if (saved === undefined) return;
      await this.#activate(saved);
      this.#bundle.tracked.resume(saved.etag);
    } catch (error) {
      this.#context.logger.error(`Failed to load the discovery bundle from disk: ${(error as Error).message}`, {
        plugin: name,
      });
    }
  }
}

/** No bundle of a configuration has this name. */
const savedName = '\0discovery';

/**
 * Evaluates a document in an engine of its own, and replaces `${NAME}` in its texts from the
 * environment, as in a configuration that is read from a file. Rejects with a ConfigError for a
 * document that is no object, or with the errors of policies.
 * @param runtime the result of `opa.runtime()`
 */
async function discoveredConfig(bundle: Bundle, decision: readonly string[], runtime: Value): Promise<PlainObject> {
  const engine = new Engine({ context: createContext({ host: nodeHost }, { runtime: runtime as PlainObject }) });
  await engine.commit({ bundles: new Map([['discovery', bundle]]) }, { ignoreRoots: true });
  // A copy: the value is the engine's.
  const { value } = await engine.decide(decision, undefined, { strictBuiltinErrors: true });
  if (value === undefined) throw new ConfigError(`discovery: the document ${documentText(decision)} is undefined`);
  const document = parseJson(toJson(value));
  if (!isDocumentObject(document))
    throw new ConfigError(`discovery: the configuration must be an object but is ${typeName(document)}`);
  const config = objectWithEnvironment(document, process.env);
  if (decision.length > 0) return config;
  return Object.fromEntries(Object.entries(config).filter(([key]) => key !== 'system'));
}
