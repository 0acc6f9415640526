/**
 * A `.tar.gz` as a list of files. It runs on all platforms; a host may pass a faster function that
 * inflates.
 */

import { joinBytes, type Steps } from '../../../values/index.js';
import { BundleError } from '../bundle-error.js';
import type { BundleLimits } from './limits.js';
import { readTar, TarError } from './tar.js';

/** A file of a bundle, under its name in the archive. */
export interface BundleFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Inflates a gzip. Rejects with a BundleError for damaged bytes and for more than `limit` bytes of
 * content.
 */
export type Inflate = (archive: Uint8Array, limit: number) => Promise<Uint8Array>;

/** The files of a tar in its order, without directories and links. Throws a BundleError. */
export function* unpack(tar: Uint8Array, limits: BundleLimits, wanted: (name: string) => boolean): Steps<BundleFile[]> {
  const files: BundleFile[] = [];
  try {
    for (const { name, type, bytes } of readTar(tar)) {
      checkName(name, limits);
      if (type !== 'file' || !wanted(name)) continue;
      checkSize(name, bytes.length, limits);
      files.push({ name, bytes });
      yield;
    }
  } catch (error) {
    if (!(error instanceof TarError)) throw error;
    const problem = error.isCutOff ? 'unexpected EOF' : `archive/tar: invalid tar header (${error.message})`;
    throw new BundleError('archive', `bundle read failed: ${problem}`);
  }
  return files;
}

/** Throws a BundleError for a name too long. */
export function checkName(name: string, limits: BundleLimits): void {
  if (name.length > limits.nameLength) {
    throw new BundleError(
      'limit',
      `bundle read failed: file name ${JSON.stringify(`${name.slice(0, 40)}...`)} is longer than ${limits.nameLength} characters`,
    );
  }
}

/** Throws a BundleError for a file too large. */
export function checkSize(name: string, size: number, limits: BundleLimits): void {
  if (size > limits.size) {
    const file = name.replace(/^\//, '');
    throw new BundleError(
      'limit',
      `bundle file '${file}' size (${size} bytes) exceeded max size (${limits.size} bytes)`,
      name,
    );
  }
}

export function tooLarge(limit: number): BundleError {
  return new BundleError('limit', `bundle read failed: archive exceeded max size (${limit} bytes)`);
}

/** The errors of a gzip, in the reference's words. */
export function gzipError(problem: 'header' | 'checksum' | 'cut off' | 'data'): BundleError {
  const reason = {
    header: 'archive read failed: gzip: invalid header',
    checksum: 'gzip: invalid checksum',
    'cut off': 'unexpected EOF',
    data: 'flate: corrupt input',
  }[problem];
  return new BundleError('archive', `bundle read failed: ${reason}`);
}

/** Whether bytes begin like a gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The offset of the compressed content behind a gzip's header (RFC 1952). Throws a BundleError. */
export function gzipContentStart(bytes: Uint8Array): number {
  if (bytes.length === 0) throw gzipError('cut off');
  if (!isGzip(bytes) || (bytes.length > 2 && bytes[2] !== 8)) throw gzipError('header');
  const flags = bytes[3] ?? 0;
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  // A name and a comment, each ended by a zero.
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    const zero = bytes.indexOf(0, at);
    at = zero < 0 ? bytes.length + 1 : zero + 1;
  }
  if ((flags & 2) !== 0) at += 2;
  if (at > bytes.length) throw gzipError('cut off');
  return at;
}

/** Inflates by the platform's stream, and stops at the limit, so that a gzip bomb does no harm. */
export const inflateByStream: Inflate = async (archive, limit) => {
  if (!isGzip(archive)) throw gzipError('header');
  const stream = new Blob([archive as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof BundleError) throw error;
    // Bytes behind a gzip are ignored, unless the archive is not complete without them.
    const all = joinBytes(chunks);
    if (isAboutTrailingBytes(error as Error) && hasTarEnd(all)) return all;
    throw gzipError(streamProblem(error as Error));
  }
  return joinBytes(chunks);
};

/** Whether a tar ends with two empty blocks, which mark its end. */
function hasTarEnd(tar: Uint8Array): boolean {
  return tar.length >= 1024 && tar.subarray(-1024).every((byte) => byte === 0);
}

function isAboutTrailingBytes(error: Error): boolean {
  return /trailing|junk/i.test(`${(error as { code?: unknown }).code} ${error.message}`);
}

function streamProblem(error: Error): 'checksum' | 'cut off' | 'data' {
  const text = `${error.message} ${String((error as { cause?: unknown }).cause ?? '')}`;
  if (/end of file|incomplete|trailing|unexpected end|TERMINATED|Z_BUF/i.test(text)) return 'cut off';
  return /check/i.test(text) ? 'checksum' : 'data';
}
