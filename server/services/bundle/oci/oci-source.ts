/** A bundle in a registry of OCI images: the first compressed layer of a manifest. */

import type { BundleSource, FetchedBundle } from '../../../../engine/index.js';
import { sha256 } from '../../../../values/node.js';
import { refusal, ServiceError, type ServiceRequest, type ServiceResponse } from '../../clients/request.js';
import type { ServiceClient } from '../../clients/service-client.js';
import type { Services } from '../../clients/services.js';
import type { BundleConfig } from '../bundle-config.js';
import { bundleOf } from '../http-source.js';
import { imagesIn, layerIn, manifestTypes } from './oci-manifest.js';

const accept = { Accept: manifestTypes.join(', ') };
/** No manifest of a bundle is longer. */
const maxManifestBytes = 4 * 1024 * 1024;

interface Reference {
  readonly repository: string;
  /** A tag, or a digest. */
  readonly version: string;
}

export class OciSource implements BundleSource {
  readonly location: string;
  readonly #config: BundleConfig & { readonly service: string };
  readonly #services: Services;
  #token: string | undefined;

  constructor(config: BundleConfig & { readonly service: string }, services: Services) {
    this.location = config.resource;
    this.#config = config;
    this.#services = services;
  }

  /** The etag is the digest of the manifest, or of the index that was named. */
  async fetch(etag?: string, signal?: AbortSignal): Promise<FetchedBundle | 'unchanged'> {
    const { service, resource, sizeLimitBytes } = this.#config;
    const client = this.#services.client(service);
    const started = performance.now();
    const { repository, version } = referenceOf(resource, client.config.url);
    const ask = (name: string, method: 'GET' | 'HEAD') =>
      this.#get(client, {
        method,
        path: `v2/${repository}/manifests/${name}`,
        headers: accept,
        maxBodyBytes: maxManifestBytes,
        signal,
      });
    const get = async (named: string) => {
      let name = named;
      let response = await ask(name, 'GET');
      // Some registries have manifests at their digests alone.
      if (response.body.length === 0 && !name.includes(':')) {
        name = (await ask(name, 'HEAD')).headers.get('docker-content-digest') ?? name;
        if (name !== named) response = await ask(name, 'GET');
      }
      const digest = await digestOf(response.body);
      checkDigest('manifest', response.headers.get('docker-content-digest') ?? digest, digest);
      if (name.includes(':')) checkDigest('manifest', name, digest);
      return { body: response.body, digest };
    };
    const named = await get(version);
    if (named.digest === etag) return 'unchanged';
    let layer: string | undefined;
    // Policies are the same on all platforms: the first image with a bundle is as good as another.
    for (const image of imagesIn(named.body, resource) ?? [undefined]) {
      layer = layerIn(image === undefined ? named.body : (await get(image)).body, resource);
      if (layer !== undefined) break;
    }
    if (layer === undefined)
      throw new ServiceError(`the manifest of ${JSON.stringify(resource)} has no layer with an archive`);
    const blob = await this.#get(client, {
      path: `v2/${repository}/blobs/${layer}`,
      maxBodyBytes: sizeLimitBytes,
      signal,
    });
    const requestMs = performance.now() - started;
    checkDigest('layer', layer, await digestOf(blob.body));
    return { ...(await bundleOf(blob.body, named.digest, this.#config)), requestMs };
  }

  /** A registry that wants a token says where it is given. */
  async #get(client: ServiceClient, request: ServiceRequest): Promise<ServiceResponse> {
    const ask = () => {
      const authorization = this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` };
      return client.request({ ...request, headers: { ...request.headers, ...authorization } });
    };
    let response = await ask();
    if (response.status === 401) {
      this.#token = await registryToken(client, response.headers.get('www-authenticate') ?? '', request.signal);
      if (this.#token !== undefined) response = await ask();
    }
    if (response.status !== 200) throw refusal(response);
    return response;
  }
}

/** The repository and version of `ghcr.io/org/repo:tag`; the host may be absent. */
function referenceOf(resource: string, url: string): Reference {
  const host = URL.canParse(url) ? new URL(url).host : '';
  const path = resource.replace(/^(https?|oci):\/\//, '').replace(/^\/+/, '');
  const name = host !== '' && path.startsWith(`${host}/`) ? path.slice(host.length + 1) : path;
  const [, repository, tag, digest] = /^([^:@]+)(?::([^@]+))?(?:@(.+))?$/.exec(name) ?? [];
  if (repository === undefined) throw new ServiceError(`${JSON.stringify(resource)} names no image`);
  return { repository, version: digest ?? tag ?? 'latest' };
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  return `sha256:${(await sha256([bytes])).toString('hex')}`;
}

function checkDigest(what: string, wanted: string, got: string): void {
  if (wanted !== got) throw new ServiceError(`the ${what} has another digest (want: ${wanted}, got: ${got})`);
}

/**
 * A token for a refused request; undefined where the registry gives no tokens. Rejects with a
 * ServiceError.
 * @param challenge the header `WWW-Authenticate`
 */
async function registryToken(
  client: ServiceClient,
  challenge: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!/^bearer\s/i.test(challenge)) return undefined;
  const parameters = new Map(
    [...challenge.matchAll(/([a-z_]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => [name.toLowerCase(), value]),
  );
  const realm = parameters.get('realm') ?? '';
  if (!URL.canParse(realm)) throw new ServiceError('the registry names no valid service of tokens');
  const url = new URL(realm);
  if (url.protocol !== 'https:' && new URL(client.config.url).protocol === 'https:') {
    throw new ServiceError('the registry names a service of tokens without TLS');
  }
  for (const name of ['service', 'scope']) {
    const value = parameters.get(name);
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const { body } = await client.requestOk({ path: url.href, signal });
  try {
    const { token, access_token: other } = JSON.parse(Buffer.from(body).toString('utf8')) as Record<string, unknown>;
    const found = token ?? other;
    if (typeof found === 'string') return found;
  } catch {
    // The text may have a token, so it is in no message.
  }
  throw new ServiceError('the service of tokens gave no token');
}
