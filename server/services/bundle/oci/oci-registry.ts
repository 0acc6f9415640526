/** A repository in a registry of OCI images: its manifests and blobs, read and written. */

import { sha256 } from '../../../../values/node.js';
import { refusal, ServiceError, type ServiceRequest, type ServiceResponse } from '../../clients/request.js';
import type { ServiceClient } from '../../clients/service-client.js';
import { manifestTypes } from './oci-manifest.js';

const accept = { Accept: manifestTypes.join(', ') };
/** No manifest of a bundle is longer. */
const maxManifestBytes = 4 * 1024 * 1024;

interface Reference {
  readonly repository: string;
  /** A tag, or a digest. */
  readonly version: string;
}

interface Blob {
  readonly body: Uint8Array;
  readonly digest: string;
}

/** The token that a registry gave. */
export interface RegistryAccess {
  token?: string | undefined;
}

export class OciRegistry {
  readonly version: string;
  readonly #client: ServiceClient;
  readonly #base: string;
  readonly #signal: AbortSignal | undefined;
  readonly #access: RegistryAccess;

  /**
   * @param resource the image's name, with or without the host of the client
   * @param access kept for the next object: the registry is asked for a token once
   */
  constructor(resource: string, client: ServiceClient, access: RegistryAccess = {}, signal?: AbortSignal) {
    const { repository, version } = referenceOf(resource, client.config.url);
    this.version = version;
    this.#client = client;
    this.#base = `v2/${repository}`;
    this.#access = access;
    this.#signal = signal;
  }

  /** A manifest by its tag or digest. Rejects with a ServiceError. */
  async manifest(version = this.version): Promise<Blob> {
    const ask = (name: string, method: 'GET' | 'HEAD') =>
      this.#ok({
        method,
        path: `${this.#base}/manifests/${name}`,
        headers: accept,
        maxBodyBytes: maxManifestBytes,
      });
    let name = version;
    let response = await ask(name, 'GET');
    // Some registries have manifests at their digests alone.
    if (response.body.length === 0 && !name.includes(':')) {
      name = (await ask(name, 'HEAD')).headers.get('docker-content-digest') ?? name;
      if (name !== version) response = await ask(name, 'GET');
    }
    const digest = await digestOf(response.body);
    checkDigest('manifest', response.headers.get('docker-content-digest') ?? digest, digest);
    if (name.includes(':')) checkDigest('manifest', name, digest);
    return { body: response.body, digest };
  }

  /** A layer by its digest. Rejects with a ServiceError. */
  async layer(digest: string, maxBodyBytes: number): Promise<Uint8Array> {
    const { body } = await this.#ok({ path: `${this.#base}/blobs/${digest}`, maxBodyBytes });
    checkDigest('layer', digest, await digestOf(body));
    return body;
  }

  /** Writes a blob where the repository lacks it, and answers its digest. */
  async upload(body: Uint8Array): Promise<string> {
    const digest = await digestOf(body);
    const known = await this.#send({ method: 'HEAD', path: `${this.#base}/blobs/${digest}` });
    if (known.status === 200) return digest;
    const begun = await this.#ok({ method: 'POST', path: `${this.#base}/blobs/uploads/` }, 202);
    const { url } = this.#client.config;
    const location = begun.headers.get('location') ?? '';
    if (!URL.canParse(location, url)) throw new ServiceError('the registry names no place for a blob');
    const target = new URL(location, url);
    // The request has the credentials of the registry.
    const { hostname, protocol } = new URL(url);
    if (target.hostname !== hostname || (protocol === 'https:' && target.protocol !== protocol))
      throw new ServiceError(`the registry wants blobs at ${target.protocol}//${target.host}`);
    target.searchParams.set('digest', digest);
    const headers = { 'content-type': 'application/octet-stream' };
    await this.#ok({ method: 'PUT', path: target.href, headers, body }, 201);
    return digest;
  }

  /** Writes a manifest under the tag of the image, and answers its digest. */
  async putManifest(type: string, body: Uint8Array): Promise<string> {
    const path = `${this.#base}/manifests/${this.version}`;
    await this.#ok({ method: 'PUT', path, headers: { 'content-type': type }, body }, 201);
    return await digestOf(body);
  }

  async #ok(request: ServiceRequest, status = 200): Promise<ServiceResponse> {
    const response = await this.#send(request);
    if (response.status !== status) throw refusal(response);
    return response;
  }

  /** A registry that wants a token says where it is given. */
  async #send(request: ServiceRequest): Promise<ServiceResponse> {
    const ask = () => {
      const { token } = this.#access;
      const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      return this.#client.request({
        ...request,
        headers: { ...request.headers, ...authorization },
        signal: this.#signal,
      });
    };
    const response = await ask();
    if (response.status !== 401) return response;
    const challenge = response.headers.get('www-authenticate') ?? '';
    this.#access.token = await registryToken(this.#client, challenge, this.#signal);
    return this.#access.token === undefined ? response : await ask();
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
