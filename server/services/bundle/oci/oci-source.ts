/** A bundle in a registry of OCI images: the first compressed layer of a manifest. */

import type { BundleSource, FetchedBundle } from '../../../../engine/index.js';
import { ServiceError } from '../../clients/request.js';
import type { Services } from '../../clients/services.js';
import type { BundleConfig } from '../bundle-config.js';
import { bundleOf } from '../http-source.js';
import { imagesIn, layerIn } from './oci-manifest.js';
import { OciRegistry, type RegistryAccess } from './oci-registry.js';

export class OciSource implements BundleSource {
  readonly location: string;
  readonly #config: BundleConfig & { readonly service: string };
  readonly #services: Services;
  readonly #access: RegistryAccess = {};

  constructor(config: BundleConfig & { readonly service: string }, services: Services) {
    this.location = config.resource;
    this.#config = config;
    this.#services = services;
  }

  /** The etag is the digest of the manifest, or of the index that was named. */
  async fetch(etag?: string, signal?: AbortSignal): Promise<FetchedBundle | 'unchanged'> {
    const { service, resource, sizeLimitBytes } = this.#config;
    const started = performance.now();
    const registry = new OciRegistry(resource, this.#services.client(service), this.#access, signal);
    const named = await registry.manifest();
    if (named.digest === etag) return 'unchanged';
    let layer: string | undefined;
    // Policies are the same on all platforms: the first image with a bundle is as good as another.
    for (const image of imagesIn(named.body, resource) ?? [undefined]) {
      layer = layerIn(image === undefined ? named.body : (await registry.manifest(image)).body, resource);
      if (layer !== undefined) break;
    }
    if (layer === undefined)
      throw new ServiceError(`the manifest of ${JSON.stringify(resource)} has no layer with an archive`);
    const blob = await registry.layer(layer, sizeLimitBytes);
    const requestMs = performance.now() - started;
    return { ...(await bundleOf(blob, named.digest, this.#config)), requestMs };
  }
}
