/**
 * The grammar of both versions, as chevrotain rules with embedded actions. Where the language needs more than one token to decide, the
 * lexer has looked already (what stands in a pair of brackets) or a rule tries one reading and, if that fails, remembers that it did and
 * reads the other one (`#attempt`), so that nesting does not multiply the work.
 */

import { EmbeddedActionsParser, EOF, type ParserMethod, type TokenType } from 'chevrotain';
import { booleanTerm, callTerm, exprBase, exprOf, nullTerm, numberTerm, operatorRef, refTerm, stringTerm, varTerm } from '../ast/make.js';
import { isRootName } from '../ast/names.js';
import type { Body, CallExpr, Expr, Import, LogicalExpr, ObjectEntry, Package, RefTerm, Rule, Term, VarTerm, With } from '../ast/nodes.js';
import type { ComplaintName, Holes } from '../diagnostics/complaints.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostics.js';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { parseDetails } from './details.js';
import { buildRule, chainedRule, elseRule, type HeadParts, headOf, ruleOfBody } from './heads.js';
import { isNameByPlace } from './lexer.js';
import * as t from './tokens.js';
import { isKeyword, Token, tokenName } from './tokens.js';

/** Operators in one chain, calls in one ref: each makes the tree a level deeper. */
const maxChain = 500;

/** An `else` is a rule inside a rule. */
const maxElses = 1000;

/** Locating a complaint takes the time of its line; more than this many nobody reads. */
export const maxProblems = 200;

/** A statement could not be read. Not an `Error`: attempts throw and catch it often, and nobody reads its stack. */
export class ParseFailure {
  readonly diagnostic: Diagnostic;
  /** Where the parser stood. */
  readonly token: Token;

  constructor(diagnostic: Diagnostic, token: Token) {
    this.diagnostic = diagnostic;
    this.token = token;
  }
}

/** What a parse starts from. */
export interface GrammarInput {
  readonly source: Source;
  readonly tokens: Token[];
  readonly lexicalError: string | undefined;
  readonly templates: boolean;
  /** Called after each import, which may activate keywords. */
  readonly imported: (statement: Import, grammar: Grammar) => void;
}

export type Statement = Package | Import | Rule;

/** An operand of `and`, `or` and `not`: a body, in braces if `explicit`. */
interface Operand {
  readonly body: Body;
  readonly explicit: boolean;
  readonly loc: Span;
}

type Ref = { readonly terms: readonly Term[]; readonly args: readonly Term[] | undefined };

const precedences: Readonly<Record<string, number>> = { mul: 5, div: 5, rem: 5, plus: 4, minus: 4, and: 3, or: 2 };
const precedence = (operator: Token): number => precedences[operator.image] ?? 1;

/** Kinds of attempts, to remember which failed where. */
const Attempt = { comprehension: 0, literalAfterIf: 1, pair: 2, operand: 3, group: 4, some: 5 } as const;
type AttemptKind = (typeof Attempt)[keyof typeof Attempt];

const emptySource = new Source('', '');

export class Grammar extends EmbeddedActionsParser {
  // Chevrotain's own, missing from its declarations.
  declare getLexerPosition: () => number;
  declare importLexerState: (position: number) => void;

  #source = emptySource;
  #lexicalError: string | undefined;
  #templates = true;
  #imported: GrammarInput['imported'] = () => {};
  #wildcards = 0;
  #failed = new Set<number>();
  /** `import future.keywords.not`. */
  notBodies = false;
  /** Either of the keywords `and` and `or`. */
  logicalKeywords = false;
  /** Complaints that do not end the parse. */
  problems: Diagnostic[] = [];

  constructor() {
    super(t.vocabulary, { maxLookahead: 1, skipValidations: true, recoveryEnabled: false });
    this.performSelfAnalysis();
  }

  /** Makes the parser ready for a text. */
  start(input: GrammarInput): void {
    this.input = input.tokens;
    this.#source = input.source;
    this.#lexicalError = input.lexicalError;
    this.#templates = input.templates;
    this.#imported = input.imported;
    this.#wildcards = 0;
    this.#failed = new Set();
    this.notBodies = false;
    this.logicalKeywords = false;
    this.problems = [];
  }

  /** Words still to come that are these become keywords. */
  activate(words: ReadonlyMap<string, TokenType>): void {
    const tokens = this.input as Token[];
    for (let i = this.#position() + 1; i < tokens.length; i++) {
      const token = tokens[i]!;
      const type = token.tokenType === t.Identifier ? words.get(token.image) : undefined;
      if (type && !isNameByPlace(this.#source.text, token.startOffset, token.end, tokens[i - 1])) token.become(type);
    }
  }

  // ---- where the parser stands

  get #next(): Token {
    return this.LA(1) as Token;
  }

  #at(type: TokenType): boolean {
    return this.LA(1).tokenTypeIdx === type.tokenTypeIdx;
  }

  #span(start: number): Span {
    return new Span(this.#source, start, (this.LA(0) as Token).end);
  }

  #tokenSpan(token: Token): Span {
    return new Span(this.#source, token.startOffset, token.end);
  }

  #position(): number {
    return this.getLexerPosition();
  }

  /** Whether a token goes on as a ref at once: `.x` or `[…]` without a space. */
  #touches(token: Token, next: Token): boolean {
    return token.tokenType !== EOF && !next.spaceBefore && (next.tokenType === t.Dot || next.tokenType === t.LeftBracket);
  }

  /** A keyword that starts a ref (`not.x`, `input.if` is the lexer's) is a name. */
  #soften(at = 1): void {
    const token = this.LA(at) as Token;
    if (token.tokenType !== t.Identifier && isKeyword(token.tokenType) && this.#touches(token, this.LA(at + 1) as Token))
      token.become(t.Identifier);
  }

  // ---- failing

  fail<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): never {
    throw new ParseFailure(diagnose(name, span, at, parseDetails(span)), this.#next);
  }

  problem<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): void {
    if (this.problems.length < maxProblems)
      this.problems.push(diagnose(name, span, at, name === 'ruleHead' ? undefined : parseDetails(span)));
  }

  /** Complains of the next token. */
  unexpected(note?: string): never {
    const token = this.#next;
    const span = this.#tokenSpan(token);
    if (token.tokenType === t.Illegal) this.fail('illegalToken', span, { reason: this.#lexicalError ?? 'illegal token' });
    const holes = { token: tokenName(token), keyword: isKeyword(token.tokenType), ...(note !== undefined && { note }) };
    throw new ParseFailure(atEnd(diagnose('unexpectedToken', span, holes, parseDetails(span)), token), token);
  }

  /** Chevrotain's own ways to complain, which would compute what else could stand here each time an attempt fails. */
  consumeInternalError(expected: TokenType): never {
    return this.unexpected(
      `expected ${expected === t.RightBrace || expected === t.RightBracket ? `\\n or ; or ${expected.name}` : expected.name}`,
    );
  }

  raiseNoAltException(): never {
    return this.unexpected();
  }

  raiseEarlyExitException(): never {
    return this.unexpected();
  }

  /** Reads with `rule`; if that fails, stands where it stood and answers undefined. */
  #attempt<T>(kind: AttemptKind, rule: () => T | undefined): T | undefined {
    if (this.RECORDING_PHASE) return rule();
    const position = this.#position();
    const key = position * 8 + kind;
    if (this.#failed.has(key)) return undefined;
    const { problems } = this;
    const wildcards = this.#wildcards;
    try {
      this.problems = [];
      const result = rule();
      if (result !== undefined) {
        this.problems = this.problems.length === 0 ? problems : [...problems, ...this.problems];
        return result;
      }
    } catch (error) {
      if (!(error instanceof ParseFailure)) throw error;
    }
    this.problems = problems;
    this.#wildcards = wildcards;
    this.#failed.add(key);
    this.importLexerState(position);
    return undefined;
  }

  wildcard(): string {
    return `$${this.#wildcards++}`;
  }

  #variable(token: Token): VarTerm {
    return varTerm(this.#tokenSpan(token), token.image === '_' ? this.wildcard() : token.image);
  }

  // ---- modules

  readonly module: ParserMethod<[], Statement[]> = this.RULE('module', () => {
    const statements: Statement[] = [];
    this.MANY({
      GATE: () => {
        this.#soften();
        return true;
      },
      DEF: () => {
        this.OR([
          { ALT: () => statements.push(this.SUBRULE(this.#packageDeclaration)) },
          {
            ALT: () => {
              const statement = this.SUBRULE(this.#importDeclaration);
              statements.push(statement);
              this.ACTION(() => this.#imported(statement, this));
            },
          },
          {
            ALT: () => {
              const rules = this.SUBRULE(this.#rule);
              this.ACTION(() => statements.push(...rules));
            },
          },
          {
            ALT: () => {
              const query = this.SUBRULE(this.statementQuery);
              this.ACTION(() => {
                const rule = ruleOfBody(query, this);
                if (rule) statements.push(rule);
              });
            },
          },
        ]);
      },
    });
    if (!this.RECORDING_PHASE && !this.#at(EOF)) this.unexpected();
    return statements;
  });

  /** A query: bodies, of which there may be several without a separator. */
  readonly query: ParserMethod<[], Expr[]> = this.RULE('query', () => {
    const body: Expr[] = [];
    this.MANY({
      GATE: () => {
        this.#soften();
        return true;
      },
      DEF: () => {
        const more = this.SUBRULE(this.statementQuery);
        this.ACTION(() => body.push(...more));
      },
    });
    if (!this.RECORDING_PHASE && !this.#at(EOF)) this.unexpected();
    return body;
  });

  readonly #packageDeclaration: ParserMethod<[], Package> = this.RULE('packageDeclaration', (): Package => {
    const start = this.CONSUME(t.Package) as Token;
    const path = this.SUBRULE(this.#path);
    if (this.RECORDING_PHASE) return undefined as never;
    const [head, ...rest] = path.type === 'ref' ? path.terms : [path];
    if (head?.type !== 'var') return this.fail('pathNeedsVar', path.loc, { kind: (head ?? path).type });
    for (const term of rest) if (term.type !== 'string') this.fail('pathNeedsString', term.loc, { kind: term.type });
    return { type: 'package', loc: this.#tokenSpan(start), path: [varTerm(head.loc, 'data'), stringTerm(head.loc, head.name), ...rest] };
  });

  readonly #importDeclaration: ParserMethod<[], Import> = this.RULE('importDeclaration', (): Import => {
    const start = this.CONSUME(t.Import) as Token;
    const path = this.SUBRULE(this.#path);
    let alias: string | undefined;
    if (this.RECORDING_PHASE || this.#at(t.As)) {
      this.CONSUME(t.As);
      const name = this.CONSUME(t.Identifier) as Token;
      alias = name.image;
    }
    if (this.RECORDING_PHASE) return undefined as never;
    const ref = path.type === 'ref' ? path : refTerm(path.loc, [path]);
    return { type: 'import', loc: this.#tokenSpan(start), path: ref, alias };
  });

  /** A package's or an import's: any word may start it. */
  readonly #path: ParserMethod<[], Term> = this.RULE('path', () => {
    if (!this.RECORDING_PHASE && isKeyword(this.#next.tokenType)) this.#next.become(t.Identifier);
    if (!this.RECORDING_PHASE && !this.#at(t.Identifier)) {
      // A path that is no path: as the reference has it, the end of the text is missing a name.
      if (this.#at(EOF)) this.unexpected('expected ident');
    }
    const name = this.CONSUME(t.Identifier) as Token;
    const head = this.#variable(name);
    if (!this.RECORDING_PHASE && !this.#suffixAhead()) return isRootName(head.name) ? refTerm(head.loc, [head]) : head;
    return this.#termOf(this.SUBRULE(this.#suffixes, { ARGS: [head, false] }), head);
  });

  // ---- rules

  readonly #rule: ParserMethod<[], Rule[]> = this.RULE('rule', () => {
    const start = this.#next;
    let isDefault = false;
    this.OPTION(() => {
      this.CONSUME(t.Default);
      isDefault = true;
      this.#soften();
    });
    const head = this.SUBRULE(this.#head);
    if (this.RECORDING_PHASE) this.#recordBodies();
    if (this.RECORDING_PHASE) return undefined as never;
    const ruleStart = start.startOffset;
    if (isDefault) return [buildRule.default(head, this.#span(ruleStart), this)];

    const hasIf = this.#at(t.If);
    const body = hasIf ? this.#bodyAfterIf() : this.#at(t.LeftBrace) ? this.SUBRULE2(this.#braces) : undefined;
    if (body === undefined) return [buildRule.withoutBody(head, this)];
    const ruleHead = headOf(head, hasIf, this);
    const rule = { start: ruleStart, head: ruleHead, body };
    const elses = this.#elses(rule.head);
    const first = buildRule.withBody(rule, elses, new Span(this.#source, ruleStart, (this.LA(0) as Token).end));
    const rules = [first];
    while (this.#at(t.LeftBrace)) {
      if (first.else) this.fail('elseExpected', this.#tokenSpan(this.#next), {});
      const open = this.#next;
      const next = this.SUBRULE3(this.#braces);
      rules.push(chainedRule(first, next, this.#span(open.startOffset), this));
    }
    return rules;
  });

  /** What `rule` decides by itself, for chevrotain's analysis. */
  #recordBodies(): void {
    this.OPTION2(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(t.If);
            this.OR2([{ ALT: () => this.SUBRULE(this.#braces) }, { ALT: () => this.SUBRULE(this.literal) }]);
          },
        },
        { ALT: () => this.SUBRULE2(this.#braces) },
      ]);
      this.MANY(() => this.SUBRULE(this.#else));
      this.MANY2(() => this.SUBRULE3(this.#braces));
    });
  }

  #bodyAfterIf(): Body {
    this.CONSUME(t.If);
    if (!this.#at(t.LeftBrace)) return [this.SUBRULE(this.literal)];
    if (this.#mayBeLiteral(this.#next)) {
      const expr = this.#attempt(Attempt.literalAfterIf, () => {
        const literal = this.SUBRULE(this.literal);
        // A set is never false: `{ true }` is meant as a body.
        return literal.kind === 'term' && literal.term.type === 'set' ? undefined : literal;
      });
      if (expr) return [expr];
    }
    return this.SUBRULE(this.#braces);
  }

  /** Whether what starts with this brace may be an expression rather than a body: an object, a comprehension, an operand. */
  #mayBeLiteral(open: Token): boolean {
    if (open.close < 0) return false;
    if (open.hasColon || open.hasPipe) return true;
    const tokens = this.input as Token[];
    const close = tokens[open.close]!;
    if (tokens[this.#position() + 2] === close) return true;
    const after = tokens[open.close + 1];
    if (after === undefined) return false;
    if (!after.spaceBefore && (after.tokenType === t.Dot || after.tokenType === t.LeftBracket || after.tokenType === t.LeftParen))
      return true;
    return literalContinuations.has(after.tokenType);
  }

  #elses(head: Rule['head']): { start: Token; rule: Rule }[] {
    const elses: { start: Token; rule: Rule }[] = [];
    while (this.#at(t.Else)) {
      this.#soften();
      if (!this.#at(t.Else)) break;
      const start = this.#next;
      if (elses.length === 0) {
        if (head.ref.length > 1 && !head.ref.every((term, i) => i === 0 || term.type === 'string' || isScalar(term)))
          this.fail('elseOnVariableHead', this.#tokenSpan(start), {});
        if (head.key) this.fail('elseOnMultiValue', this.#tokenSpan(start), {});
      }
      if (elses.length >= maxElses) this.fail('nestedTooDeeply', this.#tokenSpan(start), {});
      elses.push({ start, rule: elseRule(head, this.SUBRULE(this.#else), this) });
    }
    return elses;
  }

  readonly #else: ParserMethod<
    [],
    { loc: Span; headLoc: Span; assign: boolean; value: Term | undefined; hasIf: boolean; body: Body | undefined }
  > = this.RULE('else', () => {
    const start = this.CONSUME(t.Else) as Token;
    let value: Term | undefined;
    let assign = false;
    let headLoc = this.#tokenSpan(start);
    if (this.RECORDING_PHASE || this.#at(t.Assign) || this.#at(t.Unify)) {
      assign = this.#at(t.Assign);
      this.OR([{ ALT: () => this.CONSUME(t.Assign) }, { ALT: () => this.CONSUME(t.Unify) }]);
      value = this.SUBRULE(this.expression);
      headLoc = this.#span(start.startOffset);
    } else if (!this.#at(t.LeftBrace) && !this.#at(t.If)) this.unexpected('expected else value term or rule body');
    let hasIf = false;
    let body: Body | undefined;
    if (this.RECORDING_PHASE || this.#at(t.If)) {
      hasIf = true;
      this.CONSUME(t.If);
      if (!this.RECORDING_PHASE && this.#at(EOF)) this.unexpected('rule body expected');
      body = this.OR2([{ ALT: () => this.SUBRULE(this.#braces) }, { ALT: () => [this.SUBRULE(this.literal)] }]);
    } else if (this.#at(t.LeftBrace)) body = this.SUBRULE2(this.#braces);
    return { loc: this.#span(start.startOffset), headLoc, assign, value, hasIf, body };
  });

  /** A rule's head up to its body: `p`, `f(x) := y`, `a.b[x] contains y`. */
  readonly #head: ParserMethod<[], HeadParts> = this.RULE('head', () => {
    const name = this.CONSUME(t.Identifier) as Token;
    const head = this.#variable(name);
    let ref: Ref = { terms: [head], args: undefined };
    // In a head, a space may stand after the name.
    if (this.RECORDING_PHASE || this.#at(t.Dot) || this.#at(t.LeftBracket) || this.#at(t.LeftParen))
      ref = this.SUBRULE(this.#suffixes, { ARGS: [head, true] });
    else if (this.#at(t.Infix) || this.#at(t.Minus) || this.#at(t.Pipe)) this.unexpected();
    const refLoc = this.RECORDING_PHASE ? head.loc : this.#span(name.startOffset);
    let key: Term | undefined;
    let value: Term | undefined;
    let assign = false;
    this.OPTION(() => {
      this.OR([
        {
          ALT: () => {
            if (!this.RECORDING_PHASE && ref.args)
              this.unexpected('the contains keyword can only be used with multi-value rule definitions (e.g., p contains <VALUE> { ... })');
            this.CONSUME(t.Contains);
            key = this.SUBRULE(this.expression);
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.Unify);
            value = this.SUBRULE2(this.expression);
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.Assign);
            assign = true;
            value = this.SUBRULE3(this.expression);
          },
        },
      ]);
    });
    if (this.RECORDING_PHASE) return undefined as never;
    return { loc: this.#span(name.startOffset), refLoc, ref: ref.terms, args: ref.args, key, value, assign };
  });

  readonly #braces: ParserMethod<[], Body> = this.RULE('braces', () => {
    this.CONSUME(t.LeftBrace);
    if (!this.RECORDING_PHASE && this.#at(t.RightBrace)) this.fail('emptyBody', this.#tokenSpan(this.#next), {});
    const body = this.SUBRULE(this.body);
    this.CONSUME(t.RightBrace);
    return body;
  });

  // ---- bodies

  /** Expressions, separated by line breaks or semicolons. */
  readonly body: ParserMethod<[], Expr[]> = this.RULE('body', () => {
    if (!this.RECORDING_PHASE && (this.#at(t.RightBrace) || this.#at(t.RightBracket)))
      this.fail('emptyBody', this.#tokenSpan(this.#next), {});
    const body = [this.SUBRULE(this.literal)];
    this.MANY({
      GATE: () => {
        if (this.#at(t.Semicolon)) return true;
        if (!this.#next.newlineBefore) return false;
        this.#soften();
        return true;
      },
      DEF: () => {
        this.OPTION(() => this.CONSUME(t.Semicolon));
        body.push(this.SUBRULE2(this.literal));
      },
    });
    return body;
  });

  /** Expressions, separated by semicolons only: what stands at the top of a module or a query. */
  readonly statementQuery: ParserMethod<[], Expr[]> = this.RULE('statementQuery', () => {
    const body = [this.SUBRULE(this.literal)];
    this.MANY(() => {
      this.CONSUME(t.Semicolon);
      body.push(this.SUBRULE2(this.literal));
    });
    return body;
  });

  /** One expression with its modifiers. */
  readonly literal: ParserMethod<[], Expr> = this.RULE('literal', () => {
    this.#soften();
    const start = this.#next.startOffset;
    if (this.RECORDING_PHASE) this.OPTION8(() => this.SUBRULE(this.#leadingOperand));
    else if (this.logicalKeywords && (this.#at(t.LeftBrace) || this.#at(t.LeftParen))) {
      const lead = this.SUBRULE(this.#leadingOperand);
      if (lead) return this.#logicalTail(lead, start);
    }
    let negated = false;
    let not: Token | undefined;
    this.OPTION(() => {
      not = this.CONSUME(t.Not) as Token;
      negated = true;
    });
    if (this.RECORDING_PHASE) {
      this.OPTION9(() => {
        this.SUBRULE(this.#negatedOperand, { ARGS: [0] });
        this.SUBRULE(this.#logicalChain, { ARGS: [undefined as never] });
        this.SUBRULE2(this.#modifiers);
      });
    } else if (negated && this.notBodies && (this.#at(t.LeftBrace) || this.#at(t.LeftParen))) {
      const operand = this.SUBRULE(this.#negatedOperand, { ARGS: [not!.startOffset] });
      if (operand) return this.#logicalTail(operand, start);
    }
    if (!this.RECORDING_PHASE && negated && (this.#at(t.Some) || this.#at(t.Every)))
      this.unexpected(`illegal negation of '${this.#next.image}'`);
    const expr = this.OR([
      { ALT: () => this.SUBRULE(this.#some) },
      { ALT: () => this.SUBRULE(this.#every) },
      { ALT: () => this.SUBRULE(this.#plain) },
    ]);
    if (this.RECORDING_PHASE) {
      this.SUBRULE(this.#modifiers);
      return undefined as never;
    }
    return this.#finish(expr, start, negated);
  });

  #finish(expr: Expr, start: number, negated: boolean): Expr {
    const withToken = this.#next;
    const modifiers = this.#at(t.With) ? this.SUBRULE(this.#modifiers) : undefined;
    const loc = this.#span(start);
    let whole: Expr = expr;
    if (negated) {
      whole = this.notBodies
        ? { ...exprBase(loc), kind: 'not', body: [{ ...expr, loc }], explicit: false }
        : { ...expr, negated: true, loc };
    } else if (start !== expr.loc.start || modifiers) whole = { ...expr, loc };
    if (modifiers) whole = { ...whole, with: modifiers };
    if (this.#atLogical()) {
      const operator = tokenName(this.#next);
      if (modifiers) this.fail('withOnOperand', this.#tokenSpan(withToken), { operator });
      if (!negated && this.#source.text.charCodeAt(start) === 123) {
        if (expr.kind === 'term' && expr.term.type === 'object' && expr.term.entries.length === 0) this.fail('emptyBody', loc, {});
        this.fail('braceLedOperand', loc, { operator });
      }
      return this.#logicalTail({ body: [whole], explicit: false, loc }, start);
    }
    return whole;
  }

  /** A term, a unification or an assignment. */
  readonly #plain: ParserMethod<[], Expr> = this.RULE('plain', () => {
    const start = this.#next.startOffset;
    const left = this.SUBRULE(this.expression);
    if (this.RECORDING_PHASE || this.#at(t.Assign) || this.#at(t.Unify)) {
      const operator = this.OR([{ ALT: () => this.CONSUME(t.Assign) }, { ALT: () => this.CONSUME(t.Unify) }]) as Token;
      const right = this.SUBRULE2(this.expression);
      if (this.RECORDING_PHASE) return undefined as never;
      const call: CallExpr = {
        type: 'expr',
        kind: 'call',
        loc: this.#span(start),
        negated: false,
        generated: false,
        with: [],
        operator: this.#operator(operator),
        args: [left, right],
      };
      return call;
    }
    return exprOf(this.#span(start), left);
  });

  readonly #modifiers: ParserMethod<[], With[]> = this.RULE('modifiers', () => {
    const modifiers: With[] = [];
    this.MANY(() => {
      const start = this.CONSUME(t.With) as Token;
      if (!this.RECORDING_PHASE && !this.#at(t.Identifier)) this.unexpected('expected ident');
      const target = this.SUBRULE(this.#term);
      if (!this.RECORDING_PHASE) {
        if (target.type !== 'ref' && target.type !== 'var') this.unexpected('expected with target path');
        if (!this.#at(t.As)) this.unexpected('expected as keyword');
      }
      this.CONSUME(t.As);
      const value = this.SUBRULE(this.expression);
      this.ACTION(() => modifiers.push({ type: 'with', loc: this.#span(start.startOffset), target, value }));
    });
    return modifiers;
  });

  readonly #some: ParserMethod<[], Expr> = this.RULE('some', (): Expr => {
    const start = this.CONSUME(t.Some) as Token;
    const membership = this.#attempt(Attempt.some, () => {
      if (!this.RECORDING_PHASE && this.#onlyNames()) return undefined;
      const term = this.SUBRULE(this.expression);
      return this.RECORDING_PHASE || term.type === 'call' ? term : undefined;
    });
    if (!this.RECORDING_PHASE && membership?.type === 'call') {
      if (!memberOperator(membership.operator)) this.unexpected('expected `x in xs` or `x, y in xs` expression');
      return { ...exprBase(this.#span(start.startOffset)), kind: 'some', symbols: [membership] };
    }
    const symbols: Term[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        if (!this.RECORDING_PHASE && !this.#at(t.Identifier)) this.unexpected('expected var');
        symbols.push(this.#variable(this.CONSUME(t.Identifier) as Token));
      },
    });
    if (this.RECORDING_PHASE) return undefined as never;
    return { ...exprBase(this.#span(start.startOffset)), kind: 'some', symbols };
  });

  /** Whether what follows is a list of names and no membership, without reading it. */
  #onlyNames(): boolean {
    for (let i = 1; ; i += 2) {
      if (this.LA(i).tokenType !== t.Identifier) return false;
      const after = this.LA(i + 1) as Token;
      if (after.tokenType === t.Comma) continue;
      return after.tokenType !== t.In && !this.#touches(this.LA(i) as Token, after) && after.tokenType !== t.LeftParen;
    }
  }

  readonly #every: ParserMethod<[], Expr> = this.RULE('every', (): Expr => {
    const start = this.CONSUME(t.Every) as Token;
    const term = this.SUBRULE(this.expression);
    if (this.RECORDING_PHASE) {
      this.SUBRULE(this.#braces);
      return undefined as never;
    }
    const isMember = term.type === 'call' && memberOperator(term.operator);
    if (!isMember) return this.unexpected('expected `x[, y] in xs { ... }` expression');
    const [first, second, third] = term.args;
    const [key, value, domain] = third === undefined ? [undefined, first!, second!] : [first!, second!, third];
    if (key && key.type !== 'var') this.unexpected('expected key to be a variable');
    if (value.type !== 'var') return this.unexpected('expected value to be a variable');
    if (!this.#at(t.LeftBrace)) this.unexpected('missing body');
    const body = this.SUBRULE(this.#braces);
    return { ...exprBase(this.#span(start.startOffset)), kind: 'every', key: key as VarTerm | undefined, value, domain, body };
  });

  // ---- `and`, `or` and bodies under `not`

  #atLogical(): boolean {
    return this.logicalKeywords && (this.#at(t.LogicalAnd) || this.#at(t.LogicalOr));
  }

  /** `{ … } or …` and `(a or b)` at the start of an expression; undefined where these are terms. */
  readonly #leadingOperand: ParserMethod<[], Operand | undefined> = this.RULE('leadingOperand', () => {
    if (this.RECORDING_PHASE) {
      this.OR([{ ALT: () => this.SUBRULE(this.#braces) }, { ALT: () => this.SUBRULE(this.#group, { ARGS: [false] }) }]);
      return undefined;
    }
    if (this.#at(t.LeftBrace)) {
      return this.#attempt(Attempt.operand, () => {
        const operand = this.#bracedOperand(this.SUBRULE(this.#braces));
        return this.#atLogical() ? operand : undefined;
      });
    }
    return this.#attempt(Attempt.group, () => this.SUBRULE(this.#group, { ARGS: [false] }));
  });

  #bracedOperand(body: Body): Operand {
    const first = body[0]!;
    if (first.kind === 'call' && first.operator.loc.text === '|') this.problem('ambiguousUnion', first.loc, {});
    return { body, explicit: true, loc: first.loc };
  }

  /** `not { … }` and `not (…)`, after the `not`; undefined where the parentheses hold a term. */
  readonly #negatedOperand: ParserMethod<[number], Operand | undefined> = this.RULE(
    'negatedOperand',
    (start: number): Operand | undefined => {
      if (this.RECORDING_PHASE) {
        this.OR([{ ALT: () => this.SUBRULE(this.#braces) }, { ALT: () => this.SUBRULE(this.#group, { ARGS: [true] }) }]);
        return undefined;
      }
      const operand = this.#at(t.LeftBrace)
        ? this.#bracedOperand(this.SUBRULE(this.#braces))
        : this.#attempt(Attempt.group, () => this.SUBRULE(this.#group, { ARGS: [true] }));
      if (!operand) return undefined;
      const loc = this.#span(start);
      return { body: [{ ...exprBase(loc), kind: 'not', body: operand.body, explicit: operand.explicit }], explicit: false, loc };
    },
  );

  readonly #operand: ParserMethod<[], Operand> = this.RULE('operand', () => {
    const start = this.#next.startOffset;
    if (this.RECORDING_PHASE) this.OPTION9(() => this.SUBRULE(this.#braces));
    else if (this.#at(t.LeftBrace)) {
      const body = this.SUBRULE(this.#braces);
      return { ...this.#bracedOperand(body), loc: this.#span(start) };
    }
    this.#soften();
    let negated = false;
    this.OPTION(() => {
      this.CONSUME(t.Not);
      negated = true;
    });
    if (this.RECORDING_PHASE) this.OPTION8(() => this.SUBRULE(this.#negatedOperand, { ARGS: [0] }));
    else if (negated && this.notBodies && (this.#at(t.LeftBrace) || this.#at(t.LeftParen))) {
      const operand = this.SUBRULE(this.#negatedOperand, { ARGS: [start] });
      if (operand) return operand;
    } else if (!negated && this.#at(t.LeftParen)) {
      const group = this.#attempt(Attempt.group, () => this.SUBRULE(this.#group, { ARGS: [true] }));
      if (group) return group;
    }
    const expr = this.SUBRULE(this.#plain);
    if (this.RECORDING_PHASE) {
      this.SUBRULE2(this.#group, { ARGS: [true] });
      return undefined as never;
    }
    const loc = this.#span(start);
    if (!negated) return { body: [expr], explicit: false, loc };
    const not: Expr = this.notBodies ? { ...exprBase(loc), kind: 'not', body: [expr], explicit: false } : { ...expr, loc, negated: true };
    return { body: [not], explicit: false, loc };
  });

  /** Parentheses around operands; undefined where they hold a plain term. */
  readonly #group: ParserMethod<[boolean], Operand | undefined> = this.RULE('group', (isOperand: boolean) => {
    const open = this.CONSUME(t.LeftParen) as Token;
    const operand = this.SUBRULE(this.#operand);
    if (this.RECORDING_PHASE) {
      this.SUBRULE(this.#logicalChain, { ARGS: [operand] });
      this.SUBRULE(this.#modifiers);
      this.CONSUME(t.RightParen);
      return undefined;
    }
    let body = operand.body;
    if (this.#atLogical()) {
      const chain = this.SUBRULE(this.#logicalChain, { ARGS: [operand] });
      body = [this.#at(t.With) ? { ...chain, with: this.SUBRULE(this.#modifiers) } : chain];
    } else if (this.#at(t.With) && !operand.explicit) {
      body = [{ ...operand.body[0]!, with: this.SUBRULE(this.#modifiers) }];
      if (this.#atLogical()) this.fail('withOnOperand', this.#tokenSpan(this.#next), { operator: tokenName(this.#next) });
      this.CONSUME(t.RightParen);
      return isOperand || this.#atLogical() ? { body, explicit: false, loc: this.#span(open.startOffset) } : undefined;
    } else if (operand.explicit || !isGroupBody(operand.body)) return undefined;
    if (!this.#at(t.RightParen)) this.fail('groupNotClosed', this.#tokenSpan(this.#next), {});
    this.CONSUME(t.RightParen);
    return { body, explicit: false, loc: this.#span(open.startOffset) };
  });

  /** Folds a chain of `and` and `or` to the left, `and` before `or`. */
  readonly #logicalChain: ParserMethod<[Operand], Expr> = this.RULE('logicalChain', (first: Operand) => {
    const operands = [first];
    const operators: Token[] = [];
    const reduce = (): void => {
      const operator = operators.pop()!;
      const rhs = operands.pop()!;
      const lhs = operands.pop()!;
      const kind = operator.tokenType === t.LogicalAnd ? 'and' : 'or';
      const loc = new Span(this.#source, lhs.loc.start, rhs.loc.end);
      for (const operand of [lhs, rhs]) {
        const name = voidCall(operand.body);
        if (name) this.problem('voidOperand', operand.loc, { operator: kind, name });
      }
      const node: LogicalExpr = {
        ...exprBase(loc),
        kind,
        lhs: lhs.body,
        rhs: rhs.body,
        explicitLhs: lhs.explicit,
        explicitRhs: rhs.explicit,
      };
      operands.push({ body: [node], explicit: false, loc });
    };
    let count = 0;
    this.MANY(() => {
      const operator = this.OR([{ ALT: () => this.CONSUME(t.LogicalAnd) }, { ALT: () => this.CONSUME(t.LogicalOr) }]) as Token;
      const operand = this.SUBRULE(this.#operand);
      if (this.RECORDING_PHASE) return;
      if (++count > maxChain) this.fail('nestedTooDeeply', this.#tokenSpan(operator), {});
      while (operators.length > 0 && (operators.at(-1)!.tokenType === t.LogicalAnd || operator.tokenType === t.LogicalOr)) reduce();
      operands.push(operand);
      operators.push(operator);
    });
    if (this.RECORDING_PHASE) return undefined as never;
    while (operators.length > 0) reduce();
    return operands[0]!.body[0]!;
  });

  /** What follows an operand at the start of an expression. */
  #logicalTail(operand: Operand, start: number): Expr {
    const expr = this.#atLogical() ? this.SUBRULE(this.#logicalChain, { ARGS: [operand] }) : operand.body[0]!;
    const modifiers = this.#at(t.With) ? this.SUBRULE2(this.#modifiers) : expr.with;
    return { ...expr, loc: this.#span(start), with: modifiers };
  }

  // ---- terms

  /** A term with infix operators, and memberships of two: `k, v in xs`. */
  readonly expression: ParserMethod<[], Term> = this.RULE('expression', () => {
    let left = this.SUBRULE(this.#term);
    if (this.RECORDING_PHASE || this.#atInfix()) left = this.SUBRULE(this.#infix, { ARGS: [left] });
    let count = 0;
    while (this.RECORDING_PHASE || this.#at(t.Comma) || this.#atIn()) {
      const start = left;
      if (this.RECORDING_PHASE || this.#at(t.Comma)) {
        const pair = this.#attempt(Attempt.pair, () => {
          this.CONSUME(t.Comma);
          let middle = this.SUBRULE2(this.#term);
          if (this.RECORDING_PHASE || this.#atInfix()) middle = this.SUBRULE2(this.#infix, { ARGS: [middle] });
          if (!this.RECORDING_PHASE && !this.#atIn()) return undefined;
          return { middle, operator: this.CONSUME(t.In) as Token };
        });
        if (this.RECORDING_PHASE || pair) {
          const { middle, operator } = pair ?? { middle: left, operator: undefined as never };
          const right = this.SUBRULE3(this.#relation);
          if (!this.RECORDING_PHASE) left = this.#member('internal.member_3', operator, [start, middle, right]);
        } else break;
      }
      if (this.RECORDING_PHASE || this.#atIn()) {
        const operator = this.CONSUME2(t.In) as Token;
        const right = this.SUBRULE4(this.#relation);
        if (this.RECORDING_PHASE) return undefined as never;
        left = this.#member('internal.member_2', operator, [left, right]);
        // After a membership, a comma is not the start of another pair.
        if (!this.#atIn()) break;
      } else if (!this.#atIn()) break;
      if (++count > maxChain) this.fail('nestedTooDeeply', this.#tokenSpan(this.#next), {});
    }
    return left;
  });

  /** An element of a list: as `expression`, but a comma ends it. */
  readonly element: ParserMethod<[], Term> = this.RULE('element', () => {
    const left = this.SUBRULE(this.#term);
    if (!this.RECORDING_PHASE && !this.#atInfix() && !this.#at(t.In)) return left;
    return this.SUBRULE(this.#elementTail, { ARGS: [left] });
  });

  readonly #elementTail: ParserMethod<[Term], Term> = this.RULE('elementTail', (first: Term) => {
    let left = first;
    if (this.RECORDING_PHASE || this.#atInfix()) left = this.SUBRULE(this.#infix, { ARGS: [left] });
    let count = 0;
    this.MANY({
      GATE: () => this.#atIn(),
      DEF: () => {
        const operator = this.CONSUME(t.In) as Token;
        const right = this.SUBRULE(this.#relation);
        if (this.RECORDING_PHASE) return;
        if (++count > maxChain) this.fail('nestedTooDeeply', this.#tokenSpan(operator), {});
        left = this.#member('internal.member_2', operator, [left, right]);
      },
    });
    return left;
  });

  /** A term with the operators that bind closer than `in`. */
  readonly #relation: ParserMethod<[], Term> = this.RULE('relation', () => {
    const left = this.SUBRULE(this.#term);
    if (!this.RECORDING_PHASE && !this.#atInfix()) return left;
    return this.SUBRULE(this.#infix, { ARGS: [left] });
  });

  #atInfix(): boolean {
    return this.#at(t.Infix) || this.#at(t.Minus) || this.#at(t.Pipe);
  }

  #atIn(): boolean {
    return this.#at(t.In) && !this.#touches(this.#next, this.LA(2) as Token);
  }

  #operator(token: Token): RefTerm {
    const loc = this.#tokenSpan(token);
    return refTerm(loc, [varTerm(loc, token.image)]);
  }

  #member(name: string, operator: Token, args: Term[]): Term {
    return callTerm(this.#span(args[0]!.loc.start), operatorRef(this.#tokenSpan(operator), name), args);
  }

  readonly #infix: ParserMethod<[Term], Term> = this.RULE('infix', (first: Term) => {
    const operands = [first];
    const operators: Token[] = [];
    const reduce = (): void => {
      const right = operands.pop()!;
      const left = operands.pop()!;
      operands.push(callTerm(new Span(this.#source, left.loc.start, right.loc.end), this.#operator(operators.pop()!), [left, right]));
    };
    let count = 0;
    this.AT_LEAST_ONE(() => {
      const operator = this.OR([
        { ALT: () => this.CONSUME(t.Infix) },
        { ALT: () => this.CONSUME(t.Minus) },
        { ALT: () => this.CONSUME(t.Pipe) },
      ]) as Token;
      const right = this.SUBRULE(this.#term);
      if (this.RECORDING_PHASE) return;
      if (++count > maxChain) this.fail('nestedTooDeeply', this.#tokenSpan(operator), {});
      while (operators.length > 0 && precedence(operators.at(-1)!) >= precedence(operator)) reduce();
      operators.push(operator);
      operands.push(right);
    });
    if (this.RECORDING_PHASE) return undefined as never;
    while (operators.length > 0) reduce();
    return operands[0]!;
  });

  /** A term without infix operators, with what follows it: fields, indexes, arguments. */
  readonly #term: ParserMethod<[], Term> = this.RULE('term', () => {
    const head = this.OR(this.#termAlternatives);
    if (!this.RECORDING_PHASE && !this.#suffixAhead())
      return head.type === 'var' && isRootName(head.name) ? refTerm(head.loc, [head]) : head;
    return this.#termOf(this.SUBRULE(this.#suffixes, { ARGS: [head, false] }), head);
  });

  // The getter is read once per term; the list is made once.
  #alternatives: { ALT: () => Term }[] | undefined;
  get #termAlternatives(): { ALT: () => Term }[] {
    return (this.#alternatives ??= [
      { ALT: () => this.#variable(this.CONSUME(t.Identifier) as Token) },
      { ALT: () => this.#literalString(this.CONSUME(t.StringLiteral) as Token) },
      { ALT: () => this.#number('', this.CONSUME(t.NumberLiteral) as Token, this.LA(0) as Token) },
      { ALT: () => this.SUBRULE(this.#array) },
      { ALT: () => this.SUBRULE(this.#setOrObject) },
      { ALT: () => booleanTerm(this.#tokenSpan(this.CONSUME(t.True) as Token), true) },
      { ALT: () => booleanTerm(this.#tokenSpan(this.CONSUME(t.False) as Token), false) },
      { ALT: () => nullTerm(this.#tokenSpan(this.CONSUME(t.Null) as Token)) },
      { ALT: () => this.#variable(this.CONSUME(t.Contains) as Token) },
      { ALT: () => this.SUBRULE(this.#parenthesized) },
      { ALT: () => this.SUBRULE(this.#negative) },
      { ALT: () => this.SUBRULE(this.#fraction) },
      { ALT: () => this.SUBRULE(this.#template) },
    ]);
  }

  #literalString(token: Token): Term {
    return stringTerm(this.#tokenSpan(token), token.image);
  }

  readonly #parenthesized: ParserMethod<[], Term> = this.RULE('parenthesized', () => {
    this.CONSUME(t.LeftParen);
    const term = this.SUBRULE(this.expression);
    if (!this.RECORDING_PHASE && !this.#at(t.RightParen)) this.fail('nonTerminatedExpression', this.#tokenSpan(this.#next), {});
    this.CONSUME(t.RightParen);
    return term;
  });

  readonly #negative: ParserMethod<[], Term> = this.RULE('negative', () => {
    const minus = this.CONSUME(t.Minus) as Token;
    if (this.RECORDING_PHASE || this.#at(t.Identifier) || this.#at(t.Contains)) {
      const operand = this.SUBRULE(this.#term);
      if (this.RECORDING_PHASE) this.#recordNumber();
      const loc = this.#tokenSpan(minus);
      return callTerm(this.#span(minus.startOffset), this.#operator(minus), [numberTerm(loc, '0'), operand]);
    }
    if (this.#at(t.Dot)) return this.#fractionAfter('-', minus);
    if (!this.#at(t.NumberLiteral)) this.unexpected('expected number');
    return this.#number('-', this.CONSUME(t.NumberLiteral) as Token, minus);
  });

  #recordNumber(): void {
    this.OR([{ ALT: () => this.CONSUME(t.NumberLiteral) }, { ALT: () => [this.CONSUME(t.Dot), this.CONSUME2(t.NumberLiteral)] }]);
  }

  readonly #fraction: ParserMethod<[], Term> = this.RULE('fraction', () => {
    if (!this.RECORDING_PHASE) return this.#fractionAfter('', this.#next);
    this.CONSUME(t.Dot);
    this.CONSUME(t.NumberLiteral);
    return undefined as never;
  });

  #fractionAfter(sign: string, start: Token): Term {
    this.CONSUME(t.Dot);
    if (!this.#at(t.NumberLiteral)) this.unexpected('expected number');
    return this.#number(`${sign}0.`, this.CONSUME2(t.NumberLiteral) as Token, start);
  }

  #number(prefix: string, token: Token, start: Token): Term {
    const loc = this.#span(start.startOffset);
    if (this.RECORDING_PHASE) return numberTerm(loc, '0');
    const text = token.image;
    if (prefix.endsWith('.') && text.includes('.'))
      this.fail('unexpectedToken', loc, { token: 'number', keyword: false, note: 'invalid float' });
    if (!prefix.endsWith('.') && /^0\d/.test(text))
      this.fail('unexpectedToken', loc, { token: 'number', keyword: false, note: 'expected number without leading zero' });
    if (isTooBig(text)) this.fail('numberTooBig', loc, {});
    return numberTerm(loc, prefix + text);
  }

  readonly #template: ParserMethod<[], Term> = this.RULE('template', (): Term => {
    const start = this.#next;
    if (!this.RECORDING_PHASE && !this.#templates) this.fail('templatesUnsupported', this.#tokenSpan(start), {});
    const parts: (Term | Expr)[] = [];
    this.MANY(() => {
      const text = this.CONSUME(t.TemplatePart) as Token;
      if (!this.RECORDING_PHASE && text.image !== '') parts.push(this.#literalString(text));
      const expr = this.SUBRULE(this.literal);
      if (!this.RECORDING_PHASE) parts.push(this.#templateExpr(expr));
      this.CONSUME(t.RightBrace);
    });
    const end = this.CONSUME(t.TemplateEnd) as Token;
    if (this.RECORDING_PHASE) return undefined as never;
    if (end.image !== '') parts.push(this.#literalString(end));
    const multiLine = this.#source.text.charCodeAt(start.startOffset + 1) === 96;
    return { type: 'templatestring', loc: this.#span(start.startOffset), parts, multiLine };
  });

  #templateExpr(expr: Expr): Term | Expr {
    const reject = (what: string): never => this.fail('invalidTemplatePart', expr.loc, { what });
    if (expr.negated) reject("negation ('not')");
    if (expr.kind === 'some' || expr.kind === 'every') reject(`'${expr.kind}'`);
    if (expr.kind === 'call') {
      const operator = expr.operator.loc.text;
      if (operator === '=') reject("unification ('=')");
      if (operator === ':=') reject("assignment (':=')");
    }
    if (expr.kind === 'term' && expr.with.length === 0 && isScalar(expr.term)) return expr.term;
    return expr;
  }

  #suffixAhead(): boolean {
    const next = this.#next;
    if (next.spaceBefore) return false;
    const type = next.tokenTypeIdx;
    return type === t.Dot.tokenTypeIdx || type === t.LeftBracket.tokenTypeIdx || type === t.LeftParen.tokenTypeIdx;
  }

  #termOf({ terms, args }: Ref, head: Term): Term {
    if (this.RECORDING_PHASE) return undefined as never;
    const loc = this.#span(head.loc.start);
    if (!args) return terms.length === 1 ? terms[0]! : refTerm(loc, terms);
    const first = terms[0]!;
    if (args.length === 0 && terms.length === 1 && first.type === 'var' && first.name === 'set') return { type: 'set', loc, items: [] };
    const last = terms[terms.length - 1]!;
    return callTerm(loc, refTerm(new Span(this.#source, head.loc.start, last.loc.end), terms), args);
  }

  /** Fields, indexes and arguments after a term. Arguments that nothing follows are the result's `args`. */
  readonly #suffixes: ParserMethod<[Term, boolean], Ref> = this.RULE('suffixes', (head: Term, isRuleHead: boolean) => {
    if (!this.RECORDING_PHASE && !canHeadRef(head)) this.fail('illegalRefHead', head.loc, { kind: head.type });
    let terms = [head];
    let args: Term[] | undefined;
    let isFirst = isRuleHead;
    let calls = 0;
    this.MANY({
      GATE: () => (isFirst || !this.#next.spaceBefore) && !(args && this.#at(t.LeftParen)),
      DEF: () => {
        isFirst = false;
        if (!this.RECORDING_PHASE && args) {
          if (++calls > maxChain) this.fail('nestedTooDeeply', this.#tokenSpan(this.#next), {});
          terms = [this.#termOf({ terms, args }, head)];
          args = undefined;
        }
        this.OR([
          {
            ALT: () => {
              this.CONSUME(t.Dot);
              if (!this.RECORDING_PHASE && (this.#next.spaceBefore || !this.#at(t.Identifier))) this.unexpected('expected ident');
              terms.push(this.#literalString(this.CONSUME(t.Identifier) as Token));
            },
          },
          {
            ALT: () => {
              this.CONSUME(t.LeftBracket);
              terms.push(this.SUBRULE(this.expression));
              this.CONSUME(t.RightBracket);
            },
          },
          {
            ALT: () => {
              this.CONSUME(t.LeftParen);
              args = [];
              this.OPTION(() => this.SUBRULE(this.#elements, { ARGS: [args!] }));
              this.CONSUME(t.RightParen);
            },
          },
        ]);
      },
    });
    return { terms, args };
  });

  /** Elements up to the closing bracket; a comma may follow the last. */
  readonly #elements: ParserMethod<[Term[]], void> = this.RULE('elements', (items: Term[]) => {
    const first = this.SUBRULE(this.element);
    this.ACTION(() => items.push(first));
    this.SUBRULE(this.#moreElements, { ARGS: [items] });
  });

  readonly #moreElements: ParserMethod<[Term[]], void> = this.RULE('moreElements', (items: Term[]) => {
    let ended = false;
    this.MANY({
      GATE: () => !ended,
      DEF: () => {
        this.CONSUME(t.Comma);
        ended = true;
        this.OPTION(() => {
          const item = this.SUBRULE(this.element);
          this.ACTION(() => items.push(item));
          ended = false;
        });
      },
    });
  });

  /** The body of a comprehension after its head; undefined where the `|` is a union. */
  #comprehensionBody(): Body | undefined {
    if (!this.RECORDING_PHASE && !this.#at(t.Pipe)) return undefined;
    const position = this.#position();
    const key = position * 8 + Attempt.comprehension;
    if (this.#failed.has(key)) return undefined;
    const { problems } = this;
    const wildcards = this.#wildcards;
    try {
      this.CONSUME(t.Pipe);
      const body = this.SUBRULE(this.body);
      if (!this.RECORDING_PHASE && !this.#at(t.RightBracket) && !this.#at(t.RightBrace)) this.unexpected('expected \\n or ; or }');
      return body;
    } catch (error) {
      // A comma in a body means that this was a list: `[a | b, c]`.
      if (!(error instanceof ParseFailure) || error.token.tokenType !== t.Comma) throw error;
      this.problems = problems;
      this.#wildcards = wildcards;
      this.#failed.add(key);
      this.importLexerState(position);
      return undefined;
    }
  }

  readonly #array: ParserMethod<[], Term> = this.RULE('array', (): Term => {
    const start = (this.CONSUME(t.LeftBracket) as Token).startOffset;
    const items: Term[] = [];
    let result: Term | undefined;
    this.OPTION({
      GATE: () => !this.#at(t.RightBracket),
      DEF: () => {
        let leading = false;
        this.OPTION2(() => {
          this.CONSUME(t.Comma);
          leading = true;
        });
        let first = this.SUBRULE(this.#term);
        const body = leading && !this.RECORDING_PHASE ? undefined : this.#comprehensionBody();
        if (body && !this.RECORDING_PHASE) {
          this.CONSUME(t.RightBracket);
          result = { type: 'arraycomprehension', loc: this.#span(start), term: first, body };
          return;
        }
        first = this.SUBRULE(this.#elementTail, { ARGS: [first] });
        items.push(first);
        this.SUBRULE(this.#moreElements, { ARGS: [items] });
      },
    });
    if (result) return result;
    this.CONSUME2(t.RightBracket);
    return { type: 'array', loc: this.#span(start), items };
  });

  readonly #setOrObject: ParserMethod<[], Term> = this.RULE('setOrObject', (): Term => {
    const start = (this.CONSUME(t.LeftBrace) as Token).startOffset;
    if (!this.RECORDING_PHASE && this.#at(t.RightBrace)) {
      this.CONSUME(t.RightBrace);
      return { type: 'object', loc: this.#span(start), entries: [] };
    }
    let leading = false;
    this.OPTION(() => {
      this.CONSUME(t.Comma);
      leading = true;
    });
    let first = this.SUBRULE(this.#term);
    const body = leading && !this.RECORDING_PHASE ? undefined : this.#comprehensionBody();
    if (body && !this.RECORDING_PHASE) {
      this.CONSUME2(t.RightBrace);
      return { type: 'setcomprehension', loc: this.#span(start), term: first, body };
    }
    if (this.RECORDING_PHASE || this.#atInfix() || this.#at(t.In)) first = this.SUBRULE(this.#elementTail, { ARGS: [first] });
    if (this.RECORDING_PHASE || this.#at(t.Colon)) {
      const object = this.SUBRULE(this.#objectAfterKey, { ARGS: [start, first, !leading] });
      if (!this.RECORDING_PHASE) return object;
    }
    const items = [first];
    this.SUBRULE(this.#moreElements, { ARGS: [items] });
    if (!this.RECORDING_PHASE && !this.#at(t.RightBrace)) this.unexpected('non-terminated set');
    this.CONSUME3(t.RightBrace);
    return { type: 'set', loc: this.#span(start), items };
  });

  readonly #objectAfterKey: ParserMethod<[number, Term, boolean], Term> = this.RULE(
    'objectAfterKey',
    (start: number, key: Term, mayBeComprehension: boolean): Term => {
      this.CONSUME(t.Colon);
      let value = this.SUBRULE(this.#term);
      const body = mayBeComprehension || this.RECORDING_PHASE ? this.#comprehensionBody() : undefined;
      if (body && !this.RECORDING_PHASE) {
        this.CONSUME(t.RightBrace);
        return { type: 'objectcomprehension', loc: this.#span(start), key, value, body };
      }
      if (this.RECORDING_PHASE || this.#atInfix() || this.#at(t.In)) value = this.SUBRULE(this.#elementTail, { ARGS: [value] });
      const entries: ObjectEntry[] = [{ key, value }];
      let ended = false;
      this.MANY({
        GATE: () => !ended,
        DEF: () => {
          this.CONSUME(t.Comma);
          ended = true;
          this.OPTION(() => {
            const nextKey = this.SUBRULE(this.element);
            this.CONSUME2(t.Colon);
            const nextValue = this.SUBRULE2(this.element);
            entries.push({ key: nextKey, value: nextValue });
            ended = false;
          });
        },
      });
      if (!this.RECORDING_PHASE && !this.#at(t.RightBrace)) this.unexpected('non-terminated object');
      this.CONSUME2(t.RightBrace);
      return { type: 'object', loc: this.#span(start), entries };
    },
  );
}

const literalContinuations: ReadonlySet<TokenType> = new Set([
  t.Infix,
  t.Minus,
  t.Pipe,
  t.In,
  t.Assign,
  t.Unify,
  t.Comma,
  t.LogicalAnd,
  t.LogicalOr,
]);

function isScalar(term: Term): boolean {
  return term.type === 'string' || term.type === 'number' || term.type === 'boolean' || term.type === 'null';
}

function canHeadRef({ type }: Term): boolean {
  return !(type === 'ref' || type === 'templatestring' || type === 'string' || type === 'number' || type === 'boolean' || type === 'null');
}

function memberOperator({ terms }: RefTerm): boolean {
  const [head, name] = terms;
  return head?.type === 'var' && head.name === 'internal' && name?.type === 'string' && name.value.startsWith('member_');
}

/** What parentheses are redundant around: an `and`, an `or`, a negation. */
function isGroupBody(body: Body): boolean {
  const [expr, second] = body;
  return second === undefined && expr !== undefined && (expr.negated || expr.kind === 'and' || expr.kind === 'or' || expr.kind === 'not');
}

/** The name of `print` where an operand does nothing else. */
function voidCall(body: Body): string | undefined {
  const calls = body.every(
    (expr) =>
      expr.kind === 'call' &&
      !expr.negated &&
      expr.operator.terms.length === 1 &&
      expr.operator.terms[0]!.type === 'var' &&
      expr.operator.terms[0]!.name === 'print',
  );
  return calls ? 'print' : undefined;
}

/** A number beyond 2^±100000 costs more to print than it is worth. */
function isTooBig(text: string): boolean {
  const e = text.search(/[eE]/);
  if (e < 0) return text.length > 30_000;
  const [whole = '', fraction = ''] = text.slice(0, e).split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return false;
  const magnitude = Number(text.slice(e + 1)) + digits.length - fraction.length;
  return Math.abs(magnitude) * Math.log2(10) > 100_000;
}

/** The end of the text has no column of its own: the reference shows the last one's. */
function atEnd(diagnostic: Diagnostic, token: Token): Diagnostic {
  if (token.tokenType !== EOF || !diagnostic.location) return diagnostic;
  return { ...diagnostic, location: { ...diagnostic.location, col: diagnostic.location.col - 1 } };
}

export { Token };
