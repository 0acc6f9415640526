/** Bodies and the expressions in them. */

import type { ParserMethod } from 'chevrotain';
import { exprBase, exprOf } from '../ast/make.js';
import type { Body, CallExpr, Expr, RefTerm, Term, VarTerm, With } from '../ast/nodes.js';
import { Attempt } from './cursor.js';
import { Logic } from './logic.js';
import * as t from './tokens.js';
import { type Token, tokenName } from './tokens.js';

export abstract class Bodies extends Logic {
  protected readonly braces: ParserMethod<[], Body> = this.RULE('braces', () => {
    this.CONSUME(t.LeftBrace);
    if (!this.RECORDING_PHASE && this.at(t.RightBrace)) this.fail('emptyBody', this.tokenSpan(this.next), {});
    const body = this.SUBRULE(this.body);
    this.CONSUME(t.RightBrace);
    return body;
  });

  /** Expressions, separated by line breaks or semicolons. */
  readonly body: ParserMethod<[], Expr[]> = this.RULE('body', () => {
    if (!this.RECORDING_PHASE && (this.at(t.RightBrace) || this.at(t.RightBracket))) this.fail('emptyBody', this.tokenSpan(this.next), {});
    const body = [this.SUBRULE(this.literal)];
    this.MANY({
      GATE: () => {
        if (this.at(t.Semicolon)) return true;
        if (!this.next.newlineBefore) return false;
        this.soften();
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
    this.soften();
    const start = this.next.startOffset;
    if (this.RECORDING_PHASE) this.OPTION8(() => this.SUBRULE(this.leadingOperand));
    else if (this.logicalKeywords && (this.at(t.LeftBrace) || this.at(t.LeftParen))) {
      const lead = this.SUBRULE(this.leadingOperand);
      if (lead) return this.logicalTail(lead, start);
    }
    let negated = false;
    let not: Token | undefined;
    this.OPTION(() => {
      not = this.CONSUME(t.Not) as Token;
      negated = true;
    });
    if (this.RECORDING_PHASE) {
      this.OPTION9(() => {
        this.SUBRULE(this.negatedOperand, { ARGS: [0] });
        this.SUBRULE(this.logicalChain, { ARGS: [undefined as never] });
        this.SUBRULE2(this.modifiers);
      });
    } else if (negated && this.notBodies && (this.at(t.LeftBrace) || this.at(t.LeftParen))) {
      const operand = this.SUBRULE(this.negatedOperand, { ARGS: [not!.startOffset] });
      if (operand) return this.logicalTail(operand, start);
    }
    if (!this.RECORDING_PHASE && negated && (this.at(t.Some) || this.at(t.Every)))
      this.unexpected(`illegal negation of '${this.next.image}'`);
    const expr = this.OR([
      { ALT: () => this.SUBRULE(this.some) },
      { ALT: () => this.SUBRULE(this.every) },
      { ALT: () => this.SUBRULE(this.plain) },
    ]);
    if (this.RECORDING_PHASE) {
      this.SUBRULE(this.modifiers);
      return undefined as never;
    }
    return this.finish(expr, start, negated);
  });

  protected finish(expr: Expr, start: number, negated: boolean): Expr {
    const withToken = this.next;
    const modifiers = this.at(t.With) ? this.SUBRULE(this.modifiers) : undefined;
    const loc = this.span(start);
    let whole: Expr = expr;
    if (negated) {
      whole = this.notBodies
        ? { ...exprBase(loc), kind: 'not', body: [{ ...expr, loc }], explicit: false }
        : { ...expr, negated: true, loc };
    } else if (start !== expr.loc.start || modifiers) whole = { ...expr, loc };
    if (modifiers) whole = { ...whole, with: modifiers };
    if (this.atLogical()) {
      const operator = tokenName(this.next);
      if (modifiers) this.fail('withOnOperand', this.tokenSpan(withToken), { operator });
      if (!negated && this.source.text.charCodeAt(start) === 123) {
        if (expr.kind === 'term' && expr.term.type === 'object' && expr.term.entries.length === 0) this.fail('emptyBody', loc, {});
        this.fail('braceLedOperand', loc, { operator });
      }
      return this.logicalTail({ body: [whole], explicit: false, loc }, start);
    }
    return whole;
  }

  /** A term, a unification or an assignment. */
  protected readonly plain: ParserMethod<[], Expr> = this.RULE('plain', () => {
    const start = this.next.startOffset;
    const left = this.SUBRULE(this.expression);
    if (this.RECORDING_PHASE || this.at(t.Assign) || this.at(t.Unify)) {
      const operator = this.OR([{ ALT: () => this.CONSUME(t.Assign) }, { ALT: () => this.CONSUME(t.Unify) }]) as Token;
      const right = this.SUBRULE2(this.expression);
      if (this.RECORDING_PHASE) return undefined as never;
      const call: CallExpr = {
        type: 'expr',
        kind: 'call',
        loc: this.span(start),
        negated: false,
        generated: false,
        with: [],
        operator: this.operator(operator),
        args: [left, right],
      };
      return call;
    }
    return exprOf(this.span(start), left);
  });

  protected readonly modifiers: ParserMethod<[], With[]> = this.RULE('modifiers', () => {
    const modifiers: With[] = [];
    this.MANY(() => {
      const start = this.CONSUME(t.With) as Token;
      if (!this.RECORDING_PHASE && !this.at(t.Identifier)) this.unexpected('expected ident');
      const target = this.SUBRULE(this.term);
      if (!this.RECORDING_PHASE) {
        if (target.type !== 'ref' && target.type !== 'var') this.unexpected('expected with target path');
        if (!this.at(t.As)) this.unexpected('expected as keyword');
      }
      this.CONSUME(t.As);
      const value = this.SUBRULE(this.expression);
      this.ACTION(() => modifiers.push({ type: 'with', loc: this.span(start.startOffset), target, value }));
    });
    return modifiers;
  });

  protected readonly some: ParserMethod<[], Expr> = this.RULE('some', (): Expr => {
    const start = this.CONSUME(t.Some) as Token;
    const membership = this.attempt(Attempt.some, () => {
      if (!this.RECORDING_PHASE && this.onlyNames()) return undefined;
      const term = this.SUBRULE(this.expression);
      return this.RECORDING_PHASE || term.type === 'call' ? term : undefined;
    });
    if (!this.RECORDING_PHASE && membership?.type === 'call') {
      if (!memberOperator(membership.operator)) this.unexpected('expected `x in xs` or `x, y in xs` expression');
      return { ...exprBase(this.span(start.startOffset)), kind: 'some', symbols: [membership] };
    }
    const symbols: Term[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        if (!this.RECORDING_PHASE && !this.at(t.Identifier)) this.unexpected('expected var');
        symbols.push(this.variable(this.CONSUME(t.Identifier) as Token));
      },
    });
    if (this.RECORDING_PHASE) return undefined as never;
    return { ...exprBase(this.span(start.startOffset)), kind: 'some', symbols };
  });

  /** Whether what follows is a list of names and no membership, without reading it. */
  protected onlyNames(): boolean {
    for (let i = 1; ; i += 2) {
      if (this.LA(i).tokenType !== t.Identifier) return false;
      const after = this.LA(i + 1) as Token;
      if (after.tokenType === t.Comma) continue;
      return after.tokenType !== t.In && !this.touches(this.LA(i) as Token, after) && after.tokenType !== t.LeftParen;
    }
  }

  protected readonly every: ParserMethod<[], Expr> = this.RULE('every', (): Expr => {
    const start = this.CONSUME(t.Every) as Token;
    const term = this.SUBRULE(this.expression);
    if (this.RECORDING_PHASE) {
      this.SUBRULE(this.braces);
      return undefined as never;
    }
    const isMember = term.type === 'call' && memberOperator(term.operator);
    if (!isMember) return this.unexpected('expected `x[, y] in xs { ... }` expression');
    const [first, second, third] = term.args;
    const [key, value, domain] = third === undefined ? [undefined, first!, second!] : [first!, second!, third];
    if (key && key.type !== 'var') this.unexpected('expected key to be a variable');
    if (value.type !== 'var') return this.unexpected('expected value to be a variable');
    if (!this.at(t.LeftBrace)) this.unexpected('missing body');
    const body = this.SUBRULE(this.braces);
    return { ...exprBase(this.span(start.startOffset)), kind: 'every', key: key as VarTerm | undefined, value, domain, body };
  });
}

function memberOperator({ terms }: RefTerm): boolean {
  const [head, name] = terms;
  return head?.type === 'var' && head.name === 'internal' && name?.type === 'string' && name.value.startsWith('member_');
}
