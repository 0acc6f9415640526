/**
 * Shared by the grammars of queries and schemas: looking ahead, lists, names, directives, literals,
 * types.
 */
import type { Argument, CommentGroup, GraphqlDirective, GraphqlType, Literal } from './ast.js';
import { literalKind } from './ast.js';
import { GraphqlError } from './graphql-errors.js';
import { type GraphqlPosition, type GraphqlToken, Lexer, Positions, type TokenKind } from './lexer.js';

/** Limits of a document: its number of tokens and its depth. */
export interface ParseLimits {
  readonly maxTokens: number;
  readonly maxDepth: number;
  /** Called every 1000 tokens, in units of work. */
  readonly tick: (units: number) => void;
}

const tokensPerTick = 1000;
const unitsPerToken = 100;

export class GraphqlParser {
  readonly #lexer: Lexer;
  readonly #positions: Positions;
  readonly #limits: ParseLimits;
  #ahead: GraphqlToken | undefined;
  #tokens = 0;
  #depth = 0;
  /** The token taken last. */
  taken: GraphqlToken | undefined;
  /** The comments before the end of the list read last, null where there was no list. */
  closing: CommentGroup | null = null;

  constructor(text: string, limits: ParseLimits) {
    this.#lexer = new Lexer(text);
    this.#positions = new Positions(text);
    this.#limits = limits;
  }

  peek(): GraphqlToken {
    if (this.#ahead !== undefined) return this.#ahead;
    this.#ahead = this.#lexer.next();
    if (++this.#tokens % tokensPerTick === 0) this.#limits.tick(tokensPerTick * unitsPerToken);
    if (this.#tokens > this.#limits.maxTokens)
      this.fail(`exceeded token limit of ${this.#limits.maxTokens}`, this.#ahead);
    return this.#ahead;
  }

  take(): GraphqlToken {
    const token = this.peek();
    this.#ahead = undefined;
    this.taken = token;
    return token;
  }

  /** The comments before the next token. */
  comment(): CommentGroup | null {
    const { comments } = this.peek();
    return comments.length === 0 ? null : { List: comments.map((Value) => ({ Value })) };
  }

  position(): GraphqlPosition {
    return this.#positions.of(this.peek());
  }

  fail(message: string, token: GraphqlToken): never {
    throw new GraphqlError(message, this.#positions.of(token));
  }

  unexpected(token: GraphqlToken = this.peek()): never {
    this.fail(`Unexpected ${describe(token)}`, token);
  }

  isKeyword(value: string): boolean {
    const token = this.peek();
    return token.kind === 'Name' && token.value === value;
  }

  expectKeyword(value: string): void {
    const token = this.peek();
    if (!this.isKeyword(value)) this.fail(`Expected "${value}", found ${describe(token)}`, token);
    this.take();
  }

  expect(kind: TokenKind): GraphqlToken {
    const token = this.peek();
    if (token.kind !== kind) this.fail(`Expected ${kind}, found ${token.kind}`, token);
    return this.take();
  }

  skip(kind: TokenKind): boolean {
    if (this.peek().kind !== kind) return false;
    this.take();
    return true;
  }

  /** A bracketed list that may be left out, and may be empty. */
  many<T>(open: TokenKind, close: TokenKind, item: () => T, mayBeEmpty = true): T[] {
    const items: T[] = [];
    if (!this.skip(open)) return items;
    if (++this.#depth > this.#limits.maxDepth) this.fail('nested too deeply', this.peek());
    while (this.peek().kind !== close) items.push(item());
    this.#depth--;
    this.closing = this.comment();
    const end = this.take();
    if (items.length === 0 && !mayBeEmpty) this.fail(`expected at least one definition, found ${close}`, end);
    return items;
  }

  /** A bracketed list that may be left out but not empty. */
  some<T>(open: TokenKind, close: TokenKind, item: () => T): T[] {
    this.closing = null;
    if (this.peek().kind !== open) return [];
    return this.many(open, close, item, false);
  }

  name(): string {
    return this.expect('Name').value;
  }

  directives(constant: boolean): GraphqlDirective[] {
    const directives: GraphqlDirective[] = [];
    while (this.skip('@')) {
      const Position = this.position();
      directives.push({ Name: this.name(), Arguments: this.arguments(constant), Location: '', Position });
    }
    return directives;
  }

  arguments(constant: boolean): Argument[] {
    return this.some('(', ')', () => this.#namedLiteral(constant));
  }

  #namedLiteral(constant: boolean): Argument {
    const Position = this.position();
    const Comment = this.comment();
    const Name = this.name();
    this.expect(':');
    return { Name, Value: this.literal(constant), Comment, Position };
  }

  variable(): string {
    this.expect('$');
    return this.name();
  }

  literal(constant: boolean): Literal {
    const token = this.peek();
    const Position = this.position();
    const make = (
      Kind: number,
      Raw: string,
      Children: readonly Argument[] = [],
      Comment: CommentGroup | null = null,
    ): Literal => {
      return { Raw, Kind, Children, ExpectedTypeHasDefault: false, Comment, Position };
    };
    switch (token.kind) {
      case '[':
      case '{': {
        // Comments show only of literals in brackets.
        const comment = this.comment();
        if (token.kind === '[') {
          const members = this.many('[', ']', () => ({ Name: '', Value: this.literal(constant) }));
          return make(literalKind.list, '', members, comment);
        }
        return make(
          literalKind.object,
          '',
          this.many('{', '}', () => this.#namedLiteral(constant)),
          comment,
        );
      }
      case '$':
        if (constant) this.unexpected();
        return make(literalKind.variable, this.variable());
      case 'Int':
        return make(literalKind.int, this.take().value);
      case 'Float':
        return make(literalKind.float, this.take().value);
      case 'String':
        return make(literalKind.string, this.take().value);
      case 'BlockString':
        return make(literalKind.block, this.take().value);
      case 'Name': {
        const { value } = this.take();
        const word =
          value === 'null'
            ? literalKind.null
            : value === 'true' || value === 'false'
              ? literalKind.boolean
              : literalKind.enum;
        return make(word, value);
      }
      default:
        return this.unexpected();
    }
  }

  type(): GraphqlType {
    if (++this.#depth > this.#limits.maxDepth) this.fail('nested too deeply', this.peek());
    let NamedType = '';
    let Elem: GraphqlType | null = null;
    let position: GraphqlPosition;
    if (this.skip('[')) {
      position = this.position();
      Elem = this.type();
      this.expect(']');
    } else {
      position = this.position();
      NamedType = this.name();
    }
    this.#depth--;
    const NonNull = this.skip('!');
    return { NamedType, Elem, NonNull, Position: NonNull ? this.position() : position };
  }

  operationType(): string {
    const token = this.take();
    if (token.value === 'query' || token.value === 'mutation' || token.value === 'subscription') return token.value;
    return this.unexpected(token);
  }
}

function describe(token: GraphqlToken): string {
  return token.value === '' ? token.kind : `${token.kind} ${JSON.stringify(token.value)}`;
}
