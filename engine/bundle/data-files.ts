/** JSON and YAML files of a bundle, and their place in its data. */

import type { PlainObject, Steps, Value } from '../../values/index.js';
import {
  JsonError,
  jsonPlace,
  lenientTextOfFile,
  parseJson,
  readJsonSteps,
  textOfFile,
  utf16AsUtf8,
} from '../../values/index.js';
import { BundleError } from './bundle-error.js';
import { dirName } from './bundle-paths.js';
import { mergeDocuments, treeDocumentAt } from './data-trees.js';

/**
 * Reads the document of a file. `file` is the name in the bundle, `path` the name in messages.
 * Throws a BundleError.
 */
export type ReadDocument = (bytes: Uint8Array, path: string, file: string) => Value;

/** The document of a JSON file, read at once. */
export function readJsonFile(bytes: Uint8Array, path: string, file: string): Value {
  const text = lenientTextOfFile(bytes);
  try {
    return parseJson(text);
  } catch (error) {
    const place = jsonPlace(path, text);
    throw new BundleError('syntax', `bundle load failed on ${place}: ${(error as Error).message}`, file);
  }
}

/**
 * Larger files are read in steps where other tasks should run: the native reader, which is faster,
 * takes a millisecond for so many bytes.
 */
const maxAtOnce = 128 * 1024;

/**
 * JSON files whose bytes are no more than these together are read at once. Further ones are read in
 * steps, which count the memory of their documents.
 */
const maxUncounted = 4 * 1024 * 1024;

/** Calls back with bytes of memory before they are used; throws if they are not available. */
export type TakeMemory = (bytes: number) => void;

/** Reads the documents of JSON files, large ones in steps. */
export class DocumentReader {
  readonly #take: TakeMemory;
  #uncounted = 0;

  constructor(take: TakeMemory) {
    this.#take = take;
  }

  *read(bytes: Uint8Array, path: string, file: string): Steps<Value> {
    const isUncounted = bytes.length <= maxAtOnce && this.#uncounted + bytes.length <= maxUncounted;
    if (isUncounted) this.#uncounted += bytes.length;
    const value = isUncounted ? undefined : yield* steppedDocument(bytes, this.#take);
    // Only the native reader's errors have the reference's words for files.
    return value === undefined ? readJsonFile(bytes, path, file) : value;
  }
}

/** The document of a large JSON file, read in steps; undefined for any other file. */
export function* largeDocument(bytes: Uint8Array, take: TakeMemory): Steps<Value | undefined> {
  return bytes.length <= maxAtOnce ? undefined : yield* steppedDocument(bytes, take);
}

/** The document of a JSON file, read in steps; undefined for a text that is no JSON. */
function* steppedDocument(bytes: Uint8Array, take: TakeMemory): Steps<Value | undefined> {
  try {
    return yield* readJsonSteps(withoutMark(bytes), { whole: true, take });
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/** Bytes of UTF-8 without the mark that may stand before them. */
function withoutMark(given: Uint8Array): Uint8Array {
  const bytes = utf16AsUtf8(given);
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Loads the YAML reader on first use: most bundles have no YAML. */
export async function yamlReader(): Promise<ReadDocument> {
  const { parseYaml } = await import('../../values/yaml/yaml.js');
  return (bytes, path, file) => {
    try {
      return parseYaml(textOfFile(bytes));
    } catch (error) {
      throw new BundleError('syntax', `bundle load failed on ${path}: ${(error as Error).message}`, file);
    }
  };
}

/** The data with a file's document at the file's directory. Throws a BundleError for a conflict. */
export function insertDocument(data: PlainObject, name: string, value: Value): PlainObject {
  const folder = dirName(name);
  let start = 0;
  while (folder[start] === '/' || folder[start] === '.') start++;
  const directory = folder.slice(start);
  const path = directory === '' ? [] : directory.split('/').filter((segment) => segment !== '' && segment !== '.');
  const tree = treeDocumentAt(path, value);
  if (tree === undefined)
    throw new BundleError('conflict', `bundle load failed on ${name}: root value must be object`, name);
  let merged: PlainObject | undefined;
  try {
    merged = mergeDocuments(data, tree);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BundleError('limit', `bundle load failed on ${name}: documents nest too deeply to be merged`, name);
  }
  if (merged === undefined) {
    throw new BundleError(
      'conflict',
      `bundle load failed on ${name}: failed to insert data file from path ${path.join('/')}`,
      name,
    );
  }
  return merged;
}
