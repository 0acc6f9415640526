/** A bundle of the configuration: its source, its status, and the version of it that is active. */

import type { BundleSource } from '../../../engine/index.js';
import { FileSource } from '../../../engine/node.js';
import type { PlainObject } from '../../../values/index.js';
import { nodeHost } from '../../../values/node.js';
import type { ServiceClient } from '../clients/service-client.js';
import type { Services } from '../clients/services.js';
import type { BundleConfig, BundlesConfig } from './bundle-config.js';
import { inBundleMemory } from './bundle-memory.js';
import { HttpSource } from './http-source.js';
import { OciSource } from './oci/oci-source.js';
import { BundleStatus } from './status.js';
import { type FetchedVersion, TrackedSource } from './tracked-source.js';

/** A version without its content. */
type ActiveVersion = Pick<FetchedVersion, 'digest' | 'etag'>;

export class ConfiguredBundle {
  readonly config: BundleConfig;
  readonly status: BundleStatus;
  readonly tracked: TrackedSource;
  readonly #client: ServiceClient | undefined;
  #active: ActiveVersion | undefined;
  /** The status before the load that is under way. */
  #before: PlainObject | undefined;

  /**
   * @param before the bundle of this name in an earlier configuration; its version may still be
   * active
   */
  constructor(name: string, config: BundleConfig, services: Services, before: ConfiguredBundle | undefined) {
    this.config = config;
    this.#client = config.service === undefined ? undefined : services.client(config.service);
    this.status = before?.status ?? new BundleStatus(name);
    this.#active = before?.active;
    this.tracked = new TrackedSource(sourceOf(config, services));
  }

  get active(): ActiveVersion | undefined {
    return this.#active;
  }

  /** A version that was fetched is active. */
  activated({ digest, etag }: ActiveVersion): void {
    // It decides from now on, though saving it may take a while.
    this.#before = undefined;
    this.#active = { digest, etag };
    this.tracked.activated(etag);
  }

  /** Whether another bundle is configured in the same way, with the same service. */
  equals(other: ConfiguredBundle): boolean {
    return this.#client === other.#client && JSON.stringify(this.config) === JSON.stringify(other.config);
  }

  /** The status after the last load: while one is under way, the status may be half of it. */
  get shownStatus(): PlainObject {
    return this.#before ?? this.status.toJson();
  }

  /**
   * The next fetch is asked for by hand. A file is read again, whether or not it seems to have
   * changed. A service is told the active version: without one it may begin with an older one.
   */
  triggered(): void {
    if (this.config.service === undefined) this.tracked.forget();
    else this.tracked.refused();
  }

  /** A load that has begun by `fetch` is over. */
  loaded(): void {
    this.#before = undefined;
  }

  /**
   * The version to activate; undefined where the source has none, or the active one. Rejects where
   * it cannot be fetched.
   */
  async fetch(signal: AbortSignal): Promise<FetchedVersion | undefined> {
    const { status, tracked } = this;
    this.#before = status.toJson();
    status.requested();
    const fetched = await tracked.fetch(signal);
    if (fetched === 'unchanged') {
      status.unchanged();
      return undefined;
    }
    status.fetched(fetched);
    // The same changes may be made twice.
    if (fetched.digest !== this.active?.digest || fetched.bundle.patch !== undefined) return fetched;
    this.activated(fetched);
    status.isActive();
    return undefined;
  }

  /**
   * Whether a fetched version may be activated: no later one was fetched, and a delta changes the
   * active version. After another delta the next fetch names the active version again.
   */
  accepts(version: FetchedVersion): boolean {
    const { patch } = version.bundle;
    const fits = this.tracked.isLatest(version) && (patch === undefined || version.base === this.active?.etag);
    if (!fits && patch !== undefined) this.tracked.refused();
    return fits;
  }
}

/** The bundles of a configuration, in its order. Unchanged ones stay as they are. */
export function configuredBundles(
  config: BundlesConfig,
  services: Services,
  before: ReadonlyMap<string, ConfiguredBundle> = new Map(),
): ReadonlyMap<string, ConfiguredBundle> {
  return new Map(
    [...config].map(([name, bundle]) => {
      const known = before.get(name);
      const made = new ConfiguredBundle(name, bundle, services, known);
      return [name, known !== undefined && made.equals(known) ? known : made];
    }),
  );
}

function sourceOf(config: BundleConfig, services: Services): BundleSource {
  const { resource, service, verification, sizeLimitBytes } = config;
  if (service !== undefined) {
    const { isOci } = services.client(service).config;
    return isOci ? new OciSource({ ...config, service }, services) : new HttpSource({ ...config, service }, services);
  }
  const { crypto } = nodeHost;
  return new FileSource(resource, {
    verification,
    crypto,
    limits: { size: sizeLimitBytes },
    inSlices: true,
    inMemory: inBundleMemory,
  });
}
