/** Parses the pipelines of templates: commands, operands, and declarations of variables. */
import { goQuote } from '../../../text/term-text.js';
import type { TemplateToken } from './lexer.js';
import { constantOf } from './literals.js';
import type { TemplateCommand, TemplateOperand, TemplatePipe } from './nodes.js';
import type { TokenReader } from './token-reader.js';

export class PipeParser {
  readonly #tokens: TokenReader;
  readonly #functions: ReadonlySet<string>;
  /** The variables in scope. */
  #variables: string[] = ['$'];

  constructor(tokens: TokenReader, functions: ReadonlySet<string>) {
    this.#tokens = tokens;
    this.#functions = functions;
  }

  /** Forgets the variables that `parse` declares. */
  scoped<T>(parse: () => T): T {
    const size = this.#variables.length;
    const parsed = parse();
    this.#variables.length = size;
    return parsed;
  }

  /** The result of `parse`, for which only `$` is in scope. */
  apart<T>(parse: () => T): T {
    const outer = this.#variables;
    this.#variables = ['$'];
    const parsed = parse();
    this.#variables = outer;
    return parsed;
  }

  /** A pipeline, undefined where the action ends at once. */
  optional(context: string): TemplatePipe | undefined {
    this.#tokens.skipSpace();
    if (this.#tokens.peek().kind !== 'close') return this.parse(context);
    this.#tokens.next();
    return undefined;
  }

  /** A pipeline with its closing token. */
  parse(context: string, end: 'close' | ')' = 'close'): TemplatePipe {
    return this.#tokens.nested(() => this.#pipe(context, end));
  }

  #pipe(context: string, end: 'close' | ')'): TemplatePipe {
    this.#tokens.skipSpace();
    const at = this.#tokens.peek().at;
    const { variables, assigns } = this.#declarations(context);
    const commands: TemplateCommand[] = [];
    for (;;) {
      this.#tokens.skipSpace();
      const token = this.#tokens.peek();
      if (token.kind === end) {
        this.#tokens.next();
        break;
      }
      if (token.kind === 'pipe' || !startsOperand(token)) throw this.#tokens.unexpected(token, context);
      commands.push(this.#command());
    }
    this.#checkPipe(commands, context);
    return { variables, assigns, commands, at };
  }

  #checkPipe(commands: readonly TemplateCommand[], context: string): void {
    if (commands.length === 0) throw this.#tokens.error(`missing value for ${context}`);
    commands.slice(1).forEach(({ operands: [{ kind }] }, i) => {
      if (kind === 'constant' || kind === 'dot' || kind === 'nil')
        throw this.#tokens.error(`non executable command in pipeline stage ${i + 2}`);
    });
  }

  #declarations(context: string): { variables: readonly string[]; assigns: boolean } {
    const start = this.#tokens.position;
    const variables: string[] = [];
    for (;;) {
      this.#tokens.skipSpace();
      const token = this.#tokens.peek();
      if (token.kind !== 'variable') break;
      this.#tokens.next();
      this.#tokens.skipSpace();
      const after = this.#tokens.peek();
      if (after.kind === 'declare' || after.kind === 'assign') {
        this.#tokens.next();
        variables.push(token.text);
        const assigns = after.kind === 'assign';
        if (!assigns) this.#variables.push(...variables);
        return { variables, assigns };
      }
      if (after.kind !== 'comma') break;
      if (context !== 'range' || variables.length > 0) throw this.#tokens.error(`too many declarations in ${context}`);
      this.#tokens.next();
      variables.push(token.text);
    }
    this.#tokens.position = start;
    return { variables: [], assigns: false };
  }

  #checkVariable(name: string, token: TemplateToken): void {
    if (!this.#variables.includes(name)) throw this.#tokens.error(`undefined variable ${goQuote(name)}`, token);
  }

  /** Operands with spaces between them, up to a pipe, which is read, or the end of the pipeline. */
  #command(): TemplateCommand {
    const at = this.#tokens.peek().at;
    const operands: [TemplateOperand, ...TemplateOperand[]] = [this.#operand()];
    while (this.#tokens.peek().kind === 'space') {
      this.#tokens.skipSpace();
      if (!startsOperand(this.#tokens.peek())) break;
      operands.push(this.#operand());
    }
    const { kind } = this.#tokens.peek();
    if (kind === 'pipe') {
      this.#tokens.next();
      this.#tokens.skipSpace();
      if (!startsOperand(this.#tokens.peek())) throw this.#tokens.error('missing value for command');
    } else if (kind !== 'close' && kind !== ')') throw this.#tokens.unexpected(this.#tokens.peek(), 'operand');
    return { operands, at };
  }

  /** A term and the fields that are taken of it: `$x.a.b`. */
  #operand(): TemplateOperand {
    const term = this.#term();
    const fields: string[] = [];
    while (this.#tokens.peek().kind === 'field') fields.push(fieldOf(this.#tokens.next()));
    if (fields.length === 0) return term;
    if ('names' in term && term.kind !== 'chain') return { ...term, names: [...term.names, ...fields] };
    if (term.kind === 'function' || term.kind === 'pipe')
      return { kind: 'chain', of: term, names: fields, at: term.at };
    const text = { dot: '.', nil: 'nil', constant: 'text' in term ? term.text : '', chain: '' }[term.kind];
    throw this.#tokens.error(`unexpected . after term ${goQuote(text)}`);
  }

  #term(): TemplateOperand {
    const token = this.#tokens.next();
    const { kind, text, at } = token;
    if (kind === '(') return { kind: 'pipe', pipe: this.parse('parenthesized pipeline', ')'), at };
    if (kind === 'dot' || kind === 'nil') return { kind, at };
    if (kind === 'field') return { kind: 'fields', names: [fieldOf(token)], at };
    if (kind === 'variable') {
      this.#checkVariable(text, token);
      return { kind, name: text, names: [], at };
    }
    if (kind === 'name') {
      if (!this.#functions.has(text)) throw this.#tokens.error(`function ${goQuote(text)} not defined`, token);
      return { kind: 'function', name: text, at };
    }
    return { kind: 'constant', value: constantOf(token), text, at };
  }
}

/** The name in `.name`. */
function fieldOf(token: TemplateToken): string {
  return token.text.slice(1);
}

const operandKinds: ReadonlySet<string> = new Set([
  'name',
  'dot',
  'nil',
  'variable',
  'field',
  'bool',
  'number',
  'char',
  'string',
  '(',
]);

function startsOperand(token: TemplateToken): boolean {
  return operandKinds.has(token.kind);
}
