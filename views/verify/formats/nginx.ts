/** nginx's configuration: directives with parameters and blocks, without comments. */
import type { PlainObject, Value } from '../../../values/index.js';
import { FileFormatError, type Format } from './format.js';
import type { Marks } from './marks.js';

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const token =
  /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[{};]|#[^\n]*|(?:\\[\s\S]|\$\{[^}]*\}|[^\s;{}\\])(?:\\[\s\S]|\$\{[^}]*\}|[^\s;{\\])*/g;

export const nginx: Format = {
  parse(text, _context, marks) {
    const tokens: Token[] = [];
    for (const { 0: part, index } of text.matchAll(token))
      if (!part.startsWith('#')) tokens.push({ text: part, start: index, end: index + part.length });
    return new Reader(tokens, text.length, marks).block(undefined).value;
  },
};

/** Blocks nest no deeper. */
const deepest = 500;

class Reader {
  readonly #tokens: readonly Token[];
  readonly #length: number;
  readonly #marks: Marks | undefined;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], length: number, marks: Marks | undefined) {
    this.#tokens = tokens;
    this.#length = length;
    this.#marks = marks;
  }

  /** The directives up to the brace that closes the block; of the file up to its end. */
  block(name: string | undefined): { readonly value: PlainObject; readonly end: number } {
    if (++this.#depth > deepest) throw new FileFormatError('parse nginx: blocks nest too deeply', this.#length);
    const directives: Value[] = [];
    const value: PlainObject = { directives };
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next === undefined) {
        if (name !== undefined) throw new FileFormatError('parse nginx: unexpected eof in block', this.#length);
        return { value, end: this.#length };
      }
      if (next.text === '}') {
        this.#at++;
        this.#depth--;
        return { value, end: next.end };
      }
      if (next.text === ';' || next.text === '{') {
        if (next.text === '{')
          throw new FileFormatError("parse nginx: unexpected '{', a directive has a name", next.start);
        this.#at++;
        continue;
      }
      const { directive, end } = this.#directive(name);
      this.#marks?.at(directives, directives.length, next.start, end);
      directives.push(directive);
    }
  }

  #directive(around: string | undefined): { readonly directive: PlainObject; readonly end: number } {
    const { text: name, start } = this.#tokens[this.#at++]!;
    const parameters: Token[] = [];
    for (;;) {
      const next = this.#tokens[this.#at++];
      if (next === undefined || next.text === '}')
        throw new FileFormatError(
          `parse nginx: unexpected ${next === undefined ? 'eof' : "'}'"} in directive ${name}`,
          next?.start ?? this.#length,
        );
      if (next.text === ';')
        return { directive: this.#made(name, around, parameters, start, undefined), end: next.end };
      if (next.text === '{') {
        const { value, end } = this.block(name);
        return { directive: this.#made(name, around, parameters, start, value), end };
      }
      parameters.push(next);
    }
  }

  #made(
    name: string,
    around: string | undefined,
    found: Token[],
    start: number,
    block: PlainObject | undefined,
  ): PlainObject {
    const tokens = around === 'upstream' && name === 'server' ? serverOrder(found) : found;
    const parameters = tokens.map(({ text }) => text);
    for (const [i, { start: from, end }] of tokens.entries()) this.#marks?.at(parameters, i, from, end);
    const directive: PlainObject = {
      ...(block !== undefined && { block }),
      name,
      ...(parameters.length > 0 && { parameters }),
    };
    this.#marks?.at(directive, 'name', start, start + name.length);
    return directive;
  }
}

/** The address of an upstream's server, its values by name, its flags. */
function serverOrder([address, ...rest]: readonly Token[]): readonly Token[] {
  const isValue = ({ text }: Token) => text.includes('=');
  const byName = (a: Token, b: Token) => (a.text < b.text ? -1 : 1);
  const values = rest.filter(isValue).sort(byName);
  return [...(address === undefined ? [] : [address]), ...values, ...rest.filter((part) => !isValue(part))];
}
