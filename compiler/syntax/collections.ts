/** Arrays, sets, objects and comprehensions. */

import type { ParserMethod } from 'chevrotain';
import type { Body, Expr, ObjectEntry, Term } from '../ast/nodes.js';
import { Attempt, Cursor } from './cursor.js';
import type { Token } from './tokens.js';
import * as t from './tokens.js';

export abstract class Collections extends Cursor {
  /** A term without infix operators. */
  protected abstract readonly term: ParserMethod<[], Term>;
  /** An element of a list. */
  protected abstract readonly element: ParserMethod<[], Term>;
  /** What may follow the first term of an element. */
  protected abstract readonly elementTail: ParserMethod<[Term], Term>;
  /** Expressions, up to a closing bracket. */
  abstract readonly body: ParserMethod<[], Expr[]>;
  protected abstract atInfix(): boolean;

  /** Elements up to the closing bracket; a comma may follow the last. */
  protected readonly elements: ParserMethod<[Term[]], void> = this.RULE('elements', (items: Term[]) => {
    const first = this.SUBRULE(this.element);
    this.ACTION(() => items.push(first));
    this.SUBRULE(this.moreElements, { ARGS: [items] });
  });

  protected readonly moreElements: ParserMethod<[Term[]], void> = this.RULE('moreElements', (items: Term[]) => {
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
  protected comprehensionBody(): Body | undefined {
    if (!this.RECORDING_PHASE && !this.at(t.Pipe)) return undefined;
    const read = (): Body => {
      this.CONSUME(t.Pipe);
      const body = this.SUBRULE(this.body);
      if (!this.RECORDING_PHASE && !this.at(t.RightBracket) && !this.at(t.RightBrace)) this.unexpected('expected \\n or ; or }');
      return body;
    };
    // A comma in a body means that this was a list: `[a | b, c]`.
    return this.attempt(Attempt.comprehension, read, ({ token }) => token.tokenType === t.Comma);
  }

  protected readonly array: ParserMethod<[], Term> = this.RULE('array', (): Term => {
    const start = (this.CONSUME(t.LeftBracket) as Token).startOffset;
    const items: Term[] = [];
    let result: Term | undefined;
    this.OPTION({
      GATE: () => !this.at(t.RightBracket),
      DEF: () => {
        let leading = false;
        this.OPTION2(() => {
          this.CONSUME(t.Comma);
          leading = true;
        });
        let first = this.SUBRULE(this.term);
        const body = leading && !this.RECORDING_PHASE ? undefined : this.comprehensionBody();
        if (body && !this.RECORDING_PHASE) {
          this.CONSUME(t.RightBracket);
          result = { type: 'arraycomprehension', loc: this.span(start), term: first, body };
          return;
        }
        first = this.SUBRULE(this.elementTail, { ARGS: [first] });
        items.push(first);
        this.SUBRULE(this.moreElements, { ARGS: [items] });
      },
    });
    if (result) return result;
    this.CONSUME2(t.RightBracket);
    return { type: 'array', loc: this.span(start), items };
  });

  protected readonly setOrObject: ParserMethod<[], Term> = this.RULE('setOrObject', (): Term => {
    const start = (this.CONSUME(t.LeftBrace) as Token).startOffset;
    if (!this.RECORDING_PHASE && this.at(t.RightBrace)) {
      this.CONSUME(t.RightBrace);
      return { type: 'object', loc: this.span(start), entries: [] };
    }
    let leading = false;
    this.OPTION(() => {
      this.CONSUME(t.Comma);
      leading = true;
    });
    let first = this.SUBRULE(this.term);
    const body = leading && !this.RECORDING_PHASE ? undefined : this.comprehensionBody();
    if (body && !this.RECORDING_PHASE) {
      this.CONSUME2(t.RightBrace);
      return { type: 'setcomprehension', loc: this.span(start), term: first, body };
    }
    if (this.RECORDING_PHASE || this.atInfix() || this.at(t.In)) first = this.SUBRULE(this.elementTail, { ARGS: [first] });
    if (this.RECORDING_PHASE || this.at(t.Colon)) {
      const object = this.SUBRULE(this.objectAfterKey, { ARGS: [start, first, !leading] });
      if (!this.RECORDING_PHASE) return object;
    }
    const items = [first];
    this.SUBRULE(this.moreElements, { ARGS: [items] });
    if (!this.RECORDING_PHASE && !this.at(t.RightBrace)) this.unexpected('non-terminated set');
    this.CONSUME3(t.RightBrace);
    return { type: 'set', loc: this.span(start), items };
  });

  protected readonly objectAfterKey: ParserMethod<[number, Term, boolean], Term> = this.RULE(
    'objectAfterKey',
    (start: number, key: Term, mayBeComprehension: boolean): Term => {
      this.CONSUME(t.Colon);
      let value = this.SUBRULE(this.term);
      const body = mayBeComprehension || this.RECORDING_PHASE ? this.comprehensionBody() : undefined;
      if (body && !this.RECORDING_PHASE) {
        this.CONSUME(t.RightBrace);
        return { type: 'objectcomprehension', loc: this.span(start), key, value, body };
      }
      if (this.RECORDING_PHASE || this.atInfix() || this.at(t.In)) value = this.SUBRULE(this.elementTail, { ARGS: [value] });
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
      if (!this.RECORDING_PHASE && !this.at(t.RightBrace)) this.unexpected('non-terminated object');
      this.CONSUME2(t.RightBrace);
      return { type: 'object', loc: this.span(start), entries };
    },
  );
}
