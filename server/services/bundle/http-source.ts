/** A bundle that a service serves over HTTP: as a snapshot, or as changes of one (a delta). */

import type { BundleSource, FetchedBundle, SignaturesConfig, VerificationConfig } from '../../../engine/index.js';
import { BundleError, type Inflate, readArchive, tooLarge, verifySignatures } from '../../../engine/index.js';
import { inflateByZlib } from '../../../engine/node.js';
import { nodeHost } from '../../../values/node.js';
import { refusal } from '../clients/request.js';
import type { Services } from '../clients/services.js';
import type { BundleConfig } from './bundle-config.js';
import { inBundleMemory } from './bundle-memory.js';

/** The type of responses of servers that hold a request until there is another version. */
const longPollingType = 'application/vnd.openpolicyagent.bundles';

export class HttpSource implements BundleSource {
  readonly location: string;
  readonly #config: BundleConfig & { readonly service: string };
  readonly #services: Services;
  #waits = false;

  constructor(config: BundleConfig & { readonly service: string }, services: Services) {
    this.location = config.resource;
    this.#config = config;
    this.#services = services;
  }

  /** Whether the server holds requests, as its last response says. */
  get waits(): boolean {
    return this.#waits;
  }

  async fetch(etag?: string, signal?: AbortSignal): Promise<FetchedBundle | 'unchanged'> {
    const { service, resource, longPollingSeconds, sizeLimitBytes } = this.#config;
    const client = this.#services.client(service);
    const wait = longPollingSeconds === undefined ? '' : `;wait=${longPollingSeconds}`;
    // A response without content has no type: the server holds requests as it did before.
    const waited = this.#waits;
    this.#waits = false;
    const started = performance.now();
    const response = await client.request({
      path: resource,
      headers: { Prefer: `modes=snapshot,delta${wait}`, ...(etag !== undefined && { 'If-None-Match': etag }) },
      headerTimeoutMs: client.config.transport.headerTimeoutMs + 1000 * (longPollingSeconds ?? 0),
      maxBodyBytes: sizeLimitBytes,
      signal,
    });
    const type = response.headers.get('content-type');
    const isUnchanged = response.status === 304 && etag !== undefined;
    this.#waits = longPollingSeconds !== undefined && (type === longPollingType || (isUnchanged && waited));
    if (isUnchanged) return 'unchanged';
    if (response.status !== 200) throw refusal(response);
    const requestMs = performance.now() - started;
    return { ...(await bundleOf(response.body, response.headers.get('etag'), this.#config)), requestMs };
  }
}

/** The bundle in an archive that was received. Rejects with a BundleError. */
export async function bundleOf(
  archive: Uint8Array,
  etag: string | undefined,
  { sizeLimitBytes, verification }: Pick<BundleConfig, 'sizeLimitBytes' | 'verification'>,
): Promise<FetchedBundle> {
  if (archive.length === 0) throw new BundleError('archive', 'bundle read failed: the response is empty');
  let dataParseMs = 0;
  const bundle = await inBundleMemory((take) =>
    readArchive(archive, {
      limits: { size: sizeLimitBytes },
      inflate: inflated,
      inSlices: true,
      take,
      onDataParsed: (ms) => void (dataParseMs += ms),
      verify: (files, signatures) => verifiedInSlices(files, signatures, verification),
    }),
  );
  return {
    bundle: etag === undefined ? bundle : { ...bundle, etag },
    etag,
    size: archive.length,
    dataParseMs,
    baseDir: undefined,
  };
}

/** Checks signatures in slices, with memory of its own for documents that are hashed. */
export async function verifiedInSlices(
  files: ReadonlyMap<string, Uint8Array>,
  signatures: SignaturesConfig | undefined,
  verification: VerificationConfig,
): Promise<void> {
  await inBundleMemory((take) =>
    verifySignatures(files, signatures, verification, nodeHost.crypto, { inSlices: true, take }),
  );
}

/**
 * A tar comes uncompressed where its compression was declared as the encoding of the response,
 * which is undone before.
 */
const inflated: Inflate = async (archive, limit) => {
  if (Buffer.from(archive.subarray(257, 262)).toString('latin1') !== 'ustar')
    return await inflateByZlib(archive, limit);
  if (archive.length > limit) throw tooLarge(limit);
  return archive;
};
