/** Parses templates in Go's `text/template` syntax. */
import { goQuote } from '../../../values/text/term-text.js';
import { lexTemplate, TemplateSyntaxError, type Token } from './lexer.js';
import { constantOf, unquote } from './literals.js';
import type { Command, Node, Operand, Pipe } from './nodes.js';

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

  /** A pipeline with its closing token. */
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

  /** Operands with spaces between them, up to a pipe, which is read, or the end of the pipeline. */
  #command(): Command {
    const at = this.#peek().at;
    const operands: Operand[] = [];
    while (startsOperand(this.#peek())) {
      operands.push(this.#operand());
      if (this.#peek().kind !== 'space') break;
      this.#skipSpace();
    }
    const { kind } = this.#peek();
    if (kind === 'pipe') {
      this.#next();
      this.#skipSpace();
      if (!startsOperand(this.#peek())) throw this.#error('missing value for command');
    } else if (kind !== 'close' && kind !== ')') throw this.#unexpected(this.#peek(), 'operand');
    return { operands, at };
  }

  /** A term and the fields that are taken of it: `$x.a.b`. */
  #operand(): Operand {
    const term = this.#term();
    const fields: string[] = [];
    while (this.#peek().kind === 'field') fields.push(fieldOf(this.#next()));
    if (fields.length === 0) return term;
    if ('names' in term && term.kind !== 'chain') return { ...term, names: [...term.names, ...fields] };
    if (term.kind === 'function' || term.kind === 'pipe') return { kind: 'chain', of: term, names: fields, at: term.at };
    const text = { dot: '.', nil: 'nil', constant: 'text' in term ? term.text : '', chain: '' }[term.kind];
    throw this.#error(`unexpected . after term ${goQuote(text)}`);
  }

  #term(): Operand {
    const token = this.#next();
    const { kind, text, at } = token;
    if (kind === '(') return { kind: 'pipe', pipe: this.#pipe('parenthesized pipeline', ')'), at };
    if (kind === 'dot' || kind === 'nil') return { kind, at };
    if (kind === 'field') return { kind: 'fields', names: [fieldOf(token)], at };
    if (kind === 'variable') {
      this.#checkVariable(text, token);
      return { kind, name: text, names: [], at };
    }
    if (kind === 'name') {
      if (!this.#functions.has(text)) throw this.#error(`function ${goQuote(text)} not defined`, token);
      return { kind: 'function', name: text, at };
    }
    return { kind: 'constant', value: constantOf(token), text, at };
  }
}

/** The name in `.name`. */
function fieldOf(token: Token): string {
  return token.text.slice(1);
}

/** Kinds that complaints show in angle brackets. */
const marked: ReadonlySet<string> = new Set(['keyword', 'dot', 'nil']);

const operandKinds: ReadonlySet<string> = new Set(['name', 'dot', 'nil', 'variable', 'field', 'bool', 'number', 'char', 'string', '(']);

function startsOperand(token: Token): boolean {
  return operandKinds.has(token.kind);
}
