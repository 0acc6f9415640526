/**
 * Java properties: texts as they are written. References `${name}` to other names and to the
 * environment must make sense, and stay.
 */
import { type Node, parseLines } from 'dot-properties';
import { type PlainObject, setOwn } from '../../../values/index.js';
import { environmentText, FileFormatError, type Format } from './format.js';

export const properties: Format = {
  parse(text, _context, marks) {
    const written = new Map<string, { readonly text: string; readonly start: number }>();
    const values: PlainObject = {};
    for (const node of parseLines(text, true)) {
      if (!isPair(node)) continue;
      const [start, , , end] = node.range;
      // An even number of backslashes before is a text of its own.
      if (/(?<!\\)(?:\\\\)*\\u(?![0-9a-fA-F]{4})/.test(text.slice(start, end)))
        throw new FileFormatError('parse properties file: invalid unicode literal', start);
      if (node.key === '') throw new FileFormatError('parse properties file: a key is missing', start);
      written.set(node.key, { text: node.value, start });
      marks?.at(values, node.key, start, end);
    }
    const known = new Map([...written].map(([key, { text: value }]) => [key, value]));
    const expansion = new Expansion(known);
    for (const [key, { text: value, start }] of written) {
      expansion.check(key, start);
      setOwn(values, key, value);
    }
    return values;
  },
};

interface PairNode extends Node {
  readonly key: string;
  readonly value: string;
  readonly range: [number, number, number, number];
}

function isPair(node: Node): node is PairNode {
  return node.type === 'PAIR';
}

/** The most characters of a value with references: each may double it. */
const longest = 1_000_000;

/** References that one file may have, each as often as it is replaced. */
const mostReferences = 200_000;

/** The most references that lead to one value. */
const deepest = 1000;

/** Replaces references, to find those that make no sense. */
class Expansion {
  readonly #known: ReadonlyMap<string, string>;
  #left = mostReferences;

  constructor(known: ReadonlyMap<string, string>) {
    this.#known = known;
  }

  /** Throws a FileFormatError for a name whose value cannot be replaced. */
  check(key: string, start: number): void {
    this.#expanded(this.#known.get(key)!, [key], start);
  }

  #expanded(value: string, keys: readonly string[], start: number): string {
    let result = '';
    let rest = value;
    for (;;) {
      const open = rest.indexOf('${');
      if (open < 0) return result + rest;
      const close = rest.indexOf('}', open);
      if (close < 0) throw new FileFormatError('parse properties file: malformed expression', start);
      const key = rest.slice(open + 2, close);
      if (keys.includes(key)) throw circular(keys, this.#known, start);
      const inner = this.#known.get(key) ?? environmentText(key) ?? '';
      if (this.#left-- === 0 || keys.length > deepest)
        throw new FileFormatError('parse properties file: too many references', start);
      result += rest.slice(0, open) + this.#expanded(inner, [...keys, key], start);
      rest = rest.slice(close + 1);
      if (result.length > longest) throw new FileFormatError('parse properties file: the value is too long', start);
    }
  }
}

function circular(keys: readonly string[], known: ReadonlyMap<string, string>, start: number): FileFormatError {
  const lines = keys.map((key) => `${key}=${known.get(key)}\n`).join('');
  return new FileFormatError(`parse properties file: circular reference in:\n${lines}`, start);
}
