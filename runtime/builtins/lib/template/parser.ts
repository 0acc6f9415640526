/** Parses templates in Go's `text/template` syntax. */
import { goQuote } from '../../../values/text/term-text.js';
import { GoFloat, GoInt, type GoValue } from '../go/values.js';
import { lexTemplate, TemplateSyntaxError, type Token } from './lexer.js';

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly pipe: Pipe }
  | { readonly kind: 'if' | 'with' | 'range'; readonly pipe: Pipe; readonly body: readonly Node[]; readonly otherwise: readonly Node[] }
  | { readonly kind: 'template'; readonly name: string; readonly pipe: Pipe | undefined; readonly at: number }
  | { readonly kind: 'break' | 'continue' };

export interface Pipe {
  readonly variables: readonly string[];
  /** `=` rather than `:=`. */
  readonly assigns: boolean;
  readonly commands: readonly Command[];
  readonly at: number;
}

export interface Command {
  readonly operands: readonly Operand[];
  readonly at: number;
}

export type Operand =
  | { readonly kind: 'function'; readonly name: string; readonly at: number }
  | { readonly kind: 'dot' | 'nil'; readonly at: number }
  | { readonly kind: 'fields'; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'variable'; readonly name: string; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'chain'; readonly of: Operand; readonly names: readonly string[]; readonly at: number }
  | { readonly kind: 'pipe'; readonly pipe: Pipe; readonly at: number }
  | { readonly kind: 'constant'; readonly value: GoValue; readonly text: string; readonly at: number };

export type Templates = ReadonlyMap<string, readonly Node[]>;

const maxDepth = 500;

/** The templates of a text by name, the text itself under `name`. Throws a TemplateSyntaxError. */
export function parseTemplate(name: string, source: string, functions: ReadonlySet<string>): Templates {
  return new Parser(name, lexTemplate(source), functions).parse();
}

type Ended = { readonly nodes: Node[]; readonly by: 'end' | 'else' | 'eof' };

class Parser {
  readonly #name: string;
  readonly #tokens: readonly Token[];
  readonly #functions: ReadonlySet<string>;
  readonly #templates = new Map<string, readonly Node[]>();
  #variables: string[] = ['$'];
  #i = 0;
  #ranges = 0;
  #depth = 0;

  constructor(name: string, tokens: readonly Token[], functions: ReadonlySet<string>) {
    this.#name = name;
    this.#tokens = tokens;
    this.#functions = functions;
  }

  parse(): Templates {
    const nodes: Node[] = [];
    while (this.#peek().kind !== 'end') {
      if (this.#atDefine()) this.#define();
      else {
        const node = this.#node();
        if (node === 'end' || node === 'else') throw this.#error(`unexpected {{${node}}}`);
        if (node !== undefined) nodes.push(node);
      }
    }
    this.#add(this.#name, nodes);
    return this.#templates;
  }

  #add(name: string, nodes: readonly Node[]): void {
    const isEmpty = nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
    const known = this.#templates.get(name);
    // An empty definition does not replace one that says something.
    if (known === undefined || !isEmpty) this.#templates.set(name, nodes);
  }

  #peek(): Token {
    return this.#tokens[this.#i]!;
  }

  #next(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#i++;
    return token;
  }

  #skipSpace(): void {
    while (this.#peek().kind === 'space') this.#i++;
  }

  #error(message: string, token = this.#peek()): TemplateSyntaxError {
    return new TemplateSyntaxError(message, token.at);
  }

  #unexpected(token: Token, context: string): TemplateSyntaxError {
    const text = token.text.length > 10 ? `${goQuote(token.text.slice(0, 10))}...` : goQuote(token.text);
    const shown = token.kind === 'end' ? 'EOF' : marked.has(token.kind) ? `<${token.text}>` : text;
    return this.#error(`unexpected ${shown} in ${context}`, token);
  }

  #atDefine(): boolean {
    if (this.#peek().kind !== 'open') return false;
    let i = this.#i + 1;
    while (this.#tokens[i]?.kind === 'space') i++;
    return this.#tokens[i]?.kind === 'keyword' && this.#tokens[i]?.text === 'define';
  }

  #define(): void {
    this.#next();
    this.#skipSpace();
    this.#next();
    this.#skipSpace();
    const token = this.#next();
    if (token.kind !== 'string') throw this.#unexpected(token, 'define clause');
    const name = unquote(token.text) ?? '';
    this.#close('define clause');
    const outer = this.#variables;
    const ranges = this.#ranges;
    this.#variables = ['$'];
    this.#ranges = 0;
    const { nodes, by } = this.#list();
    if (by !== 'end') throw by === 'eof' ? this.#error('unexpected EOF') : this.#error('unexpected {{else}} in define clause');
    this.#variables = outer;
    this.#ranges = ranges;
    this.#add(name, nodes);
  }

  #close(context: string): void {
    this.#skipSpace();
    const token = this.#next();
    if (token.kind !== 'close') throw this.#unexpected(token, context);
  }

  /** Nodes up to an end or else. */
  #list(): Ended {
    if (++this.#depth > maxDepth) throw this.#error('template nests too deeply');
    const nodes: Node[] = [];
    while (this.#peek().kind !== 'end') {
      const node = this.#node();
      if (node === 'end' || node === 'else') {
        this.#depth--;
        return { nodes, by: node };
      }
      if (node !== undefined) nodes.push(node);
    }
    throw this.#error('unexpected EOF');
  }

  #node(): Node | 'end' | 'else' | undefined {
    const token = this.#next();
    if (token.kind === 'text') return { kind: 'text', text: token.text };
    if (token.kind !== 'open') throw this.#unexpected(token, 'input');
    this.#skipSpace();
    const first = this.#peek();
    if (first.kind !== 'keyword') return { kind: 'action', pipe: this.#pipe('command', 'close') };
    this.#next();
    return this.#keyword(first);
  }

  #keyword(token: Token): Node | 'end' | 'else' {
    switch (token.text) {
      case 'if':
      case 'with':
      case 'range':
        return this.#control(token.text);
      case 'end':
        this.#close('end');
        return 'end';
      case 'else':
        return this.#else();
      case 'template':
        return this.#template();
      case 'block':
        return this.#block();
      case 'break':
      case 'continue':
        this.#close(`{{${token.text}}}`);
        if (this.#ranges === 0) throw this.#error(`{{${token.text}}} outside {{range}}`, token);
        return { kind: token.text };
      default:
        throw this.#unexpected(token, 'command');
    }
  }

  /** `else`, and where `if` or `with` follows, leaves that for the chain to read. */
  #else(): 'else' {
    this.#skipSpace();
    const token = this.#peek();
    if (token.kind === 'keyword' && (token.text === 'if' || token.text === 'with')) return 'else';
    this.#close('else');
    return 'else';
  }

  #control(kind: 'if' | 'with' | 'range'): Node {
    const variables = this.#variables.length;
    const pipe = this.#pipe(kind, 'close');
    if (kind === 'range') this.#ranges++;
    const { nodes: body, by } = this.#list();
    if (kind === 'range') this.#ranges--;
    let otherwise: readonly Node[] = [];
    if (by === 'else') otherwise = this.#otherwise(kind);
    this.#variables.length = variables;
    return { kind, pipe, body, otherwise };
  }

  #otherwise(kind: string): readonly Node[] {
    const token = this.#peek();
    if (token.kind === 'keyword') {
      // The chained clause reads up to the one end that closes all.
      if (token.text !== kind) throw this.#unexpected(token, 'else');
      this.#next();
      if (++this.#depth > maxDepth) throw this.#error('template nests too deeply');
      const chained = this.#control(token.text as 'if' | 'with');
      this.#depth--;
      return [chained];
    }
    const { nodes, by } = this.#list();
    if (by !== 'end') throw this.#error('expected end; found {{else}}');
    return nodes;
  }

  #template(): Node {
    this.#skipSpace();
    const token = this.#next();
    if (token.kind !== 'string') throw this.#unexpected(token, 'template clause');
    return { kind: 'template', name: unquote(token.text) ?? '', pipe: this.#optionalPipe('template clause'), at: token.at };
  }

  #optionalPipe(context: string): Pipe | undefined {
    this.#skipSpace();
    if (this.#peek().kind !== 'close') return this.#pipe(context, 'close');
    this.#next();
    return undefined;
  }

  #block(): Node {
    this.#skipSpace();
    const token = this.#next();
    if (token.kind !== 'string') throw this.#unexpected(token, 'block clause');
    const pipe = this.#pipe('block clause', 'close');
    const outer = this.#variables;
    this.#variables = ['$'];
    const { nodes, by } = this.#list();
    if (by !== 'end') throw this.#error('unexpected {{else}} in block clause');
    this.#variables = outer;
    const name = unquote(token.text) ?? '';
    this.#add(name, nodes);
    return { kind: 'template', name, pipe, at: token.at };
  }

  /** A pipeline, up to and with what ends it. */
  #pipe(context: string, end: 'close' | ')'): Pipe {
    if (++this.#depth > maxDepth) throw this.#error('template nests too deeply');
    this.#skipSpace();
    const at = this.#peek().at;
    const { variables, assigns } = this.#declarations(context);
    const commands: Command[] = [];
    for (;;) {
      this.#skipSpace();
      const token = this.#peek();
      if (token.kind === end) {
        this.#next();
        break;
      }
      if (token.kind === 'pipe' || !startsOperand(token)) throw this.#unexpected(token, context);
      commands.push(this.#command());
    }
    this.#checkPipe(commands, context);
    this.#depth--;
    return { variables, assigns, commands, at };
  }

  #checkPipe(commands: readonly Command[], context: string): void {
    if (commands.length === 0) throw this.#error(`missing value for ${context}`);
    commands.slice(1).forEach(({ operands }, i) => {
      const kind = operands[0]!.kind;
      if (kind === 'constant' || kind === 'dot' || kind === 'nil') throw this.#error(`non executable command in pipeline stage ${i + 2}`);
    });
  }

  #declarations(context: string): { variables: readonly string[]; assigns: boolean } {
    const start = this.#i;
    const variables: string[] = [];
    for (;;) {
      this.#skipSpace();
      const token = this.#peek();
      if (token.kind !== 'variable') break;
      this.#next();
      this.#skipSpace();
      const after = this.#peek();
      if (after.kind === 'declare' || after.kind === 'assign') {
        this.#next();
        variables.push(token.text);
        const assigns = after.kind === 'assign';
        if (!assigns) this.#variables.push(...variables);
        return { variables, assigns };
      }
      if (after.kind !== 'comma') break;
      if (context !== 'range' || variables.length > 0) throw this.#error(`too many declarations in ${context}`);
      this.#next();
      variables.push(token.text);
    }
    this.#i = start;
    return { variables: [], assigns: false };
  }

  #checkVariable(name: string, token: Token): void {
    if (!this.#variables.includes(name)) throw this.#error(`undefined variable ${goQuote(name)}`, token);
  }

  #command(): Command {
    const at = this.#peek().at;
    const operands: Operand[] = [];
    for (;;) {
      this.#skipSpace();
      const token = this.#peek();
      if (startsOperand(token)) {
        operands.push(this.#operand());
        const after = this.#peek();
        if (after.kind === 'space') continue;
        if (after.kind === 'pipe') {
          this.#next();
          this.#skipSpace();
          if (!startsOperand(this.#peek())) throw this.#error('missing value for command');
          break;
        }
        if (after.kind === 'close' || after.kind === ')') break;
        throw this.#unexpected(after, 'operand');
      }
      if (token.kind === 'pipe') {
        this.#next();
        this.#skipSpace();
        if (!startsOperand(this.#peek())) throw this.#error('missing value for command');
        break;
      }
      if (token.kind === 'close' || token.kind === ')') break;
      throw this.#unexpected(token, 'operand');
    }
    if (operands.length === 0) throw this.#error('empty command');
    return { operands, at };
  }

  #operand(): Operand {
    const of = this.#term();
    const names: string[] = [];
    while (this.#peek().kind === 'field') names.push(this.#next().text.slice(1));
    if (names.length === 0) return of;
    if (of.kind === 'fields' || of.kind === 'variable') return { ...of, names: [...of.names, ...names] };
    if (of.kind === 'constant' || of.kind === 'nil' || of.kind === 'dot') {
      throw this.#error(`unexpected . after term ${goQuote(of.kind === 'constant' ? of.text : of.kind === 'nil' ? 'nil' : '.')}`);
    }
    return { kind: 'chain', of, names, at: of.at };
  }

  #term(): Operand {
    const token = this.#next();
    const { text, at } = token;
    switch (token.kind) {
      case 'name':
        if (!this.#functions.has(text)) throw this.#error(`function ${goQuote(text)} not defined`, token);
        return { kind: 'function', name: text, at };
      case 'dot':
      case 'nil':
        return { kind: token.kind, at };
      case 'variable':
        this.#checkVariable(text, token);
        return { kind: 'variable', name: text, names: [], at };
      case 'field':
        return { kind: 'fields', names: [text.slice(1)], at };
      case 'bool':
        return { kind: 'constant', value: text === 'true', text, at };
      case 'number':
      case 'char':
        return { kind: 'constant', value: this.#number(token), text, at };
      case 'string': {
        const value = unquote(text);
        if (value === undefined) throw this.#error('invalid syntax', token);
        return { kind: 'constant', value, text, at };
      }
      default:
        return { kind: 'pipe', pipe: this.#pipe('parenthesized pipeline', ')'), at };
    }
  }

  #number(token: Token): GoValue {
    if (token.kind === 'char') {
      const character = unquote(token.text);
      if (character === undefined || Array.from(character).length !== 1)
        throw this.#error(`malformed character constant: ${token.text}`, token);
      return new GoInt(BigInt(character.codePointAt(0)!), 'int');
    }
    const text = token.text.replaceAll('_', '');
    const [, sign, digits] = /^([+-]?)(.*)$/.exec(text)!;
    if (/^0[0-7]+$/.test(digits!)) return signed(BigInt(`0o${digits!.slice(1)}`), sign!);
    if (/^(?:\d+|0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+)$/.test(digits!)) {
      const value = signed(BigInt(digits!), sign!);
      if (value.value > 0x7fffffffffffffffn || value.value < -0x8000000000000000n)
        throw this.#error(`integer overflow: ${goQuote(text)}`, token);
      return value;
    }
    const float = Number(text);
    if (!/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits!) || !Number.isFinite(float)) {
      throw this.#error(`illegal number syntax: ${goQuote(token.text)}`, token);
    }
    return new GoFloat(float);
  }
}

function signed(value: bigint, sign: string): GoInt {
  return new GoInt(sign === '-' ? -value : value, 'int');
}

/** Kinds that complaints show in angle brackets. */
const marked: ReadonlySet<string> = new Set(['keyword', 'dot', 'nil']);

const operandKinds: ReadonlySet<string> = new Set(['name', 'dot', 'nil', 'variable', 'field', 'bool', 'number', 'char', 'string', '(']);

function startsOperand(token: Token): boolean {
  return operandKinds.has(token.kind);
}

const escapes: { readonly [letter: string]: string } = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
const escaped = /\\(?:([abfnrtv\\'"])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.|$))/gs;

/** The string of a Go literal, undefined where it has an escape that Go does not know. */
function unquote(literal: string): string | undefined {
  const inner = literal.slice(1, -1);
  if (literal[0] === '`') return inner.replaceAll('\r', '');
  if (!inner.includes('\\')) return inner;
  let valid = true;
  const text = inner.replace(escaped, (_all, named, byte, short, long, octal, other) => {
    if (named !== undefined) return escapes[named]!;
    if (other !== undefined) {
      valid = false;
      return '';
    }
    const code = octal === undefined ? Number.parseInt(byte ?? short ?? long, 16) : Number.parseInt(octal, 8);
    if (code > 0x10ffff) {
      valid = false;
      return '';
    }
    const isByte = byte !== undefined || octal !== undefined;
    return String.fromCodePoint(isByte && code >= 0x80 ? 0xdc00 + code : code);
  });
  return valid ? text : undefined;
}
