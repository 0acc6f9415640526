/** `--set` and `--set-file`: settings over a configuration, as `a.b=1,c[0]=x,d={p,q}`. */
import { isObject, type PlainObject, type Value } from '../runtime/values/value.js';
import { ConfigError } from './plugins/config-section.js';

type Key = string | number;

/** More than anyone sets; a larger index would fill the memory. */
const maxIndex = 65_536;

/** A configuration with settings over it. Throws a ConfigError for a text that is no setting. */
export function withSettings(config: PlainObject, text: string, read: (text: string) => Value = settingValue): PlainObject {
  return new SettingsReader(text, read).settings().reduce((all, [path, value]) => put(all, path, value) as PlainObject, config);
}

/** `true`, `1` and `null` are what they look like; anything else is text. */
export function settingValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (/^(0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  return text;
}

function put(node: Value | undefined, [key, ...rest]: readonly Key[], value: Value): Value {
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list = Array.isArray(node) ? [...(node as Value[])] : [];
    while (list.length < key) list.push(null);
    list[key] = put(list[key], rest, value);
    return list;
  }
  const object = node !== undefined && node !== null && isObject(node) ? (node as PlainObject) : {};
  const child = Object.hasOwn(object, key) ? object[key] : undefined;
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, put(child, rest, value)]]);
}

/** A backslash takes the meaning from the character behind it. */
class SettingsReader {
  readonly #text: string;
  readonly #read: (text: string) => Value;
  #at = 0;

  constructor(text: string, read: (text: string) => Value) {
    this.#text = text;
    this.#read = read;
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
      if (stop !== '[')
        throw new ConfigError(`failed parsing ${JSON.stringify(this.#text)}: key ${JSON.stringify(path.join('.'))} has no value`);
      const index = this.#until(']');
      this.#at++;
      if (!/^\d{1,9}$/.test(index) || Number(index) > maxIndex)
        throw new ConfigError(`failed parsing ${JSON.stringify(this.#text)}: error parsing index ${JSON.stringify(index)}`);
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
      if (stop === undefined) throw new ConfigError(`failed parsing ${JSON.stringify(this.#text)}: list must terminate with '}'`);
      if (text !== '' || stop === ',') list.push(this.#read(text));
      if (stop === '}') return list;
    }
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
