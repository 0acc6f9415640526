/** `--set` and `--set-file`: settings over a configuration, as `a.b=1,c[0]=x,d={p,q}`. */
import { isDocumentObject } from '../../../runtime/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import { ConfigError } from './config-section.js';

type Key = string | number;

/** A larger index of an array would fill the memory. */
const maxIndex = 65_536;

interface SettingsOptions {
  /** The value of a text: `settingValue`, or the content of the file with this name. */
  readonly read?: (text: string) => Value;
  /** The flag, for messages. */
  readonly flag?: '--set' | '--set-file';
}

/** Settings overridden by those of a text. Throws a ConfigError for a malformed text. */
export function withSettings(
  settings: PlainObject,
  text: string,
  { read = settingValue, flag = '--set' }: SettingsOptions = {},
): PlainObject {
  return new SettingsReader(text, read, flag)
    .settings()
    .reduce((all, [path, value]) => put(all, path, value) as PlainObject, settings);
}

/** A boolean, a number or null where the text is one; otherwise the text. */
function settingValue(text: string): Value {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  if (/^(0|[+-]?[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text;
}

/** A configuration overridden by settings. Objects are merged, all other values replaced. */
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
  return Object.fromEntries([
    ...Object.entries(object).filter(([name]) => name !== key),
    [key, put(child, rest, value)],
  ]);
}

/** A backslash makes the next character part of the text. */
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
      if (!/^\d{1,9}$/.test(index) || Number(index) > maxIndex)
        throw this.#failed(`error parsing index ${JSON.stringify(index)}`);
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
      const c = this.#text.charAt(this.#at);
      if (c === '\\') text += this.#text[++this.#at] ?? '';
      else if (stops.includes(c)) break;
      else text += c;
    }
    return text;
  }
}
