/** Hashes of a bundle's files as its signature lists them. */

import type { HashName, HostCrypto } from '../../builtins/host-crypto.js';
import { textOf } from '../../builtins/lib/go/octets.js';
import { parseJson, toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { BundleError } from '../errors.js';
import { baseName } from '../paths.js';

/** The algorithms by the names that signatures give them. */
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

/** The platform's name of an algorithm, undefined for one that signatures do not use. */
export function hashNameOf(algorithm: string): HashName | undefined {
  return hashNames.get(algorithm);
}

/** Files whose documents are hashed, not their bytes: neither spaces nor the order of keys makes a difference there. */
const structuredFiles = new Set(['data.json', 'data.yaml', 'signatures.json', '.manifest']);

/**
 * The hash of a file in lower-case hexadecimal: of a structured file as compact JSON with sorted keys, of any other as it is. Rejects
 * with a BundleError where a structured file is neither JSON nor YAML.
 */
export async function fileHash(name: string, bytes: Uint8Array, hash: HashName, crypto: HostCrypto): Promise<string> {
  if (!structuredFiles.has(baseName(name))) return crypto.hashHex(hash, bytes);
  // Of what JSON may leave as it is, the reference escapes two separators all the same.
  const json = toJson(await readDocument(name, bytes)).replace(/[\u2028\u2029]/g, (c) => (c === '\u2028' ? '\\u2028' : '\\u2029'));
  return crypto.hashHex(hash, json);
}

async function readDocument(name: string, bytes: Uint8Array): Promise<Value> {
  const text = textOf(bytes).replace(/^\ufeff/, '');
  try {
    return parseJson(text);
  } catch {
    // Whatever is no JSON may be YAML, whose reader is loaded only then.
    const { parseYaml } = await import('../../values/yaml/yaml.js');
    try {
      return parseYaml(text);
    } catch (error) {
      throw new BundleError('syntax', (error as Error).message, name);
    }
  }
}
