/** Bundles on disk (Node only): a directory, a `.tar.gz`, or a plan alone. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { type HostCrypto, inSlices, type Steps } from '../../../values/index.js';
import { type BundleFile, checkName, checkSize } from '../archive/archive.js';
import { type BundleLimits, defaultLimits } from '../archive/limits.js';
import type { Bundle } from '../bundle.js';
import { BundleError } from '../bundle-error.js';
import { baseName } from '../bundle-paths.js';
import { type BundleSource, type FetchedBundle, fetchBundle } from '../bundle-source.js';
import type { TakeMemory } from '../data-files.js';
import { isPlanText, planAlone } from '../plan-alone.js';
import { type ReadOptions, readArchive, readFiles } from '../read.js';
import type { VerificationConfig } from '../signature/token.js';
import { asBundleError, filePath, unreadable } from './file-path.js';
import { ignoring, type TreeFile, treeFiles, versionOf } from './file-tree.js';
import { FileWatch } from './file-watch.js';
import { inflateByZlib } from './gunzip.js';

export interface DiskOptions extends Pick<ReadOptions, 'limits' | 'inSlices'> {
  /**
   * Keys to check signatures with: a bundle without a signature is then refused, unless `optional`
   * is set. Without this option signatures are not looked at.
   */
  readonly verification?: VerificationConfig | undefined;
  /** Cryptography to check them with: a host's. */
  readonly crypto?: HostCrypto | undefined;
  /** Shell patterns of names of files and directories to leave out. */
  readonly ignore?: readonly string[] | undefined;
  /**
   * Whether to read files that symbolic links below the directory point to; links are left out
   * otherwise.
   */
  readonly followSymlinks?: boolean | undefined;
  /**
   * With `inSlices`: reads with a function that takes memory, which is free again afterwards.
   * Rejects where there is not enough of it.
   */
  readonly inMemory?: InMemory | undefined;
}

export type InMemory = <Result>(read: (take: TakeMemory) => Promise<Result>) => Promise<Result>;

const uncounted: InMemory = (read) => read(() => {});

/**
 * Reads a bundle from a directory, an archive, or a plan file. Rejects with a BundleError, or a
 * GlobError for a bad pattern in `ignore`.
 * @example await readBundle('policies/bundle.tar.gz', { ignore: ['.*'] })
 */
export async function readBundle(location: string, options: DiskOptions = {}): Promise<Bundle> {
  return await fetchBundle(new FileSource(location, options));
}

/** A bundle in a directory, an archive or a plan file. Long lists of files are read in slices. */
export class FileSource implements BundleSource {
  readonly location: string;
  readonly #options: DiskOptions;
  readonly #limits: BundleLimits;

  /**
   * @param location a path or a `file://` URL
   * @throws BundleError for a URL of another kind
   */
  constructor(location: string, options: DiskOptions = {}) {
    this.location = filePath(location);
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
  }

  async fetch(etag?: string, signal?: AbortSignal): Promise<FetchedBundle | 'unchanged'> {
    const path = this.location;
    const { ignore, followSymlinks } = this.#options;
    const stats = statsOf(path);
    const ignored = ignoring(ignore);
    try {
      const files = stats.isDirectory()
        ? readable(await inSlices(treeFiles(path, ignored)), followSymlinks === true)
        : [{ path, name: '', isLink: false, stats }];
      if (etag !== undefined && versionOf(files) === etag) return 'unchanged';
      signal?.throwIfAborted();
      let dataParseMs = 0;
      const { inMemory = uncounted } = this.#options;
      const bundle = await inMemory((take) => {
        const options = this.#readOptions((ms) => void (dataParseMs += ms), take);
        return stats.isDirectory() ? this.#readDirectory(files, options) : this.#readFile(ignored, options);
      });
      signal?.throwIfAborted();
      return fetched(bundle, files, stats, { path, dataParseMs });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw asBundleError(error).within(path);
    }
  }

  watch(onChange: () => void): () => void {
    const watch = new FileWatch([this.location], onChange);
    return () => watch.close();
  }

  /** Commands, which read at once, need no time of parsing. */
  #readOptions(onDataParsed: (ms: number) => void, take: TakeMemory): ReadOptions {
    const { verification, inSlices = false } = this.#options;
    return {
      limits: this.#limits,
      inSlices,
      take,
      ...(inSlices && { onDataParsed }),
      ...(verification !== undefined && { verify: verifier(verification, this.#options) }),
    };
  }

  async #readDirectory(files: readonly TreeFile[], options: ReadOptions): Promise<Bundle> {
    return await readFiles(await inSlices(contents(files, this.#limits)), { ...options, baseDir: this.location });
  }

  async #readFile(ignored: (name: string) => boolean, options: ReadOptions): Promise<Bundle> {
    const path = this.location;
    const bytes = readFileSync(path);
    const ignore = this.#options.ignore === undefined ? {} : { ignore: (name: string) => ignored(baseName(name)) };
    return await readBytes(path, bytes, { ...options, ...ignore });
  }
}

/** The bundle of bytes, read as a file would be. Rejects with a BundleError. */
export async function readBundleBytes(name: string, bytes: Uint8Array, options: DiskOptions): Promise<Bundle> {
  const { verification, limits, ignore } = options;
  const ignored = ignoring(ignore);
  return await readBytes(name, bytes, {
    limits: { ...defaultLimits, ...limits },
    ...(ignore !== undefined && { ignore: (file: string) => ignored(baseName(file)) }),
    ...(verification !== undefined && { verify: verifier(verification, options) }),
  });
}

/** The bundle of the bytes of an archive or of a plan. Rejects with a BundleError. */
export async function readBytes(path: string, bytes: Uint8Array, options: ReadOptions = {}): Promise<Bundle> {
  if (isPlanText(bytes)) {
    await options.verify?.(new Map([['plan.json', bytes]]), undefined);
    return await planAlone(path, bytes, options);
  }
  return await readArchive(bytes, { ...options, baseUrl: path, inflate: inflateByZlib });
}

/** The etag is computed on demand: commands, which fetch a bundle once, never ask for it. */
function fetched(
  bundle: Bundle,
  files: readonly TreeFile[],
  stats: Stats,
  { path, dataParseMs }: { readonly path: string; readonly dataParseMs: number },
): FetchedBundle {
  const isDirectory = stats.isDirectory();
  return {
    bundle,
    get etag() {
      return versionOf(files);
    },
    size: isDirectory ? undefined : stats.size,
    dataParseMs,
    baseDir: isDirectory ? path : undefined,
  };
}

function statsOf(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * The regular files. A file without a state is kept, so that reading it fails instead of leaving it
 * out.
 */
function readable(files: readonly TreeFile[], followSymlinks: boolean): readonly TreeFile[] {
  return files.filter(({ isLink, stats }) => (followSymlinks || !isLink) && stats?.isFile() !== false);
}

function* contents(files: readonly TreeFile[], limits: BundleLimits): Steps<BundleFile[]> {
  const found: BundleFile[] = [];
  for (const { name, path, stats } of files) {
    checkName(name, limits);
    checkSize(name, stats?.size ?? 0, limits);
    found.push({ name, bytes: readFileSync(path) });
    yield;
  }
  return found;
}

/** The code that verifies is loaded on first use. */
function verifier(
  config: VerificationConfig,
  { crypto, inSlices = false, inMemory = uncounted }: DiskOptions,
): NonNullable<ReadOptions['verify']> {
  return async (files, signatures) => {
    if (crypto === undefined)
      throw new BundleError('signature', 'signatures cannot be verified: the host has no cryptography');
    const { verifySignatures } = await import('../signature/verification.js');
    await inMemory((take) => verifySignatures(files, signatures, config, crypto, { inSlices, take }));
  };
}
