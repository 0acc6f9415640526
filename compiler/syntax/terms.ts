/** Terms without infix operators: literals, names, templates, and what follows them. */

import type { ParserMethod } from 'chevrotain';
import { booleanTerm, callTerm, nullTerm, numberTerm, refTerm, stringTerm, varTerm } from '../ast/make.js';
import { isRootName } from '../ast/names.js';
import type { Expr, RefTerm, Term } from '../ast/nodes.js';
import { Span } from '../source/location.js';
import { Collections } from './collections.js';
import { maxChain } from './cursor.js';
import type { Token } from './tokens.js';
import * as t from './tokens.js';

/** What stands before its last arguments, if it has any: `a.b[c]`, `f(x).g` and `(y)`. */
export interface RefParts {
  readonly terms: readonly Term[];
  readonly args: readonly Term[] | undefined;
}

export abstract class Terms extends Collections {
  /** A term with infix operators. */
  protected abstract readonly expression: ParserMethod<[], Term>;
  /** One expression with its modifiers. */
  abstract readonly literal: ParserMethod<[], Expr>;

  /** A term without infix operators, with what follows it: fields, indexes, arguments. */
  protected readonly term: ParserMethod<[], Term> = this.RULE('term', () => {
    const head = this.OR(this.termAlternatives);
    if (!this.RECORDING_PHASE && !this.suffixAhead())
      return head.type === 'var' && isRootName(head.name) ? refTerm(head.loc, [head]) : head;
    return this.termOf(this.SUBRULE(this.suffixes, { ARGS: [head, false] }), head);
  });

  // The getter is read once per term; the list is made once.
  protected alternatives: { ALT: () => Term }[] | undefined;
  protected get termAlternatives(): { ALT: () => Term }[] {
    return (this.alternatives ??= [
      { ALT: () => this.variable(this.CONSUME(t.Identifier) as Token) },
      { ALT: () => this.literalString(this.CONSUME(t.StringLiteral) as Token) },
      { ALT: () => this.number('', this.CONSUME(t.NumberLiteral) as Token, this.LA(0) as Token) },
      { ALT: () => this.SUBRULE(this.array) },
      { ALT: () => this.SUBRULE(this.setOrObject) },
      { ALT: () => booleanTerm(this.tokenSpan(this.CONSUME(t.True) as Token), true) },
      { ALT: () => booleanTerm(this.tokenSpan(this.CONSUME(t.False) as Token), false) },
      { ALT: () => nullTerm(this.tokenSpan(this.CONSUME(t.Null) as Token)) },
      { ALT: () => this.variable(this.CONSUME(t.Contains) as Token) },
      { ALT: () => this.SUBRULE(this.parenthesized) },
      { ALT: () => this.SUBRULE(this.negative) },
      { ALT: () => this.SUBRULE(this.fraction) },
      { ALT: () => this.SUBRULE(this.template) },
    ]);
  }

  protected literalString(token: Token): Term {
    return stringTerm(this.tokenSpan(token), token.image);
  }

  protected readonly parenthesized: ParserMethod<[], Term> = this.RULE('parenthesized', () => {
    this.CONSUME(t.LeftParen);
    const term = this.SUBRULE(this.expression);
    if (!this.RECORDING_PHASE && !this.at(t.RightParen)) this.fail('nonTerminatedExpression', this.tokenSpan(this.next), {});
    this.CONSUME(t.RightParen);
    return term;
  });

  protected readonly negative: ParserMethod<[], Term> = this.RULE('negative', () => {
    const minus = this.CONSUME(t.Minus) as Token;
    if (this.RECORDING_PHASE || this.at(t.Identifier) || this.at(t.Contains)) {
      const operand = this.SUBRULE(this.term);
      if (this.RECORDING_PHASE) this.recordNumber();
      const loc = this.tokenSpan(minus);
      return callTerm(this.span(minus.startOffset), this.operator(minus), [numberTerm(loc, '0'), operand]);
    }
    if (this.at(t.Dot)) return this.fractionAfter('-', minus);
    if (!this.at(t.NumberLiteral)) this.unexpected('expected number');
    return this.number('-', this.CONSUME(t.NumberLiteral) as Token, minus);
  });

  protected recordNumber(): void {
    this.OR([{ ALT: () => this.CONSUME(t.NumberLiteral) }, { ALT: () => [this.CONSUME(t.Dot), this.CONSUME2(t.NumberLiteral)] }]);
  }

  protected readonly fraction: ParserMethod<[], Term> = this.RULE('fraction', () => {
    if (!this.RECORDING_PHASE) return this.fractionAfter('', this.next);
    this.CONSUME(t.Dot);
    this.CONSUME(t.NumberLiteral);
    return undefined as never;
  });

  protected fractionAfter(sign: string, start: Token): Term {
    this.CONSUME(t.Dot);
    if (!this.at(t.NumberLiteral)) this.unexpected('expected number');
    return this.number(`${sign}0.`, this.CONSUME2(t.NumberLiteral) as Token, start);
  }

  protected number(prefix: string, token: Token, start: Token): Term {
    const loc = this.span(start.startOffset);
    if (this.RECORDING_PHASE) return numberTerm(loc, '0');
    const text = token.image;
    if (prefix.endsWith('.') && text.includes('.'))
      this.fail('unexpectedToken', loc, { token: 'number', keyword: false, note: 'invalid float' });
    if (!prefix.endsWith('.') && /^0\d/.test(text))
      this.fail('unexpectedToken', loc, { token: 'number', keyword: false, note: 'expected number without leading zero' });
    if (isTooBig(text)) this.fail('numberTooBig', loc, {});
    return numberTerm(loc, prefix + text);
  }

  protected readonly template: ParserMethod<[], Term> = this.RULE('template', (): Term => {
    const start = this.next;
    if (!this.RECORDING_PHASE && !this.templates) this.fail('templatesUnsupported', this.tokenSpan(start), {});
    const parts: (Term | Expr)[] = [];
    this.MANY(() => {
      const text = this.CONSUME(t.TemplatePart) as Token;
      if (!this.RECORDING_PHASE && text.image !== '') parts.push(this.literalString(text));
      const expr = this.SUBRULE(this.literal);
      if (!this.RECORDING_PHASE) parts.push(this.templateExpr(expr));
      this.CONSUME(t.RightBrace);
    });
    const end = this.CONSUME(t.TemplateEnd) as Token;
    if (this.RECORDING_PHASE) return undefined as never;
    if (end.image !== '') parts.push(this.literalString(end));
    const multiLine = this.source.text.charCodeAt(start.startOffset + 1) === 96;
    return { type: 'templatestring', loc: this.span(start.startOffset), parts, multiLine };
  });

  protected templateExpr(expr: Expr): Term | Expr {
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

  protected operator(token: Token): RefTerm {
    const loc = this.tokenSpan(token);
    return refTerm(loc, [varTerm(loc, token.image)]);
  }

  protected suffixAhead(): boolean {
    const next = this.next;
    if (next.spaceBefore) return false;
    const type = next.tokenTypeIdx;
    return type === t.Dot.tokenTypeIdx || type === t.LeftBracket.tokenTypeIdx || type === t.LeftParen.tokenTypeIdx;
  }

  protected termOf({ terms, args }: RefParts, head: Term): Term {
    if (this.RECORDING_PHASE) return undefined as never;
    const loc = this.span(head.loc.start);
    if (!args) return terms.length === 1 ? terms[0]! : refTerm(loc, terms);
    const first = terms[0]!;
    if (args.length === 0 && terms.length === 1 && first.type === 'var' && first.name === 'set') return { type: 'set', loc, items: [] };
    const last = terms[terms.length - 1]!;
    return callTerm(loc, refTerm(new Span(this.source, head.loc.start, last.loc.end), terms), args);
  }

  /** Fields, indexes and arguments after a term. Arguments that nothing follows are the result's `args`. */
  protected readonly suffixes: ParserMethod<[Term, boolean], RefParts> = this.RULE('suffixes', (head: Term, isRuleHead: boolean) => {
    if (!this.RECORDING_PHASE && !canHeadRef(head)) this.fail('illegalRefHead', head.loc, { kind: head.type });
    let terms = [head];
    let args: Term[] | undefined;
    let isFirst = isRuleHead;
    let calls = 0;
    this.MANY({
      GATE: () => (isFirst || !this.next.spaceBefore) && !(args && this.at(t.LeftParen)),
      DEF: () => {
        isFirst = false;
        if (!this.RECORDING_PHASE && args) {
          if (++calls > maxChain) this.fail('nestedTooDeeply', this.tokenSpan(this.next), {});
          terms = [this.termOf({ terms, args }, head)];
          args = undefined;
        }
        this.OR([
          {
            ALT: () => {
              this.CONSUME(t.Dot);
              if (!this.RECORDING_PHASE && (this.next.spaceBefore || !this.at(t.Identifier))) this.unexpected('expected ident');
              terms.push(this.literalString(this.CONSUME(t.Identifier) as Token));
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
              this.OPTION(() => this.SUBRULE(this.elements, { ARGS: [args!] }));
              this.CONSUME(t.RightParen);
            },
          },
        ]);
      },
    });
    return { terms, args };
  });
}

function isScalar(term: Term): boolean {
  return term.type === 'string' || term.type === 'number' || term.type === 'boolean' || term.type === 'null';
}

function canHeadRef({ type }: Term): boolean {
  return !(type === 'ref' || type === 'templatestring' || type === 'string' || type === 'number' || type === 'boolean' || type === 'null');
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
