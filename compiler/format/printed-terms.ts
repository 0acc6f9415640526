/** Terms as the formatter writes them: on as many lines as in the original. */

import { quotedTerm } from '../../values/index.js';
import { isWildcard } from '../ast/names.js';
import type {
  CallTerm,
  Comprehension,
  Expr,
  ObjectEntry,
  Ref,
  RefTerm,
  StringTerm,
  TemplateString,
  Term,
} from '../ast/nodes.js';
import { printTerm } from '../ast/print.js';
import type { Span } from '../source/location.js';
import { constantText, distinct } from './law.js';
import { infixOf } from './operators.js';
import {
  closingOffset,
  endRow,
  isMadeUp,
  itemLines,
  spanOf,
  startRow,
  withoutCarriageReturns,
  withParens,
} from './places.js';
import { MisplacedComment, type Sheet } from './sheet.js';

const reserved = /^(as|contains|default|else|every|false|if|import|in|not|null|package|some|true|with)$/;

/** Terms that nest deeper, and rules with expressions that do, keep their text. */
const maxDepth = 300;

/** The braces around a body in one line. */
interface Braces {
  readonly before: string;
  readonly after: string;
  readonly close?: string;
}

export abstract class TermWriter {
  protected readonly sheet: Sheet;

  constructor(sheet: Sheet) {
    this.sheet = sheet;
  }

  protected abstract body(body: readonly Expr[], end: number, isTermLike: boolean, close?: string): void;
  protected abstract expr(expr: Expr, isFirst: boolean): void;

  /** The nesting of the term in other terms. */
  #depth = 0;
  /** The nesting of expressions in others. */
  #bodies = 0;
  /** Where the outermost of these terms starts: only comments in it can be misplaced. */
  #from = 0;

  /** A term where any term may stand. */
  term(term: Term): void {
    if (this.#depth > 0 && this.sheet.hasLoneCommentBefore(term.loc.row, this.#from)) throw new MisplacedComment();
    this.keepingComments(term.loc, () => this.#termKind(term));
  }

  /** Writes a term; with its source text if its comments would lose their place. */
  protected keepingComments(loc: Span, write: () => void): void {
    const { sheet } = this;
    if (this.#depth === 0) this.#from = loc.start;
    if (this.#depth > 0) {
      if (this.#depth >= maxDepth) throw new MisplacedComment();
      this.#depth++;
      write();
      this.#depth--;
      return;
    }
    const mark = sheet.mark();
    const bodies = this.#bodies;
    this.#depth = 1;
    try {
      write();
      const left = sheet.commentsWithin(loc);
      const isLast = !sheet.hasCommentOn(endRow(loc), loc.end);
      if (left.length > 1 || left.some((comment) => comment.alone) || (left.length === 1 && !isLast))
        throw new MisplacedComment();
    } catch (error) {
      if (!(error instanceof MisplacedComment)) throw error;
      sheet.rewind(mark);
      this.keep(loc);
    } finally {
      this.#depth = 0;
      this.#bodies = bodies;
    }
  }

  /** Writes an expression, which others may be in. */
  protected nested(write: () => void): void {
    if (this.#bodies >= maxDepth) throw new MisplacedComment();
    this.#bodies++;
    write();
    this.#bodies--;
  }

  /** Writes the source text of a span, with its comments. */
  protected keep(place: Span): void {
    const loc = withParens(place);
    if (this.sheet.hasWritten(loc)) throw new MisplacedComment();
    this.sheet.write(withoutCarriageReturns(loc));
    this.sheet.take(loc);
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
        else this.list('{', '}', distinct(term.items), (item) => this.item(item), term.loc.row);
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

  /**
   * A template: its text as it was with the constants as a part of it, the expressions in it like
   * others, one level deeper; all as it was if there are comments.
   */
  #template({ loc, parts, multiLine }: TemplateString): void {
    const { sheet } = this;
    if (sheet.commentsWithin(loc).length > 0) {
      this.keep(loc);
      return;
    }
    // A generated term has no source text.
    if (loc.start === loc.end) {
      sheet.write(printTerm({ type: 'templatestring', loc, parts, multiLine }));
      return;
    }
    const quote = multiLine ? '`' : '"';
    sheet.write(`$${quote}`);
    sheet.indentedFrom((indent) => {
      indent();
      for (const part of parts) {
        if (part.type === 'string' && !isQuoted(part.loc.text)) sheet.write(templateText(part.loc));
        else this.#templatePart(part, multiLine);
        sheet.reach(endRow(part.loc));
      }
    });
    sheet.write(quote);
    sheet.reach(endRow(loc));
  }

  #templatePart(part: Term | Expr, isRaw: boolean): void {
    const text = textOfConstant(part, isRaw);
    if (text !== undefined) {
      this.sheet.write(text);
      return;
    }
    this.sheet.write('{');
    if (part.type === 'expr') this.expr(part, false);
    else this.term(part);
    this.sheet.write('}');
  }

  /** A key in brackets: its characters, whatever the escapes or quotes that it was written with. */
  #quoted({ loc, value }: StringTerm): void {
    this.sheet.write(quotedTerm(value));
    this.sheet.reach(endRow(loc));
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

  refParts([head, ...rest]: Ref): void {
    if (head.type === 'call' && infixOf(head) !== undefined) this.#inParens(() => this.term(head));
    else this.term(head);
    this.#fields(rest);
  }

  /** The path of a package or an import. */
  path([first, ...rest]: readonly Term[]): void {
    if (first) this.sheet.write(first.type === 'string' ? first.value : first.type === 'var' ? first.name : '');
    this.#fields(rest);
  }

  #fields(parts: readonly Term[]): void {
    for (const part of parts) {
      if (
        part.type === 'string' &&
        /^[A-Za-z_]\w*$/.test(part.value) &&
        (!reserved.test(part.value) || !/^["`]/.test(part.loc.text))
      )
        this.sheet.write(`.${part.value}`);
      else {
        this.sheet.write('[');
        if (part.type === 'string' && part.value.isWellFormed()) this.#quoted(part);
        else this.term(part);
        this.sheet.write(']');
      }
    }
  }

  /** A call; an operator under another operator gets parentheses. */
  call(call: CallTerm, isOperand: boolean): void {
    const sign = infixOf(call);
    if (sign === undefined) {
      this.refParts(call.operator.terms);
      this.list('(', ')', call.args, (arg) => this.argument(arg), call.operator.loc.row);
    } else if (isOperand) this.#inParens(() => this.#infix(call, sign));
    else this.#infix(call, sign);
  }

  /** A minus before a name gets a zero: the tree has `0 - x`. */
  #infix({ args }: CallTerm, sign: string): void {
    args.forEach((arg, i) => {
      if (i > 0) this.sheet.write(i < args.length - 1 ? ', ' : ` ${sign} `);
      this.operand(arg);
    });
  }

  /** A term that is part of a larger one: an operator in it would bind to the following part. */
  operand(term: Term): void {
    if (term.type === 'call' && infixOf(term) !== undefined) this.#inParens(() => this.term(term));
    else this.term(term);
  }

  /**
   * Elements between brackets, on as many lines as they start on. With one line, the text stays as
   * it is if there are comments on lines between the brackets. Variables of a partial evaluation
   * have no lines.
   */
  list<T extends Term | ObjectEntry>(
    open: string,
    close: string,
    items: readonly T[],
    write: (item: T) => void,
    row: number,
  ): void {
    const { sheet } = this;
    sheet.write(open);
    let lines = itemLines(items);
    const first = items[0];
    if (first === undefined) {
      sheet.write(close);
      return;
    }
    const last = items.at(-1)!;
    const closing = closingOffset('type' in last ? last.loc : last.value.loc, close);
    const end = spanOf(first).source.row(closing);
    const writeLine = (line: readonly T[]): void =>
      line.forEach((item, i) => {
        if (i > 0) sheet.write(', ');
        write(item);
      });
    // On a line of their own behind the bracket of a collection, they stay there.
    const isBelow = open !== '(' && startRow(first) > row && !isMadeUp(first);
    if (lines.length === 1) {
      const { source } = spanOf(first);
      const till = Math.max(spanOf(last).end, source.lineStarts[end - 1] ?? 0);
      const around = sheet.commentsWithin({ start: source.lineStarts[row - 1] ?? 0, end: till });
      // An operand's own lines have places for the comments between its brackets.
      const comments =
        open === '(' ? around.filter(({ start }) => !items.some((item) => isAround(spanOf(item), start))) : around;
      const isWithin = this.#depth > 0 && comments.some((comment) => comment.row > row && comment.row < end);
      if (isWithin) throw new MisplacedComment();
      const isMoved = close === '}' && comments.some((comment) => comment.row > row);
      const isMisplaced = isMoved || comments.length > 1 || comments.some((comment) => comment.alone);
      if (!isMisplaced && !isBelow) {
        writeLine(items);
        sheet.write(close);
        sheet.reach(end);
        return;
      }
      if (this.#depth > 0 && !isBelow) throw new MisplacedComment();
      // Parameters are no term that could stay as it was: their comments get lines.
      if (this.#depth === 0) lines = items.map((item) => [item]);
    }
    if (this.#depth === 0) sheet.until(spanOf(first).start, () => sheet.endLine());
    else sheet.openLine(lines[1] ? startRow(lines[1][0]!) : end + 1);
    sheet.indented(() => {
      lines.forEach((line, i) => {
        const next = lines[i + 1]?.[0];
        sheet.until(next ? spanOf(next).start : closing, () => {
          sheet.startLineAt(startRow(line[0]!));
          writeLine(line);
          sheet.write(',');
          sheet.endLine();
        });
      });
      sheet.until(closing, () => sheet.endAt(end));
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
      this.operand(term.value);
    } else {
      if (term.term.loc.row > row) {
        sheet.endLine();
        row = term.term.loc.row;
        sheet.reach(row);
      }
      this.operand(term.term);
    }
    sheet.write(' |');
    this.bracedBody(term.body, row, endRow(term.loc), { before: ' ', after: '', close });
    sheet.write(close);
  }

  /**
   * A body that starts on `row`, in one line if all of it does (and tells so); with something
   * `after` it, its braces could be those of a set.
   */
  protected bracedBody(
    body: readonly Expr[],
    row: number,
    end: number,
    { before, after, close = '}' }: Braces,
  ): boolean {
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
    } else this.body(body, end, after !== '', close);
    sheet.reach(end);
    return isLine;
  }
}

/**
 * Whether a string of a template is one in braces; its text ends with a brace, or with the quote of
 * the template, which it does not start with.
 */
function isQuoted(text: string): boolean {
  return /^(?:"(?:[^"\\]|\\.)*"|`[^`]*`)$/.test(text);
}

/** Whether an offset is within a stretch. */
function isAround({ start, end }: Span, offset: number): boolean {
  return start < offset && offset < end;
}

/** A constant in braces as a text of its template; some strings have no raw text. */
function textOfConstant(part: Term | Expr, isRaw: boolean): string | undefined {
  const value = part.type === 'expr' ? undefined : constantText(part);
  if (value === undefined || (isRaw && /[`\\]/.test(value))) return undefined;
  return (isRaw ? value : JSON.stringify(value).slice(1, -1)).replaceAll('{', '\\{');
}

/** The text of a template up to a brace or its end, as it was written. */
function templateText({ text }: Span): string {
  return text.slice(/^\$["`]/.test(text) ? 2 : 0, -1);
}
