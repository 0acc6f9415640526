/** Terms with infix operators. */

import type { ParserMethod } from 'chevrotain';
import { callTerm, operatorRef } from '../ast/make.js';
import type { Term } from '../ast/nodes.js';
import { Span } from '../source/location.js';
import { Attempt, maxChain } from './cursor.js';
import { Terms } from './terms.js';
import type { Token } from './tokens.js';
import * as t from './tokens.js';

const precedences: Readonly<Record<string, number>> = { mul: 5, div: 5, rem: 5, plus: 4, minus: 4, and: 3, or: 2 };
const precedence = (operator: Token): number => precedences[operator.image] ?? 1;

export abstract class Operators extends Terms {
  /** A term with infix operators, and memberships of two: `k, v in xs`. */
  readonly expression: ParserMethod<[], Term> = this.RULE('expression', () => {
    let left = this.SUBRULE(this.term);
    if (this.RECORDING_PHASE || this.atInfix()) left = this.SUBRULE(this.infix, { ARGS: [left] });
    let count = 0;
    while (this.RECORDING_PHASE || this.at(t.Comma) || this.atIn()) {
      const start = left;
      if (this.RECORDING_PHASE || this.at(t.Comma)) {
        const pair = this.attempt(Attempt.pair, () => {
          this.CONSUME(t.Comma);
          let middle = this.SUBRULE2(this.term);
          if (this.RECORDING_PHASE || this.atInfix()) middle = this.SUBRULE2(this.infix, { ARGS: [middle] });
          if (!this.RECORDING_PHASE && !this.atIn()) return undefined;
          return { middle, operator: this.CONSUME(t.In) as Token };
        });
        if (this.RECORDING_PHASE || pair) {
          const { middle, operator } = pair ?? { middle: left, operator: undefined as never };
          const right = this.SUBRULE3(this.relation);
          if (!this.RECORDING_PHASE) left = this.member('internal.member_3', operator, [start, middle, right]);
        } else break;
      }
      if (this.RECORDING_PHASE || this.atIn()) {
        const operator = this.CONSUME2(t.In) as Token;
        const right = this.SUBRULE4(this.relation);
        if (this.RECORDING_PHASE) return undefined as never;
        left = this.member('internal.member_2', operator, [left, right]);
        // After a membership, a comma is not the start of another pair.
        if (!this.atIn()) break;
      } else if (!this.atIn()) break;
      if (++count > maxChain) this.fail('nestedTooDeeply', this.tokenSpan(this.next), {});
    }
    return left;
  });

  /** An element of a list: as `expression`, but a comma ends it. */
  readonly element: ParserMethod<[], Term> = this.RULE('element', () => {
    const left = this.SUBRULE(this.term);
    if (!this.RECORDING_PHASE && !this.atInfix() && !this.at(t.In)) return left;
    return this.SUBRULE(this.elementTail, { ARGS: [left] });
  });

  protected readonly elementTail: ParserMethod<[Term], Term> = this.RULE('elementTail', (first: Term) => {
    let left = first;
    if (this.RECORDING_PHASE || this.atInfix()) left = this.SUBRULE(this.infix, { ARGS: [left] });
    let count = 0;
    this.MANY({
      GATE: () => this.atIn(),
      DEF: () => {
        const operator = this.CONSUME(t.In) as Token;
        const right = this.SUBRULE(this.relation);
        if (this.RECORDING_PHASE) return;
        if (++count > maxChain) this.fail('nestedTooDeeply', this.tokenSpan(operator), {});
        left = this.member('internal.member_2', operator, [left, right]);
      },
    });
    return left;
  });

  /** A term with the operators that bind closer than `in`. */
  protected readonly relation: ParserMethod<[], Term> = this.RULE('relation', () => {
    const left = this.SUBRULE(this.term);
    if (!this.RECORDING_PHASE && !this.atInfix()) return left;
    return this.SUBRULE(this.infix, { ARGS: [left] });
  });

  protected atInfix(): boolean {
    return this.at(t.Infix) || this.at(t.Minus) || this.at(t.Pipe);
  }

  protected atIn(): boolean {
    return this.at(t.In) && !this.touches(this.next, this.LA(2) as Token);
  }

  protected member(name: string, operator: Token, args: Term[]): Term {
    return callTerm(this.span(args[0]!.loc.start), operatorRef(this.tokenSpan(operator), name), args);
  }

  protected readonly infix: ParserMethod<[Term], Term> = this.RULE('infix', (first: Term) => {
    const operands = [first];
    const operators: Token[] = [];
    const reduce = (): void => {
      const right = operands.pop()!;
      const left = operands.pop()!;
      operands.push(callTerm(new Span(this.source, left.loc.start, right.loc.end), this.operator(operators.pop()!), [left, right]));
    };
    let count = 0;
    this.AT_LEAST_ONE(() => {
      const operator = this.OR([
        { ALT: () => this.CONSUME(t.Infix) },
        { ALT: () => this.CONSUME(t.Minus) },
        { ALT: () => this.CONSUME(t.Pipe) },
      ]) as Token;
      const right = this.SUBRULE(this.term);
      if (this.RECORDING_PHASE) return;
      if (++count > maxChain) this.fail('nestedTooDeeply', this.tokenSpan(operator), {});
      while (operators.length > 0 && precedence(operators.at(-1)!) >= precedence(operator)) reduce();
      operators.push(operator);
      operands.push(right);
    });
    if (this.RECORDING_PHASE) return undefined as never;
    while (operators.length > 0) reduce();
    return operands[0]!;
  });
}
