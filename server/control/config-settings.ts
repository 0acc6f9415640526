/** `--set` and `--set-file`: settings over a configuration, as `a.b=1,c[0]=x,d={p,q}`. */
import { isDocumentObject } from '../../runtime/store/path.js';
import type { PlainObject, Value } from '../../runtime/values/value.js';
import { ConfigError } from '../plugins/config-section.js';

type Key = string | number;

/** More than anyone sets; a larger index would fill the memory. */
const maxIndex = 65_536;

export interface SettingsOptions {
  /** What a value's text stands for: `settingValue`, or what is in the file of that name. */
  readonly read?: (text: string) => Value;
  /** The flag, for complaints. */
  readonly flag?: '--set' | '--set-file';
}

/** Settings with more settings over them. Throws a ConfigError for a text that is no setting. */
export function withSettings(
  settings: PlainObject,
  text: string,
  { read = settingValue, flag = '--set' }: SettingsOptions = {},
): PlainObject {
  return new SettingsReader(text, read, flag).settings().reduce((all, [path, value]) => put(all, path, value) as PlainObject, settings);
}

/** `true`, `1` and `null` are what they look like; anything else is text. */
export function settingValue(text: string): Value {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  if (/^(0|[+-]?[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text;
}

/** A configuration with settings over it. Objects are joined; anything else, arrays too, takes the place of what was there. */
export function overridden(config: PlainObject, settings: PlainObject): PlainObject {
  const joined = new Map(Object.entries(config));
  for (const [key, value] of Object.entries(settings)) {
    const before = joined.get(key);
    joined.set(key, isDocumentObject(before) && isDocumentObject(value) ? overridden(before, value) : value);
  }
  return Object.fromEntries(joined);
}

function put(node: Value | undefined, [key, ...rest]: readonly Key[], value: Value): Value {
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list = Array.isArray(node) ? [...(node as Value[])] : [];
    while (list.length < key) list.push(null);
    list[key] = put(list[key], rest, value);
    return list;
  }
  const object = isDocumentObject(node) ? node : {};
  const child = Object.hasOwn(object, key) ? object[key] : undefined;
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, put(child, rest, value)]]);
}

/** A backslash takes the meaning from the character behind it. */
class SettingsReader {
  readonly #text: string;
  readonly #read: (text: string) => Value;
  readonly #flag: string;
  #at = 0;

  constructor(text: string, read: (text: string) => Value, flag: string) {
    this.#text = text;
    this.#read = read;
    this.#flag = flag;
  }

  settings(): readonly (readonly [readonly Key[], Value])[] {
    const found: (readonly [readonly Key[], Value])[] = [];
    while (this.#at < this.#text.length) {
      const path = this.#path();
      found.push([path, this.#value()]);
      if (this.#text[this.#at] === ',') this.#at++;
    }
    return found;
  }

  #path(): readonly Key[] {
    const path: Key[] = [];
    for (;;) {
      const name = this.#until('.=[,');
      if (name !== '') path.push(name);
      const stop = this.#text[this.#at++];
      if (stop === '=' && path.length > 0) return path;
      if (stop === '.' && path.length > 0) continue;
      if (stop !== '[') throw this.#failed(`key ${JSON.stringify(path.join('.'))} has no value`);
      const index = this.#until(']');
      this.#at++;
      if (!/^\d{1,9}$/.test(index) || Number(index) > maxIndex) throw this.#failed(`error parsing index ${JSON.stringify(index)}`);
      path.push(Number(index));
    }
  }

  #value(): Value {
    if (this.#text[this.#at] !== '{') return this.#read(this.#until(','));
    this.#at++;
    const list: Value[] = [];
    for (;;) {
      const text = this.#until(',}');
      const stop = this.#text[this.#at++];
      if (stop === undefined) throw this.#failed("list must terminate with '}'");
      if (text !== '' || stop === ',') list.push(this.#read(text));
      if (stop === '}') return list;
    }
  }

  #failed(why: string): ConfigError {
    return new ConfigError(`failed parsing ${this.#flag} data: ${why}`);
  }

  #until(stops: string): string {
    let text = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const c = this.#text[this.#at]!;
      if (c === '\\') text += this.#text[++this.#at] ?? '';
      else if (stops.includes(c)) break;
      else text += c;
    }
    return text;
  }
}
