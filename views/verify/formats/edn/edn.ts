/** EDN: maps and lists; every other value is the text that the reference prints for it. */

import { type PlainObject, setOwn, type Value } from '../../../../values/index.js';
import { FileFormatError, type Format } from '../format.js';
import type { Marks } from '../marks.js';
import type { EdnNode } from './edn-node.js';
import { ednText } from './edn-text.js';

export const edn: Format = {
  parse(text, _context, marks) {
    const reader = new Reader(text);
    return valueIn(reader.document(), marks);
  },
};

function valueIn(node: EdnNode, marks: Marks | undefined): Value {
  if (node.kind === 'list') {
    const values = node.items.map((item) => valueIn(item, marks));
    for (const [i, { start, end }] of node.items.entries()) marks?.at(values, i, start, end);
    return values;
  }
  if (node.kind !== 'map') return ednText(node);
  const object: PlainObject = {};
  for (const [key, value] of node.pairs) {
    const name = ednText(key);
    setOwn(object, name, valueIn(value, marks));
    marks?.at(object, name, key.start, value.end);
  }
  return object;
}

const space = /(?:[\s,]+|;[^\n]*)+/y;
const word = /(?:\\(?:[a-zA-Z]+|u[0-9a-fA-F]{4}|[^\s])|[^\s,;"()[\]{}\\]+)/y;
const quoted = /"(?:[^"\\]|\\[\s\S])*"/y;
const deepest = 1000;

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): EdnNode {
    this.#skip();
    if (this.#at >= this.#text.length) throw this.#error('EOF');
    return this.#node();
  }

  #error(message: string): FileFormatError {
    return new FileFormatError(`unmarshal EDN: ${message}`, Math.min(this.#at, this.#text.length));
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  /** White space, comments, and values behind `#_`. */
  #skip(): void {
    for (;;) {
      this.#match(space);
      if (!this.#text.startsWith('#_', this.#at)) return;
      this.#at += 2;
      this.#node();
    }
  }

  #node(): EdnNode {
    if (++this.#depth > deepest) throw this.#error('values nest too deeply');
    const node = this.#nodeHere();
    this.#depth--;
    return node;
  }

  #nodeHere(): EdnNode {
    this.#skip();
    const start = this.#at;
    const char = this.#text[start];
    if (char === undefined) throw this.#error('No more tokens to read');
    if (char === '(' || char === '[') return this.#items('list', char === '(' ? ')' : ']', start);
    if (char === '{') return this.#map(start);
    if (this.#text.startsWith('#{', start)) return this.#items('set', '}', start, 2);
    if (char === '"') {
      const found = this.#match(quoted);
      if (found === undefined) throw this.#error('No more tokens to read');
      return { kind: 'text', text: unescaped(found.slice(1, -1)), start, end: this.#at };
    }
    if (char === ')' || char === ']' || char === '}') throw this.#error(`Unexpected ${char}`);
    if (char === '#' && /[a-zA-Z]/.test(this.#text[start + 1] ?? '')) {
      this.#at++;
      const tag = this.#match(word)!;
      return { kind: 'tagged', tag, item: this.#node(), start, end: this.#at };
    }
    const found = this.#match(word);
    if (found === undefined) throw this.#error(`unexpected character ${char}`);
    return { kind: 'word', text: found, start, end: this.#at };
  }

  #items(kind: 'list' | 'set', close: string, start: number, width = 1): EdnNode {
    const items = this.#until(close, width);
    return { kind, items, start, end: this.#at };
  }

  #map(start: number): EdnNode {
    const items = this.#until('}', 1);
    if (items.length % 2 === 1) throw this.#error('Unexpected end of map, a key has no value');
    const pairs = items.flatMap((key, i) => (i % 2 === 0 ? [[key, items[i + 1]!] as const] : []));
    return { kind: 'map', pairs, start, end: this.#at };
  }

  #until(close: string, width: number): EdnNode[] {
    this.#at += width;
    const items: EdnNode[] = [];
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] === close) {
        this.#at++;
        return items;
      }
      items.push(this.#node());
    }
  }
}

const escapes: Readonly<Record<string, string>> = { t: '\t', r: '\r', n: '\n', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_all, code, char) =>
    code === undefined ? (escapes[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
