/** Bundles on disk (Node only): a directory, a `.tar.gz`, or a plan alone. */
import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { HostCrypto } from '../builtins/host-crypto.js';
import { parseJson } from '../values/json/json.js';
import { isObject, type Value } from '../values/value.js';
import { type BundleFile, checkName, checkSize, gzipContentStart, gzipError, type Inflate, isGzip, tooLarge } from './archive/archive.js';
import { type BundleLimits, defaultLimits } from './archive/limits.js';
import { type Bundle, emptyBundle } from './bundle.js';
import { BundleError } from './errors.js';
import { shellGlob } from './glob.js';
import { baseName, cleanPath } from './paths.js';
import { type ReadOptions, readArchive, readFiles } from './read.js';
import type { VerificationConfig } from './signature/signature.js';

export interface DiskOptions extends Pick<ReadOptions, 'limits'> {
  /** Keys to check signatures with. Without, a signed bundle is read as any other. */
  readonly verification?: VerificationConfig;
  /** What checks them: a host's. */
  readonly crypto?: HostCrypto | undefined;
  /** Shell patterns of names of files and directories to leave out. */
  readonly ignore?: readonly string[];
  /** Whether to read files that symbolic links below the directory point to; links are left out otherwise. */
  readonly followSymlinks?: boolean;
}

/**
 * Reads a bundle from a directory, an archive, or a plan file. Rejects with a BundleError, or a GlobError for a bad pattern in `ignore`.
 * @example await readBundle('policies/bundle.tar.gz', { ignore: ['.*'] })
 */
export async function readBundle(given: string, options: DiskOptions = {}): Promise<Bundle> {
  const path = filePath(given);
  const limits = { ...defaultLimits, ...options.limits };
  const stats = stat(path);
  const ignored = ignoring(options.ignore);
  const read: ReadOptions = {
    limits,
    ...(options.verification !== undefined && { verify: verifier(options.verification, options.crypto) }),
  };
  try {
    if (stats.isDirectory())
      return await readFiles(listFiles(path, limits, ignored, options.followSymlinks === true), { ...read, baseDir: path });
    const bytes = readFileSync(path);
    if (!isGzip(bytes) && /^\s*\{/.test(bytes.toString('latin1', 0, 100))) return planAlone(path, bytes);
    const ignore = (name: string) => ignored(baseName(name));
    return await readArchive(bytes, { ...read, baseUrl: path, inflate: inflateByZlib, ...(options.ignore !== undefined && { ignore }) });
  } catch (error) {
    throw asBundleError(error).within(path);
  }
}

/** Reads a policy's file. Rejects with a BundleError. */
export async function readPolicyFile(given: string): Promise<{ readonly name: string; readonly text: string }> {
  const path = filePath(given);
  stat(path);
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw asBundleError(error);
  }
  try {
    return { name: cleanPath(path), text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new BundleError('syntax', `${path}: invalid UTF-8`, path);
  }
}

/** What verifies is loaded only to verify. */
function verifier(config: VerificationConfig, crypto: HostCrypto | undefined): NonNullable<ReadOptions['verify']> {
  return async (files, signatures) => {
    if (crypto === undefined) throw new BundleError('signature', 'signatures cannot be verified: the host has no cryptography');
    const { verifySignatures } = await import('./signature/signature.js');
    await verifySignatures(files, signatures, config, crypto);
  };
}

function asBundleError(error: unknown): BundleError {
  if (error instanceof BundleError) return error;
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  return new BundleError('not_found', `${syscall} ${path}: ${systemProblem(error)}`, path);
}

/** A path, or a `file://` URL as a path. */
export function filePath(given: string): string {
  if (!given.includes('://')) return checkedPath(given);
  let url: URL;
  try {
    url = new URL(given);
  } catch {
    throw new BundleError('not_found', `unsupported URL: ${given}`);
  }
  if (url.protocol !== 'file:') throw new BundleError('not_found', `unsupported URL scheme: ${given}`);
  return checkedPath(decodeURIComponent(url.pathname));
}

function checkedPath(path: string): string {
  if (/^[\\/]{2}/.test(path)) throw new BundleError('not_found', `UNC path read is not allowed: ${path}`);
  return path;
}

function stat(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw new BundleError('not_found', `error reading ${JSON.stringify(path)}: stat ${path}: ${systemProblem(error)}`);
  }
}

/** What the system says of a path, in the words that Go has for it. */
export function systemProblem(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const problems: Record<string, string> = {
    ENOENT: 'no such file or directory',
    EACCES: 'permission denied',
    ENOTDIR: 'not a directory',
    EISDIR: 'is a directory',
    ELOOP: 'too many levels of symbolic links',
    EMFILE: 'too many open files',
    ENAMETOOLONG: 'file name too long',
  };
  return problems[code] ?? (error as Error).message;
}

/** Whether a file's or directory's name matches one of the patterns. Throws a GlobError for a bad pattern. */
export function ignoring(patterns: readonly string[] = []): (name: string) => boolean {
  const tests = patterns.map(shellGlob);
  return (name) => tests.some((test) => test(name));
}

/** The regular files below a directory, depth first, each directory's names in order. */
function listFiles(root: string, limits: BundleLimits, ignored: (name: string) => boolean, followSymlinks: boolean): BundleFile[] {
  const files: BundleFile[] = [];
  const visit = (directory: string, place: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${directory}/${entry.name}`;
      const name = `${place}/${entry.name}`;
      if (ignored(entry.name)) continue;
      if (entry.isDirectory()) {
        visit(path, name);
        continue;
      }
      const isFile = entry.isFile() || (followSymlinks && entry.isSymbolicLink() && statSync(path).isFile());
      if (!isFile) continue;
      checkName(name, limits);
      checkSize(name, statSync(path).size, limits);
      files.push({ name, bytes: readFileSync(path) });
    }
  };
  visit(lstatSync(root).isSymbolicLink() ? realpathSync(root) : root, '');
  return files;
}

function planAlone(path: string, bytes: Uint8Array): Bundle {
  let policy: Value;
  try {
    policy = parseJson(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new BundleError('syntax', `plan load failed: ${(error as Error).message}`, path);
  }
  if (!isObject(policy) || !Object.hasOwn(policy, 'plans')) {
    throw new BundleError('syntax', 'expected a bundle archive, a directory, or a plan (a JSON object with "plans")', path);
  }
  const plan = { path: cleanPath(path), url: cleanPath(path), bundlePath: '/plan.json', policy, bytes };
  return { ...emptyBundle, plans: [plan], files: new Map([[plan.bundlePath, bytes]]) };
}

/** Inflates at once. The library is taken only when there is something to inflate: it costs a start two milliseconds. */
export const inflateByZlib: Inflate = async (archive, limit) => {
  const parts: Uint8Array[] = [];
  let size = 0;
  // A gzip may have several members; bytes behind the last one are none of it.
  for (let at = 0; at === 0 || isGzip(archive.subarray(at)); ) {
    try {
      const { content, end } = inflateMember(archive.subarray(at), limit - size);
      parts.push(content);
      size += content.length;
      at += end;
    } catch (error) {
      if (at === 0 || (error as BundleError).code === 'limit') throw error;
      break;
    }
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
};

/** The first member of a gzip, and where it ends. Throws a BundleError. */
function inflateMember(bytes: Uint8Array, limit: number): { readonly content: Uint8Array; readonly end: number } {
  const { inflateRawSync, crc32 } = process.getBuiltinModule('node:zlib');
  const start = gzipContentStart(bytes);
  let content: Buffer;
  let end: number;
  try {
    const options = { maxOutputLength: Math.max(1, limit), info: true };
    const inflated = inflateRawSync(bytes.subarray(start), options) as unknown as InflatedWithInfo;
    content = inflated.buffer;
    end = start + inflated.engine.bytesWritten;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw gzipError(code === 'Z_BUF_ERROR' ? 'cut off' : 'data');
  }
  if (content.length > limit) throw tooLarge(limit);
  if (bytes.length < end + 8) throw gzipError('cut off');
  const trailer = new DataView(bytes.buffer, bytes.byteOffset + end, 8);
  const isWhole = trailer.getUint32(0, true) === crc32(content) && trailer.getUint32(4, true) === content.length % 2 ** 32;
  if (!isWhole) throw gzipError('checksum');
  return { content, end: end + 8 };
}

/** What zlib answers with the option `info`, which its types do not know. */
interface InflatedWithInfo {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}
