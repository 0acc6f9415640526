/** The keywords `and` and `or`, and bodies under `not`. */

import type { ParserMethod } from 'chevrotain';
import { exprBase } from '../ast/make.js';
import type { Body, Expr, LogicalExpr, With } from '../ast/nodes.js';
import { Span } from '../source/location.js';
import { Attempt, maxChain } from './cursor.js';
import { Operators } from './operators.js';
import * as t from './tokens.js';
import { type Token, tokenName } from './tokens.js';

/** An operand of `and`, `or` and `not`: a body, in braces if `explicit`. */
export interface Operand {
  readonly body: Body;
  readonly explicit: boolean;
  readonly loc: Span;
}

export abstract class Logic extends Operators {
  /** A body in braces. */
  protected abstract readonly braces: ParserMethod<[], Body>;
  /** A term, a unification or an assignment. */
  protected abstract readonly plain: ParserMethod<[], Expr>;
  protected abstract readonly modifiers: ParserMethod<[], With[]>;

  protected atLogical(): boolean {
    return this.logicalKeywords && (this.at(t.LogicalAnd) || this.at(t.LogicalOr));
  }

  /** `{ … } or …` and `(a or b)` at the start of an expression; undefined where these are terms. */
  protected readonly leadingOperand: ParserMethod<[], Operand | undefined> = this.RULE('leadingOperand', () => {
    if (this.RECORDING_PHASE) {
      this.OR([{ ALT: () => this.SUBRULE(this.braces) }, { ALT: () => this.SUBRULE(this.group, { ARGS: [false] }) }]);
      return undefined;
    }
    if (this.at(t.LeftBrace)) {
      return this.attempt(Attempt.operand, () => {
        const operand = this.bracedOperand(this.SUBRULE(this.braces));
        return this.atLogical() ? operand : undefined;
      });
    }
    return this.attempt(Attempt.group, () => this.SUBRULE(this.group, { ARGS: [false] }));
  });

  protected bracedOperand(body: Body): Operand {
    const first = body[0]!;
    if (first.kind === 'call' && first.operator.loc.text === '|' && !isParenthesized(first.loc.text))
      this.problem('ambiguousUnion', first.loc, {});
    return { body, explicit: true, loc: first.loc };
  }

  /** `not { … }` and `not (…)`, after the `not`; undefined where the parentheses hold a term. */
  protected readonly negatedOperand: ParserMethod<[number], Operand | undefined> = this.RULE(
    'negatedOperand',
    (start: number): Operand | undefined => {
      if (this.RECORDING_PHASE) {
        this.OR([{ ALT: () => this.SUBRULE(this.braces) }, { ALT: () => this.SUBRULE(this.group, { ARGS: [true] }) }]);
        return undefined;
      }
      const operand = this.at(t.LeftBrace)
        ? this.bracedOperand(this.SUBRULE(this.braces))
        : this.attempt(Attempt.group, () => this.SUBRULE(this.group, { ARGS: [true] }));
      if (!operand) return undefined;
      const loc = this.span(start);
      return { body: [{ ...exprBase(loc), kind: 'not', body: operand.body, explicit: operand.explicit }], explicit: false, loc };
    },
  );

  protected readonly operand: ParserMethod<[], Operand> = this.RULE('operand', () => {
    const start = this.next.startOffset;
    if (this.RECORDING_PHASE) this.OPTION9(() => this.SUBRULE(this.braces));
    else if (this.at(t.LeftBrace)) {
      const body = this.SUBRULE(this.braces);
      return { ...this.bracedOperand(body), loc: this.span(start) };
    }
    this.soften();
    let negated = false;
    this.OPTION(() => {
      this.CONSUME(t.Not);
      negated = true;
    });
    if (this.RECORDING_PHASE) this.OPTION8(() => this.SUBRULE(this.negatedOperand, { ARGS: [0] }));
    else if (negated && this.notBodies && (this.at(t.LeftBrace) || this.at(t.LeftParen))) {
      const operand = this.SUBRULE(this.negatedOperand, { ARGS: [start] });
      if (operand) return operand;
    } else if (!negated && this.at(t.LeftParen)) {
      const group = this.attempt(Attempt.group, () => this.SUBRULE(this.group, { ARGS: [true] }));
      if (group) return group;
    }
    const expr = this.SUBRULE(this.plain);
    if (this.RECORDING_PHASE) {
      this.SUBRULE2(this.group, { ARGS: [true] });
      return undefined as never;
    }
    const loc = this.span(start);
    if (!negated) return { body: [expr], explicit: false, loc };
    const not: Expr = this.notBodies ? { ...exprBase(loc), kind: 'not', body: [expr], explicit: false } : { ...expr, loc, negated: true };
    return { body: [not], explicit: false, loc };
  });

  /** Parentheses around operands; undefined where they hold a plain term. */
  protected readonly group: ParserMethod<[boolean], Operand | undefined> = this.RULE('group', (isOperand: boolean) => {
    const open = this.CONSUME(t.LeftParen) as Token;
    const operand = this.SUBRULE(this.operand);
    if (this.RECORDING_PHASE) {
      this.SUBRULE(this.logicalChain, { ARGS: [operand] });
      this.SUBRULE(this.modifiers);
      this.CONSUME(t.RightParen);
      return undefined;
    }
    let body = operand.body;
    if (this.atLogical()) {
      const chain = this.SUBRULE(this.logicalChain, { ARGS: [operand] });
      body = [this.at(t.With) ? { ...chain, with: this.SUBRULE(this.modifiers) } : chain];
    } else if (this.at(t.With) && !operand.explicit) {
      body = [{ ...operand.body[0]!, with: this.SUBRULE(this.modifiers) }];
      if (this.atLogical()) this.fail('withOnOperand', this.tokenSpan(this.next), { operator: tokenName(this.next) });
      this.CONSUME(t.RightParen);
      return isOperand || this.atLogical() ? { body, explicit: false, loc: this.span(open.startOffset) } : undefined;
    } else if (operand.explicit || !isGroupBody(operand.body)) return undefined;
    if (!this.at(t.RightParen)) this.fail('groupNotClosed', this.tokenSpan(this.next), {});
    this.CONSUME(t.RightParen);
    return { body, explicit: false, loc: this.span(open.startOffset) };
  });

  /** Folds a chain of `and` and `or` to the left, `and` before `or`. */
  protected readonly logicalChain: ParserMethod<[Operand], Expr> = this.RULE('logicalChain', (first: Operand) => {
    const operands = [first];
    const operators: Token[] = [];
    const reduce = (): void => {
      const operator = operators.pop()!;
      const rhs = operands.pop()!;
      const lhs = operands.pop()!;
      const kind = operator.tokenType === t.LogicalAnd ? 'and' : 'or';
      const loc = new Span(this.source, lhs.loc.start, rhs.loc.end);
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
      const operand = this.SUBRULE(this.operand);
      if (this.RECORDING_PHASE) return;
      if (++count > maxChain) this.fail('nestedTooDeeply', this.tokenSpan(operator), {});
      while (operators.length > 0 && (operators.at(-1)!.tokenType === t.LogicalAnd || operator.tokenType === t.LogicalOr)) reduce();
      operands.push(operand);
      operators.push(operator);
    });
    if (this.RECORDING_PHASE) return undefined as never;
    while (operators.length > 0) reduce();
    return operands[0]!.body[0]!;
  });

  /** What follows an operand at the start of an expression. */
  protected logicalTail(operand: Operand, start: number): Expr {
    const expr = this.atLogical() ? this.SUBRULE(this.logicalChain, { ARGS: [operand] }) : operand.body[0]!;
    const modifiers = this.at(t.With) ? this.SUBRULE2(this.modifiers) : expr.with;
    return { ...expr, loc: this.span(start), with: modifiers };
  }
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

/** Whether one pair of parentheses holds all of a text. */
function isParenthesized(text: string): boolean {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|[()]/g)) {
    if (part === '(') depth++;
    else if (part === ')' && --depth === 0) return text.startsWith('(') && index === text.length - 1;
  }
  return false;
}
