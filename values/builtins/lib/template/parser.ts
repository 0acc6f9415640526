/** Parses templates in Go's `text/template` syntax. */
import { lexTemplate, type TemplateToken } from './lexer.js';
import { unquote } from './literals.js';
import type { TemplateNode } from './nodes.js';
import { PipeParser } from './pipe-parser.js';
import { TokenReader } from './token-reader.js';

export type Templates = ReadonlyMap<string, readonly TemplateNode[]>;

/** The templates of a text by name, the text itself under `name`. Throws a TemplateSyntaxError. */
export function parseTemplate(name: string, source: string, functions: ReadonlySet<string>): Templates {
  return new Parser(name, new TokenReader(lexTemplate(source)), functions).parse();
}

type Ended = { readonly nodes: TemplateNode[]; readonly by: 'end' | 'else' };

class Parser {
  readonly #name: string;
  readonly #tokens: TokenReader;
  readonly #pipes: PipeParser;
  readonly #templates = new Map<string, readonly TemplateNode[]>();
  /** How many ranges are open. */
  #ranges = 0;

  constructor(name: string, tokens: TokenReader, functions: ReadonlySet<string>) {
    this.#name = name;
    this.#tokens = tokens;
    this.#pipes = new PipeParser(tokens, functions);
  }

  parse(): Templates {
    const nodes: TemplateNode[] = [];
    while (this.#tokens.peek().kind !== 'end') {
      if (this.#tokens.atDefine()) this.#define();
      else {
        const node = this.#node();
        if (node === 'end' || node === 'else') throw this.#tokens.error(`unexpected {{${node}}}`);
        if (node !== undefined) nodes.push(node);
      }
    }
    this.#add(this.#name, nodes);
    return this.#templates;
  }

  #add(name: string, nodes: readonly TemplateNode[]): void {
    const isEmpty = nodes.every((node) => node.kind === 'text' && node.text.trim() === '');
    const known = this.#templates.get(name);
    // An empty definition does not replace one that is not empty.
    if (known === undefined || !isEmpty) this.#templates.set(name, nodes);
  }

  #define(): void {
    this.#tokens.next();
    this.#tokens.skipSpace();
    this.#tokens.next();
    const name = unquote(this.#tokens.string('define clause').text) ?? '';
    this.#tokens.close('define clause');
    const ranges = this.#ranges;
    this.#ranges = 0;
    const { nodes, by } = this.#pipes.apart(() => this.#list());
    if (by !== 'end') throw this.#tokens.error('unexpected {{else}} in define clause');
    this.#ranges = ranges;
    this.#add(name, nodes);
  }

  /** Nodes up to an end or else. */
  #list(): Ended {
    return this.#tokens.nested(() => {
      const nodes: TemplateNode[] = [];
      while (this.#tokens.peek().kind !== 'end') {
        const node = this.#node();
        if (node === 'end' || node === 'else') return { nodes, by: node };
        if (node !== undefined) nodes.push(node);
      }
      throw this.#tokens.error('unexpected EOF');
    });
  }

  #node(): TemplateNode | 'end' | 'else' | undefined {
    const token = this.#tokens.next();
    if (token.kind === 'text') return { kind: 'text', text: token.text };
    if (token.kind !== 'open') throw this.#tokens.unexpected(token, 'input');
    this.#tokens.skipSpace();
    const first = this.#tokens.peek();
    if (first.kind !== 'keyword') return { kind: 'action', pipe: this.#pipes.parse('command') };
    this.#tokens.next();
    return this.#keyword(first);
  }

  #keyword(token: TemplateToken): TemplateNode | 'end' | 'else' {
    switch (token.text) {
      case 'if':
      case 'with':
      case 'range':
        return this.#control(token.text);
      case 'end':
        this.#tokens.close('end');
        return 'end';
      case 'else':
        return this.#else();
      case 'template':
        return this.#template();
      case 'block':
        return this.#block();
      case 'break':
      case 'continue':
        this.#tokens.close(`{{${token.text}}}`);
        if (this.#ranges === 0) throw this.#tokens.error(`{{${token.text}}} outside {{range}}`, token);
        return { kind: token.text };
      default:
        throw this.#tokens.unexpected(token, 'command');
    }
  }

  /** `else`, and where `if` or `with` follows, leaves that for the chain to read. */
  #else(): 'else' {
    this.#tokens.skipSpace();
    const token = this.#tokens.peek();
    if (token.kind === 'keyword' && (token.text === 'if' || token.text === 'with')) return 'else';
    this.#tokens.close('else');
    return 'else';
  }

  #control(kind: 'if' | 'with' | 'range'): TemplateNode {
    return this.#pipes.scoped(() => {
      const pipe = this.#pipes.parse(kind);
      if (kind === 'range') this.#ranges++;
      const { nodes: body, by } = this.#list();
      if (kind === 'range') this.#ranges--;
      const otherwise = by === 'else' ? this.#otherwise(kind) : [];
      return { kind, pipe, body, otherwise };
    });
  }

  #otherwise(kind: string): readonly TemplateNode[] {
    const token = this.#tokens.peek();
    if (token.kind === 'keyword') {
      // The chained clause reads up to the one end that closes all.
      if (token.text !== kind) throw this.#tokens.unexpected(token, 'else');
      this.#tokens.next();
      return [this.#tokens.nested(() => this.#control(token.text as 'if' | 'with'))];
    }
    const { nodes, by } = this.#list();
    if (by !== 'end') throw this.#tokens.error('expected end; found {{else}}');
    return nodes;
  }

  #template(): TemplateNode {
    const token = this.#tokens.string('template clause');
    return {
      kind: 'template',
      name: unquote(token.text) ?? '',
      pipe: this.#pipes.optional('template clause'),
      at: token.at,
    };
  }

  #block(): TemplateNode {
    const token = this.#tokens.string('block clause');
    const pipe = this.#pipes.parse('block clause');
    const { nodes, by } = this.#pipes.apart(() => this.#list());
    if (by !== 'end') throw this.#tokens.error('unexpected {{else}} in block clause');
    const name = unquote(token.text) ?? '';
    this.#add(name, nodes);
    return { kind: 'template', name, pipe, at: token.at };
  }
}
