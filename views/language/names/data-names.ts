/** The keys of documents in files: JSON and YAML. */

import { type Source, Source as Text } from '../../../compiler/index.js';
import { isInput, rootsOf } from '../lint/documents.js';
import type { DataFile } from '../workspace/workspace.js';
import { anyKey, areAlike, documentKey, isNamed } from './symbol.js';

/** A key in a file: the offsets of its name, without quotes. */
export interface PlacedKey {
  readonly file: DataFile;
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** The keys of a file by the path from its root; elements of arrays have the key of any. */
type Keys = ReadonlyMap<string, FoundKey>;

interface FoundKey {
  readonly path: readonly string[];
  readonly places: { readonly start: number; readonly end: number }[];
}

interface KnownKeys {
  readonly source: Source;
  readonly keys: Keys;
}

const known = new WeakMap<DataFile, KnownKeys>();

/** The places of a document's key in some files. */
export async function dataPlaces(path: readonly string[], files: Iterable<DataFile>): Promise<PlacedKey[]> {
  const [root, ...keys] = path;
  const found: PlacedKey[] = [];
  if (!isNamed(path)) return found;
  for (const file of files) {
    if (keys.length === 0 || isInput(file) !== (root === 'input')) continue;
    for (const prefix of root === 'input' ? [[]] : rootsOf(file)) {
      if (prefix.length >= keys.length || prefix.some((key, i) => keys[i] !== key && keys[i] !== anyKey)) continue;
      const { source, keys: own } = await keysOf(file);
      const inFile = keys.slice(prefix.length);
      const alike = inFile.includes(anyKey)
        ? [...own.values()].filter((each) => areAlike(each.path, inFile))
        : [own.get(documentKey(inFile))];
      for (const place of alike.flatMap((each) => each?.places ?? [])) found.push({ file, source, ...place });
    }
  }
  return found;
}

/** The files of documents whose folder is at a path below `data`, or below it. */
export function filesInFolder([root, ...keys]: readonly string[], files: Iterable<DataFile>): readonly DataFile[] {
  if (root !== 'data' || keys.length === 0) return [];
  return [...files].filter((file) => {
    const folder = rootsOf(file).at(-1)!;
    return !isInput(file) && folder.length >= keys.length && keys.every((key, i) => folder[i] === key);
  });
}

/** The step from a schema to the names of the properties that it requires. */
const requiredKey = '\u0000required';

/**
 * The places of a property in a schema's file, by the keys that lead to it: its own, and in the
 * list of those that are required. Elements of lists have any key.
 */
export async function propertyPlaces(file: DataFile, keys: readonly string[]): Promise<PlacedKey[]> {
  const { source, keys: own } = await keysOf(file);
  const path = keys.map((key) => (/^\d+$/.test(key) ? anyKey : key));
  const listed = [...path.slice(0, -2), requiredKey, path.at(-1)!];
  const places = [path, listed].flatMap((each) => own.get(documentKey(each))?.places ?? []);
  return places.map((place) => ({ file, source, ...place }));
}

/** The path of the key at an offset of a file; undefined where there is none. */
export async function dataPathAt(file: DataFile, offset: number): Promise<readonly string[] | undefined> {
  for (const { path: keys, places } of (await keysOf(file)).keys.values()) {
    if (!places.some(({ start, end }) => offset >= start && offset <= end)) continue;
    return isInput(file) ? ['input', ...keys] : ['data', ...rootsOf(file).at(-1)!, ...keys];
  }
  return undefined;
}

async function keysOf(file: DataFile): Promise<KnownKeys> {
  let found = known.get(file);
  if (found === undefined) {
    const keys = file.name.endsWith('.json') ? await jsonKeys(file.text) : await yamlKeys(file.text);
    known.set(file, (found = { source: new Text(file.name, file.text), keys }));
  }
  return found;
}

class KeyTable {
  readonly keys = new Map<string, FoundKey>();

  add(path: readonly string[], start: number, end: number): void {
    const key = documentKey(path);
    const found = this.keys.get(key);
    if (found) found.places.push({ start, end });
    else this.keys.set(key, { path, places: [{ start, end }] });
  }
}

async function jsonKeys(text: string): Promise<Keys> {
  const { visit } = await import('jsonc-parser');
  const table = new KeyTable();
  visit(text, {
    onObjectProperty: (...[name, offset, length, , , pathOf]) => {
      const above = pathOf().map((key) => (typeof key === 'number' ? anyKey : key));
      table.add([...above, name], offset + 1, offset + length - 1);
    },
    onLiteralValue: (...[value, offset, length, , , pathOf]) => {
      const [list, ...above] = pathOf().slice(0, -1).reverse();
      if (list !== 'required' || typeof value !== 'string') return;
      const around = above.reverse().map((key) => (typeof key === 'number' ? anyKey : key));
      table.add([...around, requiredKey, value], offset + 1, offset + length - 1);
    },
  });
  return table.keys;
}

async function yamlKeys(text: string): Promise<Keys> {
  const { isMap, isScalar, isSeq, parseDocument } = await import('yaml');
  const table = new KeyTable();
  const visit = (node: unknown, path: readonly string[]): void => {
    if (isSeq(node)) for (const item of node.items) visit(item, [...path, anyKey]);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      if (!isScalar(key) || !key.range) continue;
      const inner = [...path, String(key.value)];
      const isQuoted = key.type === 'QUOTE_DOUBLE' || key.type === 'QUOTE_SINGLE';
      const quote = isQuoted ? 1 : 0;
      table.add(inner, key.range[0] + quote, key.range[1] - quote);
      visit(value, inner);
    }
  };
  visit(parseDocument(text, { logLevel: 'silent' }).contents, []);
  return table.keys;
}
