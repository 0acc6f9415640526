/** Objects of Kubernetes in configuration files. */
import { isArray, isObject, type PlainObject, type Value } from '../../../values/index.js';
import { type ConfigFile, ConfigFileError, documentsOfFile } from '../files.js';
import type { PathKey } from '../formats/marks.js';

/** An object with its place in a file. */
export interface Resource {
  readonly file: ConfigFile;
  /** Its keys in the file's value. */
  readonly keys: readonly PathKey[];
  readonly value: PlainObject;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
}

/** The part of a value below some keys; null where there is none. */
export function memberAt(value: Value, ...keys: readonly PathKey[]): Value {
  let part = value;
  for (const key of keys) {
    if (isArray(part)) part = (typeof key === 'number' ? part[key] : undefined) ?? null;
    else if (isObject(part) && Object.hasOwn(part, key)) part = (part as PlainObject)[key] ?? null;
    else return null;
  }
  return part;
}

/** A text below some keys; empty for anything else. */
export function textAt(value: Value, ...keys: readonly PathKey[]): string {
  const part = memberAt(value, ...keys);
  return typeof part === 'string' ? part : '';
}

/** The members of a list; none of anything else. */
export function listOf(value: Value): readonly Value[] {
  return isArray(value) ? value : [];
}

/** The objects of a file, those of lists one by one; documents without a kind are left out. */
export function resourcesOf(file: ConfigFile): readonly Resource[] {
  const isSequence = isArray(file.value);
  return documentsOfFile(file).flatMap((value, i) => resourcesIn(file, value, isSequence ? [i] : []));
}

function resourcesIn(file: ConfigFile, value: Value, keys: readonly PathKey[]): readonly Resource[] {
  const kind = textAt(value, 'kind');
  const items = memberAt(value, 'items');
  if (kind.endsWith('List') && isArray(items))
    return items.flatMap((item, i) => resourcesIn(file, item, [...keys, 'items', i]));
  if (kind === '' || !isObject(value)) return [];
  const [, group = '', version = ''] = /^(?:(.*)\/)?([^/]*)$/.exec(textAt(value, 'apiVersion')) ?? [];
  const name = textAt(value, 'metadata', 'name');
  const namespace = textAt(value, 'metadata', 'namespace');
  return [{ file, keys, value: value as PlainObject, group, version, kind, name, namespace }];
}

/** `Deployment shop/web`. */
export function resourceText({ kind, namespace, name }: Resource): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** An error at a part of an object. */
export function resourceError(
  { file, keys }: Resource,
  message: string,
  ...below: readonly PathKey[]
): ConfigFileError {
  const offset = file.place([...keys, ...below])?.start ?? 0;
  return new ConfigFileError(message, { file: file.path, text: file.text, offset });
}
