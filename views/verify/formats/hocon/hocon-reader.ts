/** Reads HOCON into nodes; references are resolved later. */
import { FileFormatError } from '../format.js';

interface HoconMember {
  readonly node: HoconNode;
  readonly start: number;
  readonly end: number;
}

export interface HoconObject {
  readonly kind: 'object';
  readonly members: Map<string, HoconMember>;
}

export type HoconNode =
  | HoconObject
  | { readonly kind: 'list'; readonly items: readonly HoconNode[] }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reference';
      readonly path: readonly string[];
      readonly isOptional: boolean;
      readonly start: number;
    }
  | { readonly kind: 'parts'; readonly parts: readonly HoconNode[]; readonly start: number }
  | { readonly kind: 'absent' };

/** Throws a FileFormatError. */
export function readHocon(text: string): HoconObject {
  return new Reader(text).document();
}

const deepest = 500;
const blank = /(?:[\s,\ufeff]+|#[^\n]*|\/\/[^\n]*)+/y;
const inline = /[ \t]*/y;
const bare = /[^\s"${}[\]:=,+#`^?!@*&\\/]+|\/(?!\/)|[?!@*&^`\\+](?!=)/y;
const quoted = /"""[\s\S]*?"""(?!")|"(?:[^"\\\n]|\\.)*"/y;
const reference = /\$\{(\??)\s*([^}\n]+?)\s*\}/y;

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): HoconObject {
    this.#take(blank);
    const root: HoconObject = { kind: 'object', members: new Map() };
    const isBraced = this.#text[this.#at] === '{';
    if (isBraced) this.#at++;
    this.#members(root, isBraced);
    this.#take(blank);
    if (this.#at < this.#text.length) throw this.#error(`unexpected ${JSON.stringify(this.#text[this.#at])}`);
    return root;
  }

  #error(message: string): FileFormatError {
    return new FileFormatError(`hocon: ${message}`, this.#at);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found === '' ? undefined : found;
  }

  #members(object: HoconObject, isBraced: boolean): void {
    if (++this.#depth > deepest) throw this.#error('objects nest too deeply');
    for (;;) {
      this.#take(blank);
      const next = this.#text[this.#at];
      if (next === undefined && !isBraced) break;
      if (next === undefined) throw this.#error("expected '}', found the end of the file");
      if (next === '}' && isBraced) {
        this.#at++;
        break;
      }
      this.#member(object);
    }
    this.#depth--;
  }

  #member(object: HoconObject): void {
    const start = this.#at;
    const path = this.#path();
    this.#take(/\s*/y);
    const sign = this.#take(/\+=|[:=]/y);
    if (sign === undefined && this.#text[this.#at] !== '{') throw this.#error("expected ':', '=' or '{' after a key");
    this.#take(/\s*/y);
    const node = this.#value();
    this.#put(object, path, sign === '+=' ? appended(object, path, node) : node, start);
  }

  #path(): string[] {
    const keys: string[] = [];
    for (;;) {
      const text = this.#take(quoted);
      if (text !== undefined) keys.push(unquoted(text));
      else {
        const found = this.#take(/[^\s"{}[\]:=,+#]+(?:[ \t]+[^\s"{}[\]:=,+#]+)*/y);
        if (found === undefined) throw this.#error('expected a key');
        keys.push(...found.split('.').filter((part) => part !== ''));
      }
      if (this.#text[this.#at] === '.') this.#at++;
      else if (this.#text[this.#at] !== '"') {
        if (keys.length === 0) throw this.#error('expected a key');
        return keys;
      }
    }
  }

  #put(object: HoconObject, path: readonly string[], node: HoconNode, start: number): void {
    let holder = object;
    for (const key of path.slice(0, -1)) {
      const known = holder.members.get(key)?.node;
      if (known?.kind === 'object') holder = known;
      else {
        const inner: HoconObject = { kind: 'object', members: new Map() };
        holder.members.set(key, { node: inner, start, end: this.#at });
        holder = inner;
      }
    }
    const key = path.at(-1)!;
    const known = holder.members.get(key);
    if (known?.node.kind === 'object' && node.kind === 'object')
      for (const [name, member] of node.members) this.#put(known.node, [name], member.node, member.start);
    else holder.members.set(key, { node, start, end: this.#at });
  }

  #value(): HoconNode {
    const start = this.#at;
    const parts: HoconNode[] = [];
    for (;;) {
      const space = this.#take(inline) ?? '';
      const part = this.#part();
      if (part === undefined) break;
      const last = parts.at(-1);
      if (space !== '' && last?.kind === 'text' && part.kind === 'text') parts.push({ kind: 'text', text: space });
      parts.push(part);
    }
    if (parts.length === 0) throw this.#error('expected a value');
    return parts.length === 1 ? parts[0]! : { kind: 'parts', parts, start };
  }

  #part(): HoconNode | undefined {
    const char = this.#text[this.#at];
    if (char === '{') {
      this.#at++;
      const object: HoconObject = { kind: 'object', members: new Map() };
      this.#members(object, true);
      return object;
    }
    if (char === '[') return this.#list();
    if (char === '$') return this.#reference();
    if (char === '"') {
      const text = this.#take(quoted);
      if (text === undefined) throw this.#error('a text in quotes does not end');
      return { kind: 'text', text: unquoted(text) };
    }
    if (char === '/' && this.#text[this.#at + 1] === '/') return undefined;
    const text = this.#take(bare);
    return text === undefined ? undefined : { kind: 'text', text };
  }

  #list(): HoconNode {
    if (++this.#depth > deepest) throw this.#error('lists nest too deeply');
    this.#at++;
    const items: HoconNode[] = [];
    for (;;) {
      this.#take(blank);
      if (this.#text[this.#at] === undefined) throw this.#error("expected ']', found the end of the file");
      if (this.#text[this.#at] === ']') break;
      items.push(this.#value());
    }
    this.#at++;
    this.#depth--;
    return { kind: 'list', items };
  }

  #reference(): HoconNode {
    const start = this.#at;
    reference.lastIndex = start;
    const found = reference.exec(this.#text);
    if (found === null) throw this.#error('expected a path in braces behind $');
    this.#at += found[0].length;
    const path = found[2]!.split('.').map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
    return { kind: 'reference', path, isOptional: found[1] === '?', start };
  }
}

/** `path += value` adds to the list that is known. */
function appended(object: HoconObject, path: readonly string[], node: HoconNode): HoconNode {
  let known: HoconNode | undefined = object;
  for (const key of path) known = known?.kind === 'object' ? known.members.get(key)?.node : undefined;
  return { kind: 'list', items: [...(known?.kind === 'list' ? known.items : []), node] };
}

function unquoted(text: string): string {
  if (text.startsWith('"""')) return text.slice(3, -3);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.slice(1, -1);
  }
}
