/** Reads expressions of HCL2. */
import { FileFormatError } from '../format.js';
import { type HclItem, type HclNode, type HclRange, identifier } from './hcl-node.js';
import { readTemplate } from './hcl-template.js';

const deepest = 400;
const blanks = /(?:[ \t\ufeff]|\r(?=\n)|\/\*[\s\S]*?\*\/)+/y;
const lines = /(?:\s|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const comment = /(?:#|\/\/)[^\n]*/y;
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const heredoc = /<<(-?)([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;

/** Binary operators by precedence, the weakest first. */
const operators: readonly RegExp[] = [/\|\|/y, /&&/y, /==|!=/y, /<=|>=|<|>/y, /\+|-/y, /\*|\/(?![/*])|%(?!\{)/y];

export class HclReader {
  readonly text: string;
  at: number;
  /** Inside of brackets line ends are spaces. */
  #open = 0;
  #depth = 0;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** @param at the place, if it is not where the reader stands */
  error(message: string, at = this.at): FileFormatError {
    return new FileFormatError(`convert to bytes: parse config: ${message}`, Math.min(at, this.text.length));
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** White space and comments; line ends too, where they mean nothing. */
  skip(isOpen = this.#open > 0): void {
    if (isOpen) this.match(lines);
    else {
      this.match(blanks);
      this.match(comment);
    }
  }

  /** Whether a text comes next, after white space; takes it then. */
  take(text: string): boolean {
    this.skip();
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  expect(text: string, where: string): void {
    if (!this.take(text)) throw this.error(`expected ${JSON.stringify(text)} ${where}`);
  }

  /** Reads with line ends as spaces. */
  within<T>(read: () => T): T {
    this.#open++;
    try {
      return read();
    } finally {
      this.#open--;
    }
  }

  /** Reads a level deeper. Throws a FileFormatError where that is too deep. */
  nested<T>(read: () => T): T {
    if (++this.#depth > deepest) throw this.error('expressions nest too deeply');
    const found = read();
    this.#depth--;
    return found;
  }

  expression(): HclNode {
    return this.nested(() => {
      this.skip();
      const condition = this.#binary(0);
      return this.#takeQuestion() ? this.#conditional(condition) : condition;
    });
  }

  #conditional(condition: HclNode): HclNode {
    const yes = this.expression();
    this.expect(':', 'in a conditional expression');
    const no = this.expression();
    return { kind: 'conditional', condition, yes, no, start: condition.start, end: no.end };
  }

  #takeQuestion(): boolean {
    return this.#ahead(() => this.take('?'));
  }

  /** Stands where it stood if nothing is found. */
  #ahead(read: () => boolean): boolean {
    const { at } = this;
    if (read()) return true;
    this.at = at;
    return false;
  }

  #binary(level: number): HclNode {
    const pattern = operators[level];
    if (pattern === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    const next = () => {
      this.skip();
      return this.match(pattern) !== undefined;
    };
    while (this.#ahead(next)) {
      this.skip();
      const right = this.#binary(level + 1);
      left = { kind: 'other', start: left.start, end: right.end };
    }
    return left;
  }

  #unary(): HclNode {
    const start = this.at;
    const operator = this.match(/-|!(?!=)/y) as '-' | '!' | undefined;
    if (operator === undefined) return this.#traversed();
    const operand = this.nested(() => {
      this.skip();
      return this.#unary();
    });
    return { kind: 'unary', operator, operand, start, end: operand.end };
  }

  /** A term with what stands behind it: `.name`, `[key]`, `.*`. */
  #traversed(): HclNode {
    let node = this.#term();
    for (;;) {
      const { at } = this;
      this.skip();
      if (this.text[this.at] === '.' && !this.text.startsWith('...', this.at)) {
        this.at++;
        this.skip();
        if (this.match(/\*|\d+/y) === undefined && this.match(identifier) === undefined)
          throw this.error("expected a name, a number or '*' behind '.'");
      } else if (this.text[this.at] === '[') {
        this.at++;
        this.within(() => {
          this.skip();
          if (this.match(/\*(?=\s*\])/y) === undefined) this.expression();
          this.expect(']', 'behind an index');
        });
      } else {
        this.at = at;
        return node;
      }
      node = { kind: node.kind === 'name' ? 'name' : 'other', start: node.start, end: this.at };
    }
  }

  #term(): HclNode {
    const start = this.at;
    const char = this.text[start];
    if (char === '"') return this.#quoted(start);
    if (char === '(') return this.#parenthesized(start);
    if (char === '[') return this.#tuple(start);
    if (char === '{') return this.#object(start);
    if (char === '<') return this.#heredoc(start);
    const digits = this.match(number);
    if (digits !== undefined) return { kind: 'literal', value: Number(digits), start, end: this.at };
    const name = this.match(identifier);
    if (name === undefined)
      throw this.error(
        'Invalid expression; Expected the start of an expression, but found an invalid expression token.',
      );
    return this.#named(name, start);
  }

  #named(name: string, start: number): HclNode {
    const end = this.at;
    if (name === 'true' || name === 'false') return { kind: 'literal', value: name === 'true', start, end };
    if (name === 'null') return { kind: 'literal', value: null, start, end };
    while (this.match(/::/y) !== undefined) this.match(identifier);
    if (!this.#ahead(() => this.take('('))) return { kind: 'name', start, end: this.at };
    this.within(() => {
      while (!this.take(')')) {
        this.expression();
        this.take('...');
        if (this.take(')')) break;
        this.expect(',', 'between arguments');
      }
    });
    return { kind: 'other', start, end: this.at };
  }

  #parenthesized(start: number): HclNode {
    this.at++;
    this.within(() => {
      this.expression();
      this.expect(')', 'behind an expression');
    });
    return { kind: 'other', start, end: this.at };
  }

  #tuple(start: number): HclNode {
    this.at++;
    return this.within(() => {
      if (this.#isLoop()) return this.#loop(']', start);
      const items: HclNode[] = [];
      while (!this.take(']')) {
        items.push(this.expression());
        if (this.take(']')) break;
        this.expect(',', 'between the items of a list');
      }
      return { kind: 'tuple', items, start, end: this.at };
    });
  }

  #isLoop(): boolean {
    this.skip();
    return /for(?![\p{ID_Continue}-])\s+[\p{ID_Start}_]/uy.test(this.text.slice(this.at, this.at + 200));
  }

  /** `for … in … : … if …`: its text counts alone. */
  #loop(close: string, start: number): HclNode {
    this.at += 'for'.length;
    this.skip();
    this.match(identifier);
    if (this.take(',')) {
      this.skip();
      this.match(identifier);
    }
    this.expect('in', 'in a for expression');
    this.expression();
    this.expect(':', 'in a for expression');
    this.expression();
    if (this.take('=>')) this.expression();
    this.take('...');
    if (this.take('if')) this.expression();
    this.expect(close, 'behind a for expression');
    return { kind: 'other', start, end: this.at };
  }

  #object(start: number): HclNode {
    this.at++;
    if (this.within(() => this.#isLoop())) return this.within(() => this.#loop('}', start));
    const open = this.#open;
    this.#open = 0;
    const items: HclItem[] = [];
    for (;;) {
      this.skip(true);
      if (this.take('}')) break;
      items.push(this.#item());
      const { at } = this;
      this.skip(true);
      const isSeparated = this.text.slice(at, this.at).includes('\n');
      if (!this.take(',') && !isSeparated && this.text[this.at] !== '}')
        throw this.error("expected a line end, ',' or '}' behind a member of an object");
    }
    this.#open = open;
    return { kind: 'object', items, start, end: this.at };
  }

  #item(): HclItem {
    const key = this.expression();
    if (!this.take('=') && !this.take(':')) throw this.error("expected '=' or ':' behind the key of an object");
    const value = this.expression();
    return { key, value, start: key.start, end: value.end };
  }

  #quoted(start: number): HclNode {
    this.at++;
    const parts = readTemplate(this, 'quoted', () => this.text[this.at] === '"');
    this.at++;
    return templateNode(parts, { start, end: this.at });
  }

  #heredoc(start: number): HclNode {
    heredoc.lastIndex = start;
    const found = heredoc.exec(this.text);
    if (found === null) throw this.error('expected a name and a line end behind <<');
    this.at += found[0].length;
    const isFlush = found[1] === '-';
    const end = new RegExp(`[ \\t]*${found[2]}[ \\t]*(?=\\r?\\n|$)`, 'y');
    const isEnd = (): boolean => {
      if (this.text[this.at - 1] !== '\n') return false;
      end.lastIndex = this.at;
      return end.test(this.text);
    };
    const parts = readTemplate(this, isFlush ? 'flush' : 'heredoc', isEnd);
    this.match(end);
    return templateNode(parts, { start, end: this.at });
  }
}

function templateNode(parts: readonly (string | HclNode)[], { start, end }: HclRange): HclNode {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'object' && only.kind !== 'loop' && only.kind !== 'template')
    return { kind: 'wrap', inner: only, start, end };
  return { kind: 'template', parts, start, end };
}
