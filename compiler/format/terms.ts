/** Terms as the formatter writes them: on as many lines as in the original. */

import { isWildcard } from '../ast/names.js';
import type { CallTerm, Comprehension, Expr, ObjectEntry, RefTerm, Term } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';
import type { Span } from '../source/location.js';
import type { Sheet } from './sheet.js';

/** Built-ins with a sign and how close they bind. */
const infix: Readonly<Record<string, readonly [sign: string, precedence: number]>> = {
  'internal.member_3': ['in', 0],
  'internal.member_2': ['in', 0],
  equal: ['==', 1],
  neq: ['!=', 1],
  lt: ['<', 1],
  gt: ['>', 1],
  lte: ['<=', 1],
  gte: ['>=', 1],
  or: ['|', 2],
  and: ['&', 3],
  plus: ['+', 4],
  minus: ['-', 4],
  mul: ['*', 5],
  div: ['/', 5],
  rem: ['%', 5],
};

const reserved = /^(as|contains|default|else|every|false|if|import|in|not|null|package|some|true|with)$/;

export abstract class TermWriter {
  protected readonly sheet: Sheet;

  constructor(sheet: Sheet) {
    this.sheet = sheet;
  }

  protected abstract body(body: readonly Expr[], end: number): void;
  protected abstract expr(expr: Expr): void;

  /** A term where any term may stand. */
  term(term: Term): void {
    switch (term.type) {
      case 'var':
        this.sheet.write(isWildcard(term.name) ? '_' : term.name);
        break;
      case 'number':
        this.sheet.write(term.text);
        break;
      case 'string':
        this.#string(term.loc, term.value);
        break;
      case 'null':
        this.sheet.write('null');
        break;
      case 'boolean':
        this.sheet.write(String(term.value));
        break;
      case 'ref':
        this.ref(term);
        break;
      case 'array':
        this.list('[', ']', term.items, (item) => this.item(item));
        break;
      case 'set':
        if (term.items.length === 0) this.sheet.write('set()');
        else this.list('{', '}', term.items, (item) => this.item(item));
        break;
      case 'object':
        this.list('{', '}', term.entries, (entry) => this.#entry(entry));
        break;
      case 'call':
        this.call(term, -1);
        break;
      case 'templatestring':
        // Templates keep their text: what is in them is written to be read as a line.
        this.sheet.write(term.loc.text);
        this.sheet.skipWithin(term.loc);
        this.sheet.reach(endRow(term.loc));
        break;
      default:
        this.#comprehension(term);
    }
  }

  /** A string as it was written. */
  #string(loc: Span, value: string): void {
    const { text } = loc;
    this.sheet.write(text.startsWith('"') || text.startsWith('`') ? text : JSON.stringify(value));
    this.sheet.reach(endRow(loc));
  }

  /** An element of a collection: a union in one would read as a comprehension. */
  item(term: Term): void {
    const isUnion = term.type === 'call' && infixOf(term)?.[0] === '|';
    const isPair = term.type === 'call' && infixOf(term) !== undefined && printRef(term.operator.terms) === 'internal.member_3';
    if (isUnion || isPair) this.#inParens(() => this.term(term));
    else this.term(term);
  }

  #inParens(write: () => void): void {
    this.sheet.write('(');
    write();
    this.sheet.write(')');
  }

  #entry({ key, value }: ObjectEntry): void {
    this.item(key);
    this.sheet.write(': ');
    this.item(value);
  }

  ref({ terms }: RefTerm): void {
    this.refParts(terms);
  }

  refParts(terms: readonly Term[]): void {
    const [head, ...rest] = terms;
    const needsParens = head!.type === 'call' && infixOf(head as CallTerm) !== undefined;
    if (needsParens) this.#inParens(() => this.term(head!));
    else this.term(head!);
    for (const part of rest) {
      if (part.type === 'string' && /^[A-Za-z_]\w*$/.test(part.value) && (!reserved.test(part.value) || !/^["`]/.test(part.loc.text)))
        this.sheet.write(`.${part.value}`);
      else {
        this.sheet.write('[');
        this.term(part);
        this.sheet.write(']');
      }
    }
  }

  /** A call; an operator inside one that binds as close or closer (`level`) gets parentheses. */
  call(call: CallTerm, level: number): void {
    const operator = infixOf(call);
    if (!operator) {
      this.refParts(call.operator.terms);
      this.list('(', ')', call.args, (arg) => this.item(arg));
      return;
    }
    const [sign, precedence] = operator;
    if (precedence <= level) this.#inParens(() => this.#infix(call, sign, precedence));
    else this.#infix(call, sign, precedence);
  }

  #infix({ args, operator }: CallTerm, sign: string, precedence: number): void {
    const isNegation = sign === '-' && args[0]!.loc.start === operator.loc.start;
    if (isNegation) {
      this.sheet.write('-');
      this.#operand(args[1]!, 5);
      return;
    }
    const [first, ...rest] = args;
    const last = rest.pop()!;
    this.#operand(first!, precedence - 1);
    for (const middle of rest) {
      this.sheet.write(', ');
      this.#operand(middle, precedence);
    }
    this.sheet.write(` ${sign} `);
    this.#operand(last, precedence);
  }

  #operand(term: Term, level: number): void {
    if (term.type === 'call') this.call(term, level);
    else this.term(term);
  }

  /** Elements between brackets: on one line if they were, else in the lines that they were in. */
  list<T extends Term | ObjectEntry>(open: string, close: string, items: readonly T[], write: (item: T) => void): void {
    const { sheet } = this;
    sheet.write(open);
    const first = items[0];
    if (first === undefined) {
      sheet.write(close);
      return;
    }
    const last = items.at(-1)!;
    const end = closingRow('type' in last ? last.loc : last.value.loc, close);
    if (startRow(first) === startRow(last) && !sheet.hasCommentBefore(end) && spanOf(first).row <= sheet.row) {
      items.forEach((item, i) => {
        if (i > 0) sheet.write(', ');
        write(item);
      });
      sheet.write(close);
      sheet.reach(end);
      return;
    }
    sheet.endLine();
    sheet.indented(() => {
      items.forEach((item, i) => {
        const row = startRow(item);
        if (i > 0 && row === endRow(spanOf(items[i - 1]!))) sheet.write(' ');
        else {
          if (i > 0) sheet.endLine();
          sheet.startAt(row);
        }
        write(item);
        sheet.write(',');
      });
      sheet.endLine();
      sheet.endAt(end);
    });
    sheet.write(close);
    sheet.reach(end);
  }

  #comprehension(term: Comprehension): void {
    const { sheet } = this;
    const [open, close] = term.type === 'arraycomprehension' ? ['[', ']'] : ['{', '}'];
    sheet.write(open);
    if (term.type === 'objectcomprehension') {
      this.item(term.key);
      sheet.write(': ');
      this.#operand(term.value, 9);
    } else this.#operand(term.term, 9);
    sheet.write(' |');
    const end = endRow(term.loc);
    if (end === sheet.row && !sheet.hasCommentBefore(end)) {
      term.body.forEach((expr, i) => {
        sheet.write(i > 0 ? '; ' : ' ');
        this.expr(expr);
      });
    } else this.body(term.body, end);
    sheet.write(close);
    sheet.reach(end);
  }
}

/** The sign of a call that was written with one. */
export function infixOf(call: CallTerm): readonly [string, number] | undefined {
  const found = infix[printRef(call.operator.terms)];
  return found && call.operator.loc.text === found[0] ? found : undefined;
}

function spanOf(item: Term | ObjectEntry): Span {
  return 'type' in item ? item.loc : item.key.loc;
}

function startRow(item: Term | ObjectEntry): number {
  return spanOf(item).row;
}

export function endRow(loc: Span): number {
  return loc.source.row(Math.max(loc.start, loc.end - 1));
}

/** The row of the bracket that closes what ends with `last`. */
export function closingRow({ source, end }: Span, bracket: string): number {
  const { text } = source;
  let at = end;
  // Comments may stand before it, and hold brackets.
  while (at < text.length && text[at] !== bracket) {
    const newline = text[at] === '#' ? text.indexOf('\n', at) : at;
    at = newline < 0 ? text.length : newline + 1;
  }
  return source.row(Math.min(at, text.length));
}
