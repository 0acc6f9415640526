/** Sources of bundles. All bundles, of every storage, are loaded through this interface. */
import type { Bundle } from './bundle.js';

/** One place that a bundle can be fetched from, again and again. */
export interface BundleSource {
  /** The path or URL, as messages show it. */
  readonly location: string;
  /** Whether a fetch that names a version may last until there is another version. */
  readonly waits?: boolean;
  /**
   * Fetches the bundle, unless its version still is the one that `etag` names. Rejects with a
   * BundleError, or with the signal's reason once the signal is aborted.
   * @param etag of the version that the caller has; undefined fetches any version
   */
  fetch(etag?: string, signal?: AbortSignal): Promise<FetchedBundle | 'unchanged'>;
  /**
   * Calls `onChange` some time after the bundle may have changed, until the returned function is
   * called. Absent where a source has to be asked.
   */
  watch?(onChange: () => void): () => void;
}

/**
 * A version of a bundle. The bytes of its files, as persistence needs them, are in `bundle.files`.
 */
export interface FetchedBundle {
  readonly bundle: Bundle;
  /**
   * Identifies this version among all versions of the same source; undefined where the source names
   * no versions.
   */
  readonly etag: string | undefined;
  /** Bytes that were transferred; undefined for a directory. */
  readonly size: number | undefined;
  /** Milliseconds that the requests took; undefined where there were none. */
  readonly requestMs?: number;
  /** Milliseconds in which its documents were parsed. */
  readonly dataParseMs?: number;
  /** The directory that precedes the names of files in messages; undefined for an archive. */
  readonly baseDir: string | undefined;
}

/** The bundle that a source has now. */
export async function fetchBundle(source: BundleSource): Promise<Bundle> {
  const fetched = await source.fetch();
  if (fetched === 'unchanged') throw new Error(`${source.location} is unchanged, but no earlier version was named`);
  return fetched.bundle;
}

/** Watches all sources that can be watched, until the returned function is called. */
export function watchSources(sources: Iterable<BundleSource>, onChange: () => void): () => void {
  const ends = [...sources].map((source) => source.watch?.(onChange));
  return () => {
    for (const end of ends) end?.();
  };
}
