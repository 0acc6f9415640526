/** Bundles from files. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Bundle } from '../../../runtime/bundle/bundle.js';
import { filePath, readBundle } from '../../../runtime/bundle/disk.js';
import { readFiles } from '../../../runtime/bundle/read.js';
import { type VerificationConfig, verifySignatures } from '../../../runtime/bundle/signature/signature.js';
import { nodeHost } from '../../../runtime/host/node.js';
import type { Logger } from '../plugin.js';
import { fileSignature } from '../watch.js';

export interface SourceOptions {
  /** Undefined: signatures are not looked at. */
  readonly verification?: VerificationConfig | undefined;
  /** Bytes of one file, and of what an archive inflates to. */
  readonly sizeLimitBytes?: number;
  /** Shell patterns of names to leave out. */
  readonly ignore?: readonly string[];
}

/** A bundle that was read, and what tells it from others. */
export interface LoadedBundle {
  readonly bundle: Bundle;
  /** Of the files' names and bytes. */
  readonly digest: string;
  /** The directory that stands before the files' names; undefined for an archive. */
  readonly baseDir: string | undefined;
  /** Bytes of the archive. */
  readonly size: number | undefined;
}

/** A bundle in a directory, an archive or a plan file, read again when it has changed. */
export class FileSource {
  readonly path: string;
  readonly #options: SourceOptions;
  #signature: string | undefined;

  /**
   * @param resource a path or a `file://` URL
   * @throws BundleError for a URL of another kind
   */
  constructor(resource: string, options: SourceOptions = {}) {
    this.path = filePath(resource);
    this.#options = options;
  }

  /** Undefined where the files are those that `read` saw the last time. Rejects with a BundleError, or a GlobError for a pattern to ignore. */
  async read(): Promise<LoadedBundle | undefined> {
    const signature = await fileSignature(this.path);
    if (signature === this.#signature) return undefined;
    // What could not be read is read again even if it stays as it is: it may have been a moment without memory or descriptors.
    this.#signature = undefined;
    const { verification, sizeLimitBytes, ignore } = this.#options;
    const bundle = await readBundle(this.path, {
      ...(verification !== undefined && { verification, crypto: nodeHost.crypto }),
      ...(sizeLimitBytes !== undefined && { limits: { size: sizeLimitBytes } }),
      ...(ignore !== undefined && { ignore }),
    });
    const stats = await stat(this.path);
    this.#signature = signature;
    const isDirectory = stats.isDirectory();
    return {
      bundle,
      digest: digestOf(bundle),
      baseDir: isDirectory ? this.path : undefined,
      size: isDirectory ? undefined : stats.size,
    };
  }

  /** Has the next `read` read the files whether they changed or not. */
  forget(): void {
    this.#signature = undefined;
  }
}

/** The bundle of files that were kept, checked as they were when they were read first. Rejects with a BundleError. */
export async function bundleOfFiles(
  files: ReadonlyMap<string, Uint8Array>,
  baseDir: string | undefined,
  { verification, sizeLimitBytes }: SourceOptions,
): Promise<Bundle> {
  const list = [...files].map(([name, bytes]) => ({ name, bytes }));
  return await readFiles(list, {
    ...(baseDir !== undefined && { baseDir }),
    ...(sizeLimitBytes !== undefined && { limits: { size: sizeLimitBytes } }),
    ...(verification !== undefined && {
      verify: (signed, signatures) => verifySignatures(signed, signatures, verification, nodeHost.crypto!),
    }),
  });
}

/** Says what of a bundle has no effect. */
export function warnOfWasm(name: string, { wasm }: Bundle, logger: Logger): void {
  if (wasm.length === 0) return;
  const files = wasm.map(({ path }) => path);
  logger.warn('WebAssembly is not run: policies and plans of the bundle answer alone.', { name, plugin: 'bundle', files });
}

export function digestOf({ files }: Bundle): string {
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) {
    const bytes = files.get(name)!;
    // Lengths first, so that no other division into names and bytes gives the same.
    hash.update(`${Buffer.byteLength(name)}:${bytes.length}:${name}`).update(bytes);
  }
  return hash.digest('hex');
}
