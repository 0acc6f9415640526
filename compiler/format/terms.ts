/** Terms as the formatter writes them: on as many lines as in the original. */

import { isWildcard } from '../ast/names.js';
import type { CallTerm, Comprehension, Expr, ObjectEntry, RefTerm, TemplateString, Term } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';
import type { Span } from '../source/location.js';
import { MisplacedComment, type Sheet } from './sheet.js';

/** Built-ins with a sign. */
const signs: ReadonlyMap<string, string> = new Map([
  ['internal.member_3', 'in'],
  ['internal.member_2', 'in'],
  ['equal', '=='],
  ['neq', '!='],
  ['lt', '<'],
  ['gt', '>'],
  ['lte', '<='],
  ['gte', '>='],
  ['or', '|'],
  ['and', '&'],
  ['plus', '+'],
  ['minus', '-'],
  ['mul', '*'],
  ['div', '/'],
  ['rem', '%'],
]);

const reserved = /^(as|contains|default|else|every|false|if|import|in|not|null|package|some|true|with)$/;

export abstract class TermWriter {
  protected readonly sheet: Sheet;

  constructor(sheet: Sheet) {
    this.sheet = sheet;
  }

  protected abstract body(body: readonly Expr[], end: number, isTermLike: boolean): void;
  protected abstract expr(expr: Expr, isFirst: boolean): void;

  /** How deep the term stands in other terms. */
  #depth = 0;
  /** Where the outermost of these terms starts: only comments in it can be misplaced. */
  #from = 0;

  /** A term where any term may stand. */
  term(term: Term): void {
    if (this.#depth > 0 && this.sheet.hasLoneCommentBefore(term.loc.row, this.#from)) throw new MisplacedComment();
    this.keepingComments(term.loc, () => this.#termKind(term));
  }

  /** Writes what stands at `loc`, as it was if comments in it would lose their place. */
  protected keepingComments(loc: Span, write: () => void): void {
    const { sheet } = this;
    if (this.#depth === 0) this.#from = loc.start;
    if (this.#depth > 0 || sheet.commentsWithin(loc).length === 0) {
      this.#depth++;
      write();
      this.#depth--;
      return;
    }
    const mark = sheet.mark();
    this.#depth = 1;
    try {
      write();
      const left = sheet.commentsWithin(loc);
      const isLast = !sheet.hasCommentOn(endRow(loc), loc.end);
      if (left.length > 1 || left.some((comment) => comment.alone) || (left.length === 1 && !isLast)) throw new MisplacedComment();
    } catch (error) {
      if (!(error instanceof MisplacedComment)) throw error;
      sheet.rewind(mark);
      this.keep(loc);
    } finally {
      this.#depth = 0;
    }
  }

  /** Writes what stands at `loc` as it was, with its comments. */
  protected keep(loc: Span): void {
    this.sheet.write(loc.text);
    this.sheet.skipWithin(loc);
    this.sheet.reach(endRow(loc));
  }

  #termKind(term: Term): void {
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
        this.list('[', ']', term.items, (item) => this.item(item), term.loc.row);
        break;
      case 'set':
        if (term.items.length === 0) this.sheet.write('set()');
        else this.list('{', '}', term.items, (item) => this.item(item), term.loc.row);
        break;
      case 'object':
        this.list('{', '}', term.entries, (entry) => this.#entry(entry), term.loc.row);
        break;
      case 'call':
        this.call(term, false);
        break;
      case 'templatestring':
        this.#template(term);
        break;
      default:
        this.#comprehension(term);
    }
  }

  /** A template: its text as it was, the expressions in it like others, one level deeper; all as it was if there are comments. */
  #template({ loc, parts }: TemplateString): void {
    const { sheet } = this;
    const { source } = loc;
    if (sheet.commentsWithin(loc).length > 0) {
      this.keep(loc);
      return;
    }
    let at = loc.start;
    sheet.indentedFrom((indent) => {
      indent();
      for (const part of parts) {
        if (part.type !== 'expr') continue;
        sheet.write(afterExpression(source.text.slice(at, part.loc.start), at > loc.start).replace(/\{\s+$/, '{'));
        sheet.reach(part.loc.row);
        this.expr(part, false);
        at = part.loc.end;
      }
    });
    sheet.write(afterExpression(source.text.slice(at, loc.end), at > loc.start));
    sheet.reach(endRow(loc));
  }

  /** A string as it was written. */
  #string(loc: Span, value: string): void {
    const { text } = loc;
    this.sheet.write(text.startsWith('"') || text.startsWith('`') ? text : JSON.stringify(value));
    this.sheet.reach(endRow(loc));
  }

  /** An argument, or the like: `a, b in c` in one would read as two. */
  argument(term: Term): void {
    const isPair = term.type === 'call' && infixOf(term) !== undefined && term.args.length === 3;
    if (isPair) this.#inParens(() => this.term(term));
    else this.term(term);
  }

  /** An element of a collection: a union in one would read as a comprehension. */
  item(term: Term): void {
    const isUnion = term.type === 'call' && infixOf(term) === '|';
    if (isUnion) this.#inParens(() => this.term(term));
    else this.argument(term);
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
    this.#fields(rest);
  }

  /** The path of a package or an import. */
  path([first, ...rest]: readonly Term[]): void {
    this.sheet.write(first!.type === 'string' ? first!.value : first!.type === 'var' ? first!.name : '');
    this.#fields(rest);
  }

  #fields(parts: readonly Term[]): void {
    for (const part of parts) {
      if (part.type === 'string' && /^[A-Za-z_]\w*$/.test(part.value) && (!reserved.test(part.value) || !/^["`]/.test(part.loc.text)))
        this.sheet.write(`.${part.value}`);
      else {
        this.sheet.write('[');
        this.term(part);
        this.sheet.write(']');
      }
    }
  }

  /** A call; one with a sign that stands under another sign gets parentheses. */
  call(call: CallTerm, isOperand: boolean): void {
    const sign = infixOf(call);
    if (sign === undefined) {
      this.refParts(call.operator.terms);
      this.list('(', ')', call.args, (arg) => this.argument(arg), call.operator.loc.row);
    } else if (isOperand) this.#inParens(() => this.#infix(call, sign));
    else this.#infix(call, sign);
  }

  #infix({ args, operator }: CallTerm, sign: string): void {
    const isNegation = sign === '-' && args[0]!.loc.start === operator.loc.start;
    if (isNegation) {
      this.sheet.write('-');
      this.operand(args[1]!);
      return;
    }
    args.forEach((arg, i) => {
      if (i > 0) this.sheet.write(i < args.length - 1 ? ', ' : ` ${sign} `);
      this.operand(arg);
    });
  }

  operand(term: Term): void {
    if (term.type === 'call' && infixOf(term) !== undefined) this.#inParens(() => this.term(term));
    else this.term(term);
  }

  /**
   * Elements between brackets, on as many lines as they start on. With one line they stand beside the brackets, wherever those
   * stood; made-up variables (of a partial evaluation) have no lines to go by.
   */
  list<T extends Term | ObjectEntry>(open: string, close: string, items: readonly T[], write: (item: T) => void, row: number): void {
    const { sheet } = this;
    sheet.write(open);
    let lines = linesOf(items);
    const first = items[0];
    if (first === undefined) {
      sheet.write(close);
      return;
    }
    const last = items.at(-1)!;
    const end = closingRow('type' in last ? last.loc : last.value.loc, close);
    const writeLine = (line: readonly T[]): void =>
      line.forEach((item, i) => {
        if (i > 0) sheet.write(', ');
        write(item);
      });
    if (lines.length === 1) {
      const { source } = spanOf(first);
      const till = Math.max(spanOf(last).end, source.lineStarts[end - 1] ?? 0);
      const comments = sheet.commentsWithin({ start: source.lineStarts[row - 1] ?? 0, end: till });
      const isMoved = close === '}' && comments.some((comment) => comment.row > row);
      const isMisplaced = isMoved || comments.length > 1 || comments.some((comment) => comment.alone);
      if (!isMisplaced) {
        writeLine(items);
        sheet.write(close);
        sheet.reach(end);
        return;
      }
      if (this.#depth > 0) throw new MisplacedComment();
      // Parameters are no term that could stay as it was: their comments get lines.
      lines = items.map((item) => [item]);
    }
    if (this.#depth === 0) sheet.endLine();
    else sheet.openLine(startRow((lines[1] ?? lines[0]!)[0]!));
    sheet.indented(() => {
      for (const line of lines) {
        sheet.startLineAt(startRow(line[0]!));
        writeLine(line);
        sheet.write(',');
        sheet.endLine();
      }
      sheet.endAt(end);
    });
    sheet.write(close);
    sheet.reach(end);
  }

  #comprehension(term: Comprehension): void {
    const { sheet } = this;
    const [open, close] = term.type === 'arraycomprehension' ? ['[', ']'] : ['{', '}'];
    sheet.write(open);
    let { row } = term.loc;
    if (term.type === 'objectcomprehension') {
      this.item(term.key);
      sheet.write(': ');
      this.item(term.value);
    } else {
      if (term.term.loc.row > row) {
        sheet.endLine();
        row = term.term.loc.row;
        sheet.reach(row);
      }
      this.item(term.term);
    }
    sheet.write(' |');
    this.bracedBody(term.body, row, endRow(term.loc), ' ', '');
    sheet.write(close);
  }

  /** A body that starts on `row`, in one line if all of it does (and tells so); with something `after` it, its braces could be those of a set. */
  protected bracedBody(body: readonly Expr[], row: number, end: number, before: string, after: string): boolean {
    const { sheet } = this;
    const { source } = body[0]!.loc;
    const comments = sheet.commentsWithin({ start: body[0]!.loc.start, end: source.lineStarts[end - 1] ?? 0 });
    const isLine = !comments.some((comment) => comment.alone) && body.every((expr) => expr.loc.row === row);
    if (isLine) {
      body.forEach((expr, i) => {
        sheet.write(i > 0 ? '; ' : before);
        this.expr(expr, i === 0 && after !== '');
      });
      sheet.write(after);
    } else this.body(body, end, after !== '');
    sheet.reach(end);
    return isLine;
  }
}

/** What stands between expressions of a template, without the blanks before the brace that closes the one before. */
function afterExpression(text: string, follows: boolean): string {
  return follows ? text.replace(/^\s+/, '') : text;
}

/** The sign of a call that was written with one. */
export function infixOf(call: CallTerm): string | undefined {
  const { operator, args } = call;
  const sign = signs.get(printRef(operator.terms));
  return sign !== undefined && (operator.loc.text === sign || (sign !== 'in' && args.length === 2)) ? sign : undefined;
}

/** Whether a name is that of an operator with two operands. */
export function isFixed(name: string): boolean {
  return signs.get(name) !== undefined && signs.get(name) !== 'in';
}

function linesOf<T extends Term | ObjectEntry>(items: readonly T[]): readonly T[][] {
  if (items.some(isMadeUp)) return [[...items]];
  const lines: T[][] = [];
  let row = 0;
  for (const item of items) {
    const line = lines.at(-1);
    if (line && startRow(item) <= row) line.push(item);
    else lines.push([item]);
    row = startRow(item);
  }
  return lines;
}

function isMadeUp(item: Term | ObjectEntry): boolean {
  const terms = 'type' in item ? [item] : [item.key, item.value];
  return terms.some((term) => term.type === 'var' && term.name.startsWith('__local'));
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
