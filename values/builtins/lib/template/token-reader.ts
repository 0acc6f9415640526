/** The tokens of a template, read one after the other. */
import { goQuote } from '../../../text/term-text.js';
import { TemplateSyntaxError, type TemplateToken } from './lexer.js';

const maxDepth = 500;

export class TokenReader {
  readonly #tokens: readonly TemplateToken[];
  /** The index of the next token. */
  position = 0;
  #depth = 0;

  constructor(tokens: readonly TemplateToken[]) {
    this.#tokens = tokens;
  }

  peek(): TemplateToken {
    return this.#tokens[this.position]!;
  }

  next(): TemplateToken {
    const token = this.peek();
    if (token.kind !== 'end') this.position++;
    return token;
  }

  skipSpace(): void {
    while (this.peek().kind === 'space') this.position++;
  }

  /** Whether an action begins here whose first word is `define`. */
  atDefine(): boolean {
    if (this.peek().kind !== 'open') return false;
    let i = this.position + 1;
    while (this.#tokens[i]?.kind === 'space') i++;
    return this.#tokens[i]?.kind === 'keyword' && this.#tokens[i]?.text === 'define';
  }

  /** Reads the end of an action. */
  close(context: string): void {
    this.skipSpace();
    const token = this.next();
    if (token.kind !== 'close') throw this.unexpected(token, context);
  }

  /** Reads the string that an action begins with. */
  string(context: string): TemplateToken {
    this.skipSpace();
    const token = this.next();
    if (token.kind !== 'string') throw this.unexpected(token, context);
    return token;
  }

  /** The result of `parse`, which may call this again for inner parts. */
  nested<T>(parse: () => T): T {
    if (++this.#depth > maxDepth) throw this.error('template nests too deeply');
    const parsed = parse();
    this.#depth--;
    return parsed;
  }

  error(message: string, token = this.peek()): TemplateSyntaxError {
    return new TemplateSyntaxError(message, token.at);
  }

  unexpected(token: TemplateToken, context: string): TemplateSyntaxError {
    const text = token.text.length > 10 ? `${goQuote(token.text.slice(0, 10))}...` : goQuote(token.text);
    const shown = token.kind === 'end' ? 'EOF' : marked.has(token.kind) ? `<${token.text}>` : text;
    return this.error(`unexpected ${shown} in ${context}`, token);
  }
}

/** Kinds that complaints show in angle brackets. */
const marked: ReadonlySet<string> = new Set(['keyword', 'dot', 'nil']);
