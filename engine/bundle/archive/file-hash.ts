/** Hashes of a bundle's files for its signature. */

import type { HashName, HostCrypto, Steps, Value } from '../../../values/index.js';
import {
  octetsText,
  parseJsonOrYaml,
  inSlices as runInSlices,
  toJson,
  utf16Text,
  writeJsonSteps,
} from '../../../values/index.js';
import { BundleError } from '../bundle-error.js';
import { baseName } from '../bundle-paths.js';
import { largeDocument, type TakeMemory } from '../data-files.js';

/** The algorithms by their names in signatures. */
const hashNames: ReadonlyMap<string, HashName> = new Map([
  ['MD5', 'md5'],
  ['SHA-1', 'sha1'],
  ['SHA-224', 'sha224'],
  ['SHA-256', 'sha256'],
  ['SHA-384', 'sha384'],
  ['SHA-512', 'sha512'],
  ['SHA-512-224', 'sha512-224'],
  ['SHA-512-256', 'sha512-256'],
]);

/** The platform's name of an algorithm; undefined for an algorithm that signatures do not use. */
export function hashNameOf(algorithm: string): HashName | undefined {
  return hashNames.get(algorithm);
}

/**
 * Files whose documents are hashed instead of their bytes, so that spaces and the order of keys do
 * not count.
 */
const structuredFiles = new Set(['data.json', 'data.yaml', 'signatures.json', '.manifest']);

export interface HashOptions {
  /** Whether other tasks run while large files are read and hashed, which takes longer. */
  readonly inSlices?: boolean | undefined;
  /** With `inSlices`: see `ReadOptions.take`. */
  readonly take?: TakeMemory;
}

/**
 * The hash of a file in lower-case hexadecimal. A structured file is hashed as compact JSON with
 * sorted keys, any other by its bytes. Rejects with a BundleError where a structured file is no
 * JSON or YAML.
 */
export async function fileHash(
  name: string,
  bytes: Uint8Array,
  hash: HashName,
  crypto: HostCrypto,
  { inSlices = false, take = () => {} }: HashOptions = {},
): Promise<string> {
  const hashed = (data: Uint8Array) =>
    inSlices ? runInSlices(hashSteps(hash, data, crypto)) : crypto.hashHex(hash, data);
  if (!structuredFiles.has(baseName(name))) return await hashed(bytes);
  const written = inSlices ? await writtenInSlices(bytes, take) : undefined;
  if (written !== undefined) return await hashed(written);
  // The reference escapes two separators that JSON allows as they are.
  const json = toJson(await readDocument(name, bytes)).replace(/[\u2028\u2029]/g, (c) =>
    c === '\u2028' ? '\\u2028' : '\\u2029',
  );
  return crypto.hashHex(hash, json);
}

/** Bytes that are hashed in a step: about a millisecond. */
const bytesPerStep = 512 * 1024;

function* hashSteps(hash: HashName, data: Uint8Array, crypto: HostCrypto): Steps<string> {
  const hasher = data.length > bytesPerStep ? crypto.hasher?.(hash) : undefined;
  if (hasher === undefined) return crypto.hashHex(hash, data);
  for (let at = 0; at < data.length; at += bytesPerStep) {
    hasher.update(data.subarray(at, at + bytesPerStep));
    yield;
  }
  return hasher.hex();
}

/**
 * The compact form of a large JSON document; undefined for another one, which is written at once.
 */
async function writtenInSlices(bytes: Uint8Array, take: TakeMemory): Promise<Uint8Array | undefined> {
  const value = await runInSlices(largeDocument(bytes, take));
  if (value === undefined) return undefined;
  const written = await runInSlices(writeJsonSteps(value));
  return separators.some((separator) => indexOf(written, separator) >= 0) ? undefined : written;
}

/** U+2028 and U+2029 in UTF-8. */
const separators = [
  [0xe2, 0x80, 0xa8],
  [0xe2, 0x80, 0xa9],
] as const;

/** Where three bytes occur; -1 where they do not. */
function indexOf(bytes: Uint8Array, [first, second, third]: readonly [number, number, number]): number {
  let at = bytes.indexOf(first);
  while (at >= 0 && (bytes[at + 1] !== second || bytes[at + 2] !== third)) at = bytes.indexOf(first, at + 1);
  return at;
}

async function readDocument(name: string, bytes: Uint8Array): Promise<Value> {
  try {
    return await parseJsonOrYaml(utf16Text(bytes) ?? octetsText(bytes).replace(/^\ufeff/, ''));
  } catch (error) {
    throw new BundleError('syntax', (error as Error).message, name);
  }
}
