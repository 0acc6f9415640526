/** Values as explanations show them: cut to a size, without masked parts. */

import {
  beginOfText,
  cutText,
  isArray,
  isNumber,
  isObject,
  isSet,
  keyText,
  lookup,
  makeObject,
  objectKeys,
  RegoSet,
  termText,
  toPlain,
  type Value,
  valueAt,
} from '../../../values/index.js';
import type { ShownValue } from './explanation.js';

/** The text that stands for a masked value. */
const hidden = '[masked]';

/**
 * The values at masked paths. A value of a masked path is recognized in all of an explanation: as
 * the same text or number, inside of a longer text, and as a part of a collection. `true`, `false`
 * and `null` are recognized by their place in the input only.
 */
export class Secrets {
  readonly #paths: readonly (readonly string[])[];
  readonly #texts: string[] = [];
  /** Numbers as words of a text. */
  readonly #numbers: RegExp[] = [];
  readonly #keys = new Set<string>();
  /** The hidden keys of collections of the input. */
  readonly #hiddenKeys = new Map<Value, Set<string>>();

  /** @param paths below `input`, such as `['user', 'password']` */
  constructor(paths: readonly (readonly string[])[], input: Value | undefined) {
    this.#paths = paths;
    for (const path of paths) {
      this.add(inputAt(input, path));
      const above = inputAt(input, path.slice(0, -1));
      const last = path.at(-1);
      if (last === undefined || typeof above !== 'object' || above === null) continue;
      const keys = this.#hiddenKeys.get(above) ?? new Set();
      this.#hiddenKeys.set(above, keys.add(last));
    }
  }

  get isEmpty(): boolean {
    return this.#paths.length === 0 && this.#keys.size === 0;
  }

  /** Hides a value, and the texts and numbers in it. */
  add(value: Value | undefined): void {
    if (value === undefined || value === null || typeof value === 'boolean' || value === '') return;
    this.#keys.add(keyText(value));
    if (typeof value === 'string') this.#texts.push(value);
    else if (isNumber(value))
      this.#numbers.push(new RegExp(`(?<![\\w.])${termText(value).replace(/[.+]/g, '\\$&')}(?![\\w.])`));
    for (const part of partsOf(value)) this.add(part);
  }

  /** Whether a path of the input is hidden as a whole. */
  hides(path: readonly Value[]): boolean {
    return this.#paths.some(
      (masked) => masked.length <= path.length && masked.every((key, i) => key === String(path[i])),
    );
  }

  /** Whether an entry of a collection of the input is hidden. */
  hidesKey(collection: Value | undefined, key: Value | undefined): boolean {
    return collection !== undefined && key !== undefined && this.#hiddenKeys.get(collection)?.has(String(key)) === true;
  }

  /** A message, unless a hidden text or number is in it. */
  message(text: string): string {
    const isHidden =
      this.#texts.some((secret) => text.includes(secret)) || this.#numbers.some((secret) => secret.test(text));
    return isHidden ? hidden : text;
  }

  /** The value without hidden parts; the same value if there are none. */
  without(value: Value, path?: readonly Value[]): Value {
    if (path !== undefined && this.hides(path)) return hidden;
    if (typeof value === 'string') return this.#texts.some((text) => value.includes(text)) ? hidden : value;
    if (value === null || typeof value === 'boolean') return value;
    if (this.#keys.has(keyText(value))) return hidden;
    const hiddenKeys = this.#hiddenKeys.get(value);
    const inner = (part: Value, key: Value): Value =>
      hiddenKeys?.has(String(key)) ? hidden : this.without(part, path && [...path, key]);
    if (isArray(value)) return value.map(inner);
    if (isSet(value)) return new RegoSet([...value].map((member) => this.without(member)));
    if (!isObject(value)) return value;
    return makeObject(
      [...objectKeys(value)].map((key) => [this.without(key), inner(valueAt(value, key), key)] as const),
    );
  }
}

function partsOf(value: Value): readonly Value[] {
  if (isArray(value)) return value;
  if (isSet(value)) return [...value];
  return isObject(value) ? [...objectKeys(value)].map((key) => valueAt(value, key)) : [];
}

function inputAt(document: Value | undefined, path: readonly string[]): Value | undefined {
  let value = document;
  for (const key of path) {
    if (value === undefined) return undefined;
    value = isArray(value) && /^\d+$/.test(key) ? value[Number(key)] : lookup(value, key);
  }
  return value;
}

/** A value cut to a number of characters, with the `secrets` masked. */
export function shownValue(value: Value, size: number, secrets: Secrets, path?: readonly Value[]): ShownValue {
  const visible = secrets.isEmpty ? value : secrets.without(value, path);
  if (visible === hidden && value !== hidden) return { text: hidden, masked: true };
  const text = beginOfText(visible, size);
  const isMasked = visible !== value && keyText(visible) !== keyText(value);
  if (text.length > size) return { text: `${cutText(text, size)}…`, ...(isMasked && { masked: true }) };
  return isMasked ? { text, masked: true } : { text, value: toPlain(value) };
}
