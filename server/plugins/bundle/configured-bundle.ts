/** A bundle of the configuration: its source, its status, and the version of it that is active. */
import type { DiskOptions } from '../../../runtime/bundle/disk/file-source.js';
import { FileSource } from '../../../runtime/bundle/disk/file-source.js';
import type { BundleSource } from '../../../runtime/bundle/source.js';
import { nodeHost } from '../../../runtime/host/node.js';
import type { BundleConfig, BundlesConfig } from './config.js';
import { BundleStatus, typeOf } from './status.js';
import { type FetchedVersion, TrackedSource } from './tracked-source.js';

export class ConfiguredBundle {
  readonly config: BundleConfig;
  readonly status: BundleStatus;
  /** Undefined where this release has no source for the configuration. */
  readonly tracked: TrackedSource | undefined;
  /** The digest of the active version. */
  digest: string | undefined;

  /**
   * @param before the bundle of this name in an earlier configuration; its version may still be
   * active
   */
  constructor(name: string, config: BundleConfig, before: ConfiguredBundle | undefined) {
    this.config = config;
    this.status = before?.status ?? new BundleStatus(name);
    this.digest = before?.digest;
    const source = sourceOf(config);
    this.tracked = source && new TrackedSource(source);
  }

  /**
   * The version to activate; undefined where the source has none, or the active one. Rejects where
   * it cannot be fetched.
   */
  async fetch(signal: AbortSignal): Promise<FetchedVersion | undefined> {
    const { status, tracked, config } = this;
    if (tracked === undefined) {
      if (status.isActivated) return undefined;
      const service = JSON.stringify(config.service);
      throw new Error(`bundle comes from the service ${service}, and this release reads bundles from files alone`);
    }
    status.requested();
    const fetched = await tracked.fetch(signal);
    if (fetched === 'unchanged') {
      status.unchanged();
      return undefined;
    }
    status.fetched(typeOf(fetched.bundle), fetched.size);
    if (fetched.digest !== this.digest) return fetched;
    status.isActive();
    return undefined;
  }
}

/** The bundles of a configuration, in its order. */
export function configuredBundles(
  config: BundlesConfig,
  before: ReadonlyMap<string, ConfiguredBundle> = new Map(),
): ReadonlyMap<string, ConfiguredBundle> {
  return new Map([...config].map(([name, bundle]) => [name, new ConfiguredBundle(name, bundle, before.get(name))]));
}

/** Undefined for a service: only `file://` resources have a source yet. */
function sourceOf({ resource, service, verification, sizeLimitBytes }: BundleConfig): BundleSource | undefined {
  if (service !== undefined) return undefined;
  const options: DiskOptions = { verification, crypto: nodeHost.crypto, limits: { size: sizeLimitBytes } };
  return new FileSource(resource, options);
}
