/** Bodies and the expressions in them. */

import type { Body, CallExpr, Expr, LogicalExpr, Term } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';
import { Span } from '../source/location.js';
import { closeness, closenessOf, infixOf } from './operators.js';
import { closingOffset, closingRow, endRow } from './places.js';
import { TermWriter } from './printed-terms.js';

export abstract class ExpressionWriter extends TermWriter {
  /** `isTermLike`: braces that a union at their start would make those of a comprehension. */
  protected body(body: Body, end: number, isTermLike: boolean, close = '}'): void {
    const { sheet } = this;
    sheet.until(body[0]!.loc.start, () => sheet.endLine());
    sheet.indented(() => {
      body.forEach((expr, i) => {
        sheet.until(body[i + 1]?.loc.start ?? closingOffset(expr.loc, close), () => {
          sheet.startAt(expr.loc.row);
          if (i > 0) sheet.followExpression();
          this.expr(expr, isTermLike && i === 0);
          sheet.reach(endRow(expr.loc));
          sheet.endLine();
        });
      });
      sheet.endAt(end);
    });
    sheet.reach(end);
  }

  /** `leadsBraces`: the expression is the first one in braces. */
  protected expr(expr: Expr, leadsBraces: boolean): void {
    // Where the text of a call or a term must be kept, that of its `not` and `with` is kept with
    // it: comments may stand in them.
    if (expr.kind === 'call' || expr.kind === 'term' || (expr.kind === 'not' && !expr.explicit))
      this.keepingComments(wholeOf(expr), () => this.#modified(expr, leadsBraces));
    else this.nested(() => this.#modified(expr, leadsBraces));
  }

  #modified(expr: Expr, leadsBraces: boolean): void {
    const { sheet } = this;
    if (expr.negated) sheet.write('not ');
    this.#exprKind(expr, leadsBraces && !expr.negated);
    sheet.indentedFrom((indent) => {
      expr.with.forEach(({ loc, target, value }, i) => {
        const before = expr.with[i - 1];
        if (loc.row > (before ? before.loc.row : sheet.row)) {
          sheet.endLine();
          indent();
          sheet.startLineAt(loc.row);
        } else sheet.write(' ');
        this.keepingComments(loc, () => {
          sheet.write('with ');
          this.term(target);
          sheet.write(' as ');
          this.term(value);
          sheet.reach(endRow(loc));
        });
      });
    });
  }

  #exprKind(expr: Expr, leadsBraces: boolean): void {
    const { sheet } = this;
    switch (expr.kind) {
      case 'term':
        this.term(expr.term);
        break;
      case 'call':
        this.#callExpr(expr, leadsBraces);
        break;
      case 'some':
        this.#some(expr.symbols, expr.loc.row);
        break;
      case 'every':
        sheet.write('every ');
        if (expr.key) {
          this.term(expr.key);
          sheet.write(', ');
        }
        this.term(expr.value);
        sheet.write(' in ');
        // A membership here would have its second half for the domain.
        if (expr.domain.type === 'call' && infixOf(expr.domain) === 'in') this.operand(expr.domain);
        else this.term(expr.domain);
        sheet.write(' {');
        // The reference's layout: a space before the brace after one expression, none after
        // several.
        sheet.write(
          this.bracedBody(expr.body, expr.loc.row, endRow(expr.loc), { before: ' ', after: '' }) &&
            expr.body.length === 1
            ? ' }'
            : '}',
        );
        break;
      case 'not':
        sheet.write('not ');
        if (expr.explicit || expr.body.length > 1) this.#braces(expr.body);
        else
          this.#operand(expr.body, isLogical(expr.body[0]!) || expr.body[0]!.negated || expr.body[0]!.kind === 'not');
        break;
      case 'and':
      case 'or':
        this.#logical(expr);
        break;
    }
  }

  /** Declared variables in the lines that they were in. */
  #some(symbols: readonly Term[], start: number): void {
    const { sheet } = this;
    sheet.write('some');
    sheet.indentedFrom((indent) => {
      let row = start;
      symbols.forEach((symbol, i) => {
        if (symbol.loc.row > row && i > 0) {
          sheet.endLine();
          indent();
          sheet.startLineAt(symbol.loc.row);
        } else sheet.write(' ');
        this.term(symbol);
        if (i < symbols.length - 1) sheet.write(',');
        row = symbol.loc.row;
        sheet.reach(row);
      });
    });
  }

  #callExpr(expr: CallExpr, leadsBraces: boolean, leftInParens = false): void {
    const { sheet } = this;
    const [left, right] = expr.args;
    const call = { type: 'call', loc: expr.loc, operator: expr.operator, args: expr.args } as const;
    const infix = isUnification(expr) ? (printRef(expr.operator.terms) === 'eq' ? '=' : ':=') : infixOf(call);
    if (infix === undefined || infix === 'in' || !left || !right) {
      this.call(call, false);
      return;
    }
    const inParens = infix === '|' && leadsBraces;
    const leftParens =
      leftInParens || closeness(left) < closenessOf(infix) || (!inParens && leadsBraces && isUnion(left));
    sheet.write(inParens ? '(' : '');
    sheet.write(leftParens ? '(' : '');
    this.argument(left);
    sheet.write(leftParens ? ')' : '');
    sheet.write(` ${infix} `);
    const rightParens = closeness(right) <= closenessOf(infix);
    sheet.write(rightParens ? '(' : '');
    this.argument(right);
    sheet.write(rightParens ? ')' : '');
    sheet.write(inParens ? ')' : '');
  }

  #logical(expr: LogicalExpr): void {
    const { sheet } = this;
    const [lhs, rhs] = [expr.lhs[0]!, expr.rhs[0]!];
    // Stages add expressions to an operand that was written without braces.
    if (expr.explicitLhs || expr.lhs.length > 1) this.#braces(expr.lhs);
    else this.#operand(expr.lhs, expr.kind === 'and' && lhs.kind === 'or');
    sheet.write(` ${expr.kind}`);
    const write = (): void => {
      if (expr.explicitRhs || expr.rhs.length > 1) this.#braces(expr.rhs);
      else this.#operand(expr.rhs, isLogical(rhs) && !(expr.kind === 'or' && rhs.kind === 'and'));
    };
    const row = expr.explicitRhs ? openRow(rhs) : rhs.loc.row;
    if (row > sheet.row) {
      sheet.endLine();
      sheet.indentedFrom((indent) => {
        indent();
        sheet.startLineAt(row);
        write();
      });
    } else {
      sheet.write(' ');
      write();
    }
  }

  /** An operand without braces; parentheses where it would bind otherwise, or start like a body. */
  #operand(body: Body, needsParens: boolean): void {
    const expr = body[0]!;
    if (isBraceLed(expr) && isUnification(expr)) {
      this.#callExpr(expr, false, true);
      return;
    }
    if (isBraceLed(expr) && expr.loc.text.startsWith('(') && this.sheet.commentsWithin(expr.loc).length > 0) {
      // Its own parentheses may have to stay with the comments in them; others around them would
      // grow in number each time.
      this.keep(expr.loc);
      return;
    }
    const inParens = needsParens || expr.with.length > 0 || isBraceLed(expr);
    if (inParens) this.sheet.write('(');
    this.expr(expr, false);
    if (inParens) this.sheet.write(')');
  }

  /** A body in braces inside an expression. */
  #braces(body: Body): void {
    const { sheet } = this;
    const row = openRow(body[0]!);
    sheet.reach(row);
    sheet.write('{');
    this.bracedBody(body, row, closeRow(body), { before: ' ', after: ' ' });
    sheet.write('}');
  }
}

/** A set alone in a body, whose braces would be taken for those of the body. */
export function isLoneSet(body: Body): boolean {
  const first = body[0];
  return (
    body.length === 1 &&
    first?.kind === 'term' &&
    !first.negated &&
    first.term.type === 'set' &&
    first.term.items.length > 0
  );
}

function isUnion(term: Term): boolean {
  return term.type === 'call' && infixOf(term) === '|';
}

function isUnification(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && expr.args.length === 2 && /^(eq|assign)$/.test(printRef(expr.operator.terms));
}

/** The span of an expression with its `with`; in parentheses, its own span excludes that. */
function wholeOf({ loc, with: modifiers }: Expr): Span {
  const end = modifiers.at(-1)?.loc.end ?? loc.end;
  return end > loc.end ? new Span(loc.source, loc.start, end) : loc;
}

/** Whether the text of an expression starts with a brace. */
export function isBraceLed(expr: Expr): boolean {
  if (expr.negated) return false;
  if (expr.kind === 'term') return isBraceLedTerm(expr.term);
  return (
    expr.kind === 'call' && isBraceLedTerm({ type: 'call', loc: expr.loc, operator: expr.operator, args: expr.args })
  );
}

function isBraceLedTerm(term: Term): boolean {
  if (term.type === 'ref') return isBraceLedTerm(term.terms[0]!);
  if (term.type === 'call') {
    const name = printRef(term.operator.terms);
    const [first] = term.args;
    return first !== undefined && (infixOf(term) !== undefined || name === 'eq' || name === 'assign')
      ? isBraceLedTerm(first)
      : false;
  }
  return (
    (term.type === 'set' && term.items.length > 0) ||
    term.type === 'object' ||
    term.type === 'setcomprehension' ||
    term.type === 'objectcomprehension'
  );
}

function isLogical(expr: Expr): boolean {
  return expr.kind === 'and' || expr.kind === 'or';
}

/** The row of the brace that opens the body an expression starts. */
function openRow({ loc }: Expr): number {
  return loc.source.row(Math.max(0, loc.source.text.lastIndexOf('{', loc.start - 1)));
}

/** The row of the brace that closes the body an expression ends. */
export function closeRow(body: Body): number {
  return closingRow(body.at(-1)!.loc, '}');
}
