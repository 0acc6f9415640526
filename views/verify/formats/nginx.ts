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
  /[\w$]*_by_lua_block\b[^;{}#"'`]*\{|`[^`]*`|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[{};]|#[^\n]*|(?:\\[\s\S]|\$\{[^}]*\}|[^\s;{}\\])(?:\\[\s\S]|\$\{[^}]*\}|[^\s;{\\])*/g;

export const nginx: Format = {
  parse(text, _context, marks) {
    const tokens: Token[] = [];
    const words = new RegExp(token);
    for (let found = words.exec(text); found !== null; found = words.exec(text)) {
      const { 0: part, index } = found;
      if (part.startsWith('#')) continue;
      if (/^["'`]/.test(part) && (part.length === 1 || part.at(-1) !== part[0]))
        throw new FileFormatError('parse nginx: unexpected end of file in a text: a quote is not closed', index);
      const isLua = part.length > 1 && part.endsWith('{');
      const word = isLua ? /^\S+?(?=[\s{])/.exec(part)![0] : part;
      tokens.push({ text: word, start: index, end: index + word.length });
      if (isLua) words.lastIndex = addLua(tokens, text, words.lastIndex);
    }
    return new Reader(tokens, text.length, marks).block(undefined).value;
  },
};

/** Adds the braces around a program in Lua, and passes over it; answers where it ends. */
function addLua(tokens: Token[], text: string, start: number): number {
  const parts = /[{}]|#[^\n]*/g;
  parts.lastIndex = start;
  tokens.push({ text: '{', start: start - 1, end: start });
  let depth = 1;
  for (let found = parts.exec(text); found !== null; found = parts.exec(text)) {
    if (found[0] === '{') depth++;
    else if (found[0] === '}' && --depth === 0) {
      tokens.push({ text: '}', start: found.index, end: found.index + 1 });
      return found.index + 1;
    }
  }
  throw new FileFormatError('parse nginx: unexpected end of file in a program in Lua', start);
}

/** Blocks nest no deeper. */
const deepest = 500;

interface Directive {
  readonly directive: PlainObject;
  readonly start: number;
  readonly end: number;
}

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
    const found: Directive[] = [];
    for (;;) {
      const next = this.#tokens[this.#at];
      if (next === undefined) {
        if (name !== undefined) throw new FileFormatError('parse nginx: unexpected eof in block', this.#length);
        return { value: this.#listed(name, found), end: this.#length };
      }
      if (next.text === '}') {
        this.#at++;
        this.#depth--;
        return { value: this.#listed(name, found), end: next.end };
      }
      if (next.text === ';' || next.text === '{') {
        if (next.text === '{')
          throw new FileFormatError("parse nginx: unexpected '{', a directive has a name", next.start);
        this.#at++;
        continue;
      }
      found.push({ ...this.#directive(name), start: next.start });
    }
  }

  /** As in the reference, the servers of `http` and `upstream` come last. */
  #listed(name: string | undefined, found: readonly Directive[]): PlainObject {
    const isLast = ({ directive }: Directive) =>
      directive.name === 'server' && (name === 'upstream' || (name === 'http' && directive.block !== undefined));
    const sorted = [...found.filter((each) => !isLast(each)), ...found.filter(isLast)];
    const directives: Value[] = sorted.map(({ directive }) => directive);
    for (const [i, { start, end }] of sorted.entries()) this.#marks?.at(directives, i, start, end);
    return { directives };
  }

  #directive(around: string | undefined): Omit<Directive, 'start'> {
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
    const wrong = countProblem(name, found.length, block !== undefined);
    if (wrong !== undefined) throw new FileFormatError(`parse nginx: ${wrong}`, start);
    const tokens = parametersOf(name, around, found, block !== undefined);
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

/** The complaint about the number of parameters of a directive. */
function countProblem(name: string, count: number, hasBlock: boolean): string | undefined {
  if (name === 'include' && count !== 1) return `include directive requires exactly 1 parameter, got ${count}`;
  if (!hasBlock) return undefined;
  if (name === 'upstream' && count === 0) return 'upstream directive requires a name parameter';
  if (name !== 'location' || count === 1 || count === 2) return undefined;
  return count === 0 ? 'not enough parameters for location directive' : 'too many arguments for location directive';
}

/** The parameters that the reference keeps. */
function parametersOf(
  name: string,
  around: string | undefined,
  found: readonly Token[],
  hasBlock: boolean,
): readonly Token[] {
  if (around === 'upstream' && name === 'server') return serverOrder(found);
  if (!hasBlock) return found;
  if (name === 'upstream') return found.slice(0, 1);
  return name === 'http' || name === 'server' || name.endsWith('_by_lua_block') ? [] : found;
}

/** The address of an upstream's server, its values by name, its flags. */
function serverOrder([address, ...rest]: readonly Token[]): readonly Token[] {
  const isValue = ({ text }: Token) => text.includes('=');
  const byName = (a: Token, b: Token) => (a.text < b.text ? -1 : 1);
  const values = rest.filter(isValue).sort(byName);
  return [...(address === undefined ? [] : [address]), ...values, ...rest.filter((part) => !isValue(part))];
}
