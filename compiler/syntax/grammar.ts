/**
 * The grammar of both versions, as chevrotain rules with embedded actions; this file has modules and rules, those it extends have, from
 * the ground up: `cursor`, `collections`, `terms`, `operators`, `logic`, `bodies`.
 */

import { EOF, type ParserMethod, type TokenType } from 'chevrotain';
import { refTerm, stringTerm, varTerm } from '../ast/make.js';
import { isGround, isRootName } from '../ast/names.js';
import type { Body, Expr, Import, Package, Rule, Term } from '../ast/nodes.js';
import { Span } from '../source/location.js';
import { Bodies } from './bodies.js';
import { Attempt, type CursorInput } from './cursor.js';
import { buildRule, chainedRule, type ElseParts, elseRule, type HeadParts, headOf, ruleOfBody } from './heads.js';
import type { RefParts } from './terms.js';
import * as t from './tokens.js';
import { isKeyword, type Token } from './tokens.js';

/** An `else` is a rule inside a rule. */
const maxElses = 1000;

export type Statement = Package | Import | Rule;

export interface GrammarInput extends CursorInput {
  /** Called after each import, which may activate keywords. */
  readonly imported: (statement: Import, grammar: Grammar) => void;
}

export class Grammar extends Bodies {
  #imported: GrammarInput['imported'] = () => {};
  /** The token at which a module's statements are left for the next step. */
  #stopAt = Number.POSITIVE_INFINITY;

  constructor() {
    super();
    this.performSelfAnalysis();
  }

  /** Makes the parser ready for a text. */
  start(input: GrammarInput): void {
    this.reading(input);
    this.#imported = input.imported;
    this.#stopAt = Number.POSITIVE_INFINITY;
  }

  /** The next statements of a module, up to about so many tokens. */
  statements(tokens: number): Statement[] {
    this.#stopAt = this.currIdx + tokens;
    return this.module();
  }

  /** Whether all statements were read. */
  get isAtEnd(): boolean {
    return this.at(EOF);
  }

  readonly module: ParserMethod<[], Statement[]> = this.RULE('module', () => {
    const statements: Statement[] = [];
    this.MANY({
      GATE: () => {
        this.soften();
        this.beginStatement();
        return this.currIdx < this.#stopAt;
      },
      DEF: () => {
        this.OR([
          { ALT: () => statements.push(this.SUBRULE(this.packageDeclaration)) },
          {
            ALT: () => {
              const statement = this.SUBRULE(this.importDeclaration);
              statements.push(statement);
              this.ACTION(() => this.#imported(statement, this));
            },
          },
          {
            ALT: () => {
              const rules = this.SUBRULE(this.rule);
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
    if (!this.RECORDING_PHASE && !this.at(EOF) && this.currIdx < this.#stopAt) this.unexpected();
    return statements;
  });

  /** A query: bodies, of which there may be several without a separator. */
  readonly query: ParserMethod<[], Expr[]> = this.RULE('query', () => {
    const body: Expr[] = [];
    this.MANY({
      GATE: () => {
        this.soften();
        return true;
      },
      DEF: () => {
        const more = this.SUBRULE(this.statementQuery);
        this.ACTION(() => body.push(...more));
      },
    });
    if (!this.RECORDING_PHASE && !this.at(EOF)) this.unexpected();
    return body;
  });

  protected readonly packageDeclaration: ParserMethod<[], Package> = this.RULE('packageDeclaration', (): Package => {
    const start = this.CONSUME(t.Package) as Token;
    const path = this.SUBRULE(this.path);
    if (this.RECORDING_PHASE) return undefined as never;
    const [head, ...rest] = path.type === 'ref' ? path.terms : [path];
    if (head?.type !== 'var') return this.fail('pathNeedsVar', path.loc, { kind: (head ?? path).type });
    for (const term of rest) if (term.type !== 'string') this.fail('pathNeedsString', term.loc, { kind: term.type });
    return { type: 'package', loc: this.tokenSpan(start), path: [varTerm(head.loc, 'data'), stringTerm(head.loc, head.name), ...rest] };
  });

  protected readonly importDeclaration: ParserMethod<[], Import> = this.RULE('importDeclaration', (): Import => {
    const start = this.CONSUME(t.Import) as Token;
    const path = this.SUBRULE(this.path);
    let alias: string | undefined;
    if (this.RECORDING_PHASE || this.at(t.As)) {
      this.CONSUME(t.As);
      const name = this.CONSUME(t.Identifier) as Token;
      alias = name.image;
    }
    if (this.RECORDING_PHASE) return undefined as never;
    const ref = path.type === 'ref' ? path : refTerm(path.loc, [path]);
    return { type: 'import', loc: this.tokenSpan(start), path: ref, alias };
  });

  /** A package's or an import's: any word may start it. */
  protected readonly path: ParserMethod<[], Term> = this.RULE('path', () => {
    if (!this.RECORDING_PHASE && isKeyword(this.next.tokenType)) this.next.become(t.Identifier);
    if (!this.RECORDING_PHASE && !this.at(t.Identifier)) {
      // A path that is no path: as the reference has it, the end of the text is missing a name.
      if (this.at(EOF)) this.unexpected('expected ident');
    }
    const name = this.CONSUME(t.Identifier) as Token;
    const head = this.variable(name);
    if (!this.RECORDING_PHASE && !this.suffixAhead()) return isRootName(head.name) ? refTerm(head.loc, [head]) : head;
    return this.termOf(this.SUBRULE(this.suffixes, { ARGS: [head, false] }), head);
  });

  protected readonly rule: ParserMethod<[], Rule[]> = this.RULE('rule', () => {
    const start = this.next;
    let isDefault = false;
    this.OPTION(() => {
      this.CONSUME(t.Default);
      isDefault = true;
      this.soften();
    });
    const head = this.SUBRULE(this.head);
    if (this.RECORDING_PHASE) this.recordBodies();
    if (this.RECORDING_PHASE) return undefined as never;
    const ruleStart = start.startOffset;
    if (isDefault) return [buildRule.default(head, this.span(ruleStart), this)];

    const hasIf = this.at(t.If);
    const body = hasIf ? this.bodyAfterIf() : this.at(t.LeftBrace) ? this.SUBRULE2(this.braces) : undefined;
    if (body === undefined) return [buildRule.withoutBody(head, this)];
    const ruleHead = headOf(head, hasIf, this);
    const rule = { start: ruleStart, head: ruleHead, body };
    const elses = this.elses(rule.head);
    const first = buildRule.withBody(rule, elses, new Span(this.source, ruleStart, (this.LA(0) as Token).end));
    const rules = [first];
    while (this.at(t.LeftBrace)) {
      if (first.else) this.fail('elseExpected', this.tokenSpan(this.next), {});
      const open = this.next;
      const next = this.SUBRULE3(this.braces);
      rules.push(chainedRule(first, next, this.span(open.startOffset), this));
    }
    return rules;
  });

  /** What `rule` decides by itself, for chevrotain's analysis. */
  protected recordBodies(): void {
    this.OPTION2(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(t.If);
            this.OR2([{ ALT: () => this.SUBRULE(this.braces) }, { ALT: () => this.SUBRULE(this.literal) }]);
          },
        },
        { ALT: () => this.SUBRULE2(this.braces) },
      ]);
      this.MANY(() => this.SUBRULE(this.else));
      this.MANY2(() => this.SUBRULE3(this.braces));
    });
  }

  protected bodyAfterIf(): Body {
    this.CONSUME(t.If);
    if (!this.at(t.LeftBrace)) return [this.SUBRULE(this.literal)];
    if (this.mayBeLiteral(this.next)) {
      const expr = this.attempt(Attempt.literalAfterIf, () => {
        const literal = this.SUBRULE(this.literal);
        // A set is never false: `{ true }` is meant as a body.
        return literal.kind === 'term' && literal.term.type === 'set' ? undefined : literal;
      });
      if (expr) return [expr];
    }
    return this.SUBRULE(this.braces);
  }

  /** Whether what starts with this brace may be an expression rather than a body: an object, a comprehension, an operand. */
  protected mayBeLiteral(open: Token): boolean {
    if (open.close < 0) return false;
    if (open.hasColon || open.hasPipe) return true;
    const tokens = this.input as Token[];
    const close = tokens[open.close]!;
    if (tokens[this.position() + 2] === close) return true;
    const after = tokens[open.close + 1];
    if (after === undefined) return false;
    if (!after.spaceBefore && (after.tokenType === t.Dot || after.tokenType === t.LeftBracket || after.tokenType === t.LeftParen))
      return true;
    return literalContinuations.has(after.tokenType);
  }

  protected elses(head: Rule['head']): { start: Token; rule: Rule }[] {
    const elses: { start: Token; rule: Rule }[] = [];
    while (this.at(t.Else)) {
      this.soften();
      if (!this.at(t.Else)) break;
      const start = this.next;
      if (elses.length === 0) {
        if (head.ref.length > 1 && !head.ref.every((term, i) => i === 0 || isGround(term)))
          this.fail('elseOnVariableHead', this.tokenSpan(start), {});
        if (head.key) this.fail('elseOnMultiValue', this.tokenSpan(start), {});
      }
      if (elses.length >= maxElses) this.fail('nestedTooDeeply', this.tokenSpan(start), {});
      elses.push({ start, rule: elseRule(head, this.SUBRULE(this.else), this) });
    }
    return elses;
  }

  protected readonly else: ParserMethod<[], ElseParts> = this.RULE('else', () => {
    const start = this.CONSUME(t.Else) as Token;
    let value: Term | undefined;
    let assign = false;
    let headLoc = this.tokenSpan(start);
    if (this.RECORDING_PHASE || this.at(t.Assign) || this.at(t.Unify)) {
      assign = this.at(t.Assign);
      this.OR([{ ALT: () => this.CONSUME(t.Assign) }, { ALT: () => this.CONSUME(t.Unify) }]);
      value = this.SUBRULE(this.expression);
      headLoc = this.span(start.startOffset);
    } else if (!this.at(t.LeftBrace) && !this.at(t.If)) this.unexpected('expected else value term or rule body');
    let hasIf = false;
    let body: Body | undefined;
    if (this.RECORDING_PHASE || this.at(t.If)) {
      hasIf = true;
      this.CONSUME(t.If);
      if (!this.RECORDING_PHASE && this.at(EOF)) this.unexpected('rule body expected');
      body = this.OR2([{ ALT: () => this.SUBRULE(this.braces) }, { ALT: () => [this.SUBRULE(this.literal)] }]);
    } else if (this.at(t.LeftBrace)) body = this.SUBRULE2(this.braces);
    return { loc: this.span(start.startOffset), headLoc, assign, value, hasIf, body };
  });

  /** A rule's head up to its body: `p`, `f(x) := y`, `a.b[x] contains y`. */
  protected readonly head: ParserMethod<[], HeadParts> = this.RULE('head', () => {
    const name = this.CONSUME(t.Identifier) as Token;
    const head = this.variable(name);
    let ref: RefParts = { terms: [head], args: undefined };
    // In a head, a space may stand after the name.
    if (this.RECORDING_PHASE || this.at(t.Dot) || this.at(t.LeftBracket) || this.at(t.LeftParen))
      ref = this.SUBRULE(this.suffixes, { ARGS: [head, true] });
    else if (this.at(t.Infix) || this.at(t.Minus) || this.at(t.Pipe)) this.unexpected();
    const refLoc = this.RECORDING_PHASE ? head.loc : this.span(name.startOffset);
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
    return { loc: this.span(name.startOffset), refLoc, ref: ref.terms, args: ref.args, key, value, assign };
  });
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
