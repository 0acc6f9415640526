/** The base documents of a workspace, as far as its files tell. */

import { isObject, isPlainObject, type PlainObject, parseYaml, type Value } from '../../../values/index.js';
import { anyKey } from '../names/symbol.js';
import type { DataFile } from '../workspace/workspace.js';

const parsed = new WeakMap<DataFile, Value | undefined>();

/** The document in a file; undefined where it is none. */
export function documentOf(file: DataFile): Value | undefined {
  if (!parsed.has(file)) parsed.set(file, parseDocument(file));
  return parsed.get(file);
}

function parseDocument({ text }: DataFile): Value | undefined {
  try {
    return parseYaml(text) as Value;
  } catch {
    return undefined;
  }
}

/** Whether a file is an input of evaluations, and no document of `data`. */
export function isInput({ name }: DataFile): boolean {
  return /(?:^|\/)input\.(?:json|ya?ml)$/.test(name);
}

/**
 * The paths at which a file's document may be: at the root, and for `data.json` and `data.yaml`
 * below the folders that they are in.
 */
export function rootsOf({ name }: DataFile): readonly (readonly string[])[] {
  const folders = name.split('/').slice(0, -1);
  const isBundled = /(?:^|\/)data\.(?:json|ya?ml)$/.test(name);
  return isBundled && folders.length > 0 ? [[], folders] : [[]];
}

/** All documents together. */
export function documentsOf(files: Iterable<DataFile>): PlainObject {
  const all: Record<string, Value> = {};
  for (const file of files) {
    if (isInput(file)) continue;
    const document = documentOf(file);
    if (document === undefined || !isObject(document)) continue;
    for (const root of rootsOf(file)) merge(all, wrapped(document as PlainObject, root));
  }
  return all;
}

function wrapped(document: PlainObject, path: readonly string[]): PlainObject {
  return path.reduceRight<PlainObject>((inner, key) => ({ [key]: inner }), document);
}

function merge(into: Record<string, Value>, from: PlainObject): void {
  for (const [key, value] of Object.entries(from)) {
    const before = Object.hasOwn(into, key) ? into[key] : undefined;
    if (isPlainObject(before) && isPlainObject(value)) {
      const both: Record<string, Value> = { ...before };
      merge(both, value);
      into[key] = both;
    } else if (before === undefined)
      Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
  }
}

/** A value that a file has, shortened. */
export interface GivenValue {
  readonly file: DataFile;
  readonly text: string;
  readonly value: Value;
}

/** The most characters of a value that are shown. */
const longestValue = 400;

/** The value of a document below `input` or `data` in the first file that has it. */
export function givenValueAt([root, ...keys]: readonly string[], files: Iterable<DataFile>): GivenValue | undefined {
  for (const file of files) {
    if (isInput(file) !== (root === 'input')) continue;
    const document = documentOf(file);
    for (const prefix of root === 'input' ? [[]] : rootsOf(file)) {
      if (prefix.some((key, i) => keys[i] !== key)) continue;
      const value = descend(document, keys.slice(prefix.length));
      if (value === undefined) continue;
      const text = stringify(value);
      return { file, value, text: text.length > longestValue ? `${text.slice(0, longestValue)}…` : text };
    }
  }
  return undefined;
}

/** The JSON of a value, on several lines where it is no short one. */
function stringify(value: Value): string {
  const line = JSON.stringify(value);
  return line.length > 60 ? JSON.stringify(value, undefined, 2) : line;
}

/** The value at some keys; a step of any key takes the first element. */
function descend(document: Value | undefined, keys: readonly string[]): Value | undefined {
  let value = document;
  for (const key of keys) {
    if (Array.isArray(value)) value = key === anyKey ? (value[0] as Value) : undefined;
    else if (isPlainObject(value))
      value = key === anyKey ? Object.values(value)[0] : Object.hasOwn(value, key) ? value[key] : undefined;
    else return undefined;
  }
  return value;
}
