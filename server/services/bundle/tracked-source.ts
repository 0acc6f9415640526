/** A source together with the version that was fetched from it last. */

import { type Bundle, BundleError, type BundleSource, type FetchedBundle } from '../../../engine/index.js';
import { sha256 } from '../../../values/node.js';

/** A fetched version with the digest of its content. */
export interface FetchedVersion extends FetchedBundle {
  readonly digest: string;
  /** The version that the fetch named: a delta bundle changes that one. */
  readonly base: string | undefined;
  /** The time at which an earlier run saved it, as `Date.now()` counts. */
  readonly savedAtMs?: number;
}

export class TrackedSource {
  readonly source: BundleSource;
  /** The version that the next fetch names. */
  #etag: string | undefined;
  #active: string | undefined;
  /** It keeps no bundle in memory. */
  #latest: WeakRef<FetchedVersion> | undefined;
  #fetching: Promise<unknown> = Promise.resolve();

  constructor(source: BundleSource) {
    this.source = source;
  }

  /**
   * Fetches once the fetch before has ended. Without it, two fetches could end in the other order,
   * and the etag could belong to another version than the bundle. Rejects as the source does.
   */
  fetch(signal?: AbortSignal): Promise<FetchedVersion | 'unchanged'> {
    const fetching = this.#fetching.then(() => this.#fetch(signal));
    this.#fetching = fetching.catch(() => undefined);
    return fetching;
  }

  /** Whether no other version was fetched since this one. */
  isLatest(version: FetchedVersion): boolean {
    return version === this.#latest?.deref();
  }

  /** Has the next fetch name a version that was saved by an earlier process, and that is active. */
  resume(etag: string | undefined): void {
    this.#etag = etag;
    this.#active = etag;
  }

  /** A version that was fetched is active. */
  activated(etag: string | undefined): void {
    this.#active = etag;
  }

  /**
   * A version that was fetched cannot be activated: the next fetch names the active one. Without a
   * name a source may begin with an older version, which undoes what later ones have changed.
   */
  refused(): void {
    this.#etag = this.#active;
  }

  /** Has the next fetch return the bundle even if it is unchanged. */
  forget(): void {
    this.#etag = undefined;
  }

  async #fetch(signal: AbortSignal | undefined): Promise<FetchedVersion | 'unchanged'> {
    const etag = this.#etag;
    const fetched = await this.source.fetch(etag, signal).catch((error: unknown) => {
      // A failure without a response tells nothing of the bundle.
      if (error instanceof BundleError) this.refused();
      throw error;
    });
    if (fetched === 'unchanged') return fetched;
    const digest = await digestOf(fetched.bundle);
    this.#etag = fetched.etag;
    const version = { ...fetched, base: etag, digest };
    this.#latest = new WeakRef(version);
    return version;
  }
}

/** A digest of the names and bytes of a bundle's files. */
async function digestOf({ files }: Bundle): Promise<string> {
  return (await sha256(digested(files))).toString('hex');
}

function* digested(files: Bundle['files']): Iterable<Uint8Array> {
  for (const [name, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    // With the lengths in front, no other division into names and bytes gives the same text.
    yield Buffer.from(`${Buffer.byteLength(name)}:${bytes.length}:${name}`);
    yield bytes;
  }
}
