/** Modules in the canonical format: comments kept, meaning unchanged, and what is formatted stays as it is. */

import type { Body, CallExpr, Expr, Import, LogicalExpr, Module, RegoVersion, Rule, RuleHead, Term } from '../ast/nodes.js';
import { printImport, printPackage } from '../ast/print.js';
import type { ParseOptions } from '../syntax/options.js';
import { parseModule } from '../syntax/parse.js';
import { Sheet } from './sheet.js';
import { closingRow, endRow, infixOf, TermWriter } from './terms.js';

export interface FormatOptions {
  /** Write a version 0 module so that it is one of this version: `v0v1` reads in both (with `import rego.v1`). Default: as it is. */
  readonly to?: RegoVersion;
}

/**
 * A module's text, formatted. Throws `CompileErrors` if it is none.
 *
 * @example formatText('p.rego', 'package p\nallow if{input.x==1}') // 'package p\n\nallow if input.x == 1\n'
 */
export function formatText(file: string, text: string, parse: ParseOptions = {}, options: FormatOptions = {}): string {
  const formatted = formatModule(parseModule(file, text, { ...parse, processAnnotations: false }), options);
  // Not every module of version 0 is one of version 1: a rule may be called `if`.
  if (options.to === 'v1' || options.to === 'v0v1')
    parseModule(file, formatted, { ...parse, regoVersion: options.to === 'v1' ? 'v1' : 'v0', processAnnotations: false });
  return formatted;
}

export function formatModule(module: Module, options: FormatOptions = {}): string {
  return new ModuleWriter(module, options.to ?? module.regoVersion).write();
}

/** `rego.v1` first, then what is kept of the future, then the rest by path. */
function importOrder(statement: Import): string {
  const text = printImport(statement);
  return `${text.startsWith('import rego.v1') ? 0 : text.startsWith('import future') ? 1 : 2}${text}`;
}

class ModuleWriter extends TermWriter {
  readonly #module: Module;
  readonly #version: RegoVersion;

  constructor(module: Module, version: RegoVersion) {
    super(new Sheet(module.comments));
    this.#module = module;
    this.#version = version;
  }

  write(): string {
    const { sheet } = this;
    const { package: pkg, rules } = this.#module;
    sheet.startAt(pkg.loc.row);
    sheet.write(printPackage(pkg));
    sheet.reach(endRow(pkg.path.at(-1)!.loc));
    sheet.endLine();
    this.#imports();
    rules.forEach((rule, i) => {
      const before = rules[i - 1];
      if (before === undefined || !this.#joins(before, rule)) sheet.blankLine();
      // A chained body of version 0 is a rule of its own here: its place is that of its braces.
      this.#rule(rule);
      sheet.endLine();
    });
    return sheet.finish();
  }

  /** One-liners that followed each other stay together. */
  #joins(before: Rule, rule: Rule): boolean {
    const single = (each: Rule): boolean => each.body.length === 1 && !each.default && each.loc.row === endRow(each.loc) && !each.else;
    return this.#version !== 'v0' && single(before) && single(rule) && rule.loc.row === before.loc.row + 1;
  }

  #imports(): void {
    const { sheet } = this;
    const { imports, regoVersion } = this.#module;
    const needsImport = this.#version === 'v0v1' && regoVersion === 'v0';
    const kept = imports.filter(
      (statement) => !(needsImport && /^import future\.keywords(\.(in|if|contains|every))?$/.test(printImport(statement))),
    );
    if (needsImport) {
      sheet.blankLine();
      sheet.write('import rego.v1');
      sheet.endLine();
    }
    for (const group of groupImports(kept)) {
      sheet.blankLine();
      sheet.startAt(group[0]!.loc.row);
      for (const statement of group.toSorted((a, b) => (importOrder(a) < importOrder(b) ? -1 : 1))) {
        sheet.write(printImport(statement));
        sheet.reach(statement.loc.row);
        sheet.endLine();
      }
    }
  }

  #rule(rule: Rule): void {
    const { sheet } = this;
    sheet.startAt(rule.head.loc.row);
    if (rule.default) sheet.write('default ');
    this.#head(rule.head, rule.default || rule.generatedBody);
    if (!rule.default && !rule.generatedBody) this.#ruleBody(rule);
    for (let link = rule.else; link; link = link.else) this.#else(link);
    sheet.reach(endRow(rule.loc));
  }

  #else(link: Rule): void {
    const { sheet } = this;
    const { value, generatedValue, assign, loc } = link.head;
    if (sheet.hasCommentBefore(loc.row) || !this.#endsInBrace) {
      sheet.endLine();
      sheet.startAt(loc.row);
      sheet.write('else');
    } else sheet.write(' else');
    sheet.reach(loc.row);
    if (value && !generatedValue) {
      sheet.write(assign || this.#version !== 'v0' ? ' := ' : ' = ');
      this.term(value);
    }
    this.#endsInBrace = false;
    if (!link.generatedBody) this.#ruleBody(link);
    sheet.reach(endRow(link.loc));
  }

  /** Whether what was written last is a body in braces: an `else` stands beside it. */
  #endsInBrace = false;

  /** `isConstant`: no body follows, so that a value of `true` has to be said. */
  #head(head: RuleHead, isConstant: boolean): void {
    const { sheet } = this;
    const isV1 = this.#version !== 'v0';
    this.refParts(head.ref);
    if (head.args) this.list('(', ')', head.args, (arg) => this.item(arg));
    if (head.value === undefined && head.key) {
      if (isV1 || head.hasContains) {
        sheet.write(' contains ');
        this.term(head.key);
      } else {
        sheet.write('[');
        this.term(head.key);
        sheet.write(']');
      }
      return;
    }
    const { value } = head;
    if (!value || (head.generatedValue && !(isV1 && isConstant))) return;
    if (isV1 && !isConstant && head.ref.length === 1 && value.type === 'boolean' && value.value) return;
    sheet.write(head.assign || isV1 ? ' := ' : ' = ');
    this.term(value);
  }

  #ruleBody(rule: Rule): void {
    const { sheet } = this;
    const hasIf = this.#version !== 'v0' || rule.head.hasIf;
    const first = rule.body[0]!;
    sheet.write(hasIf ? ' if ' : ' ');
    const isLine = rule.body.length === 1 && first.loc.row === sheet.row && !sheet.hasCommentBefore(first.loc.row);
    // `p if {"a": 1}`: the braces are the object's own.
    if (isObjectLike(first, rule) || (hasIf && isLine && !first.loc.text.startsWith('{') && !isBraceLed(first))) {
      this.expr(first);
      this.#endsInBrace = false;
      return;
    }
    sheet.write('{');
    this.body(rule.body, closeRow(rule.body));
    sheet.write('}');
    this.#endsInBrace = true;
  }

  protected body(body: Body, end: number): void {
    const { sheet } = this;
    sheet.endLine();
    sheet.indented(() => {
      for (const expr of body) {
        sheet.startAt(expr.loc.row);
        this.expr(expr);
        sheet.reach(endRow(expr.loc));
        sheet.endLine();
      }
      sheet.endAt(end);
    });
    sheet.reach(end);
  }

  protected expr(expr: Expr): void {
    const { sheet } = this;
    if (expr.negated) sheet.write('not ');
    this.#exprKind(expr);
    for (const { loc, target, value } of expr.with) {
      const isOnNextLine = loc.row > sheet.row;
      const write = (): void => {
        sheet.write('with ');
        this.term(target);
        sheet.write(' as ');
        this.term(value);
      };
      if (isOnNextLine) {
        sheet.endLine();
        sheet.indented(() => {
          sheet.startAt(loc.row);
          write();
        });
      } else {
        sheet.write(' ');
        write();
      }
      sheet.reach(endRow(loc));
    }
  }

  #exprKind(expr: Expr): void {
    const { sheet } = this;
    switch (expr.kind) {
      case 'term':
        this.term(expr.term);
        break;
      case 'call':
        this.#callExpr(expr);
        break;
      case 'some':
        sheet.write('some ');
        expr.symbols.forEach((symbol, i) => {
          if (i > 0) sheet.write(', ');
          this.term(symbol);
        });
        break;
      case 'every':
        sheet.write('every ');
        if (expr.key) {
          this.term(expr.key);
          sheet.write(', ');
        }
        this.term(expr.value);
        sheet.write(' in ');
        this.term(expr.domain);
        sheet.write(' {');
        this.#block(expr.body, expr);
        break;
      case 'not':
        sheet.write('not ');
        if (expr.explicit) this.#braces(expr.body);
        else this.#operand(expr.body, isLogical(expr.body[0]!) || expr.body[0]!.negated || expr.body[0]!.kind === 'not');
        break;
      case 'and':
      case 'or':
        this.#logical(expr);
        break;
    }
  }

  #callExpr(expr: CallExpr, leftInParens = false): void {
    const { sheet } = this;
    const sign = expr.operator.loc.text;
    const [left, right] = expr.args;
    if (isUnification(expr) && left && right) {
      sheet.write(leftInParens ? '(' : '');
      this.term(left);
      sheet.write(leftInParens ? ')' : '');
      sheet.write(` ${sign} `);
      this.term(right);
      return;
    }
    const call = { type: 'call', loc: expr.loc, operator: expr.operator, args: expr.args } as const;
    // At the start of a body in braces, `a | b` would read as a comprehension.
    if (infixOf(call)?.[0] === '|') {
      sheet.write('(');
      this.call(call, -1);
      sheet.write(')');
    } else this.call(call, -1);
  }

  #logical(expr: LogicalExpr): void {
    const { sheet } = this;
    const [lhs, rhs] = [expr.lhs[0]!, expr.rhs[0]!];
    if (expr.explicitLhs) this.#braces(expr.lhs);
    else this.#operand(expr.lhs, expr.kind === 'and' && lhs.kind === 'or');
    sheet.write(` ${expr.kind}`);
    const write = (): void => {
      if (expr.explicitRhs) this.#braces(expr.rhs);
      else this.#operand(expr.rhs, isLogical(rhs) && !(expr.kind === 'or' && rhs.kind === 'and'));
    };
    const row = expr.explicitRhs ? openRow(rhs) : rhs.loc.row;
    if (row > sheet.row) {
      sheet.endLine();
      sheet.indented(() => {
        sheet.startAt(row);
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
      this.#callExpr(expr, true);
      return;
    }
    const inParens = needsParens || expr.with.length > 0 || isBraceLed(expr);
    if (inParens) this.sheet.write('(');
    this.expr(expr);
    if (inParens) this.sheet.write(')');
  }

  /** A body in braces inside an expression. */
  #braces(body: Body): void {
    const { sheet } = this;
    const end = closeRow(body);
    sheet.reach(openRow(body[0]!));
    sheet.write('{');
    if (end === sheet.row && !sheet.hasCommentBefore(end)) {
      body.forEach((expr, i) => {
        sheet.write(i > 0 ? '; ' : ' ');
        this.expr(expr);
      });
      sheet.write(' }');
    } else {
      this.body(body, end);
      sheet.write('}');
    }
    sheet.reach(end);
  }

  #block(body: Body, expr: Expr): void {
    this.body(body, endRow(expr.loc));
    this.sheet.write('}');
  }
}

/** Whether a body is an object, a comprehension or the like whose braces are not those of a body. */
function isObjectLike(first: Expr, rule: Rule): boolean {
  if (rule.body.length !== 1 || !rule.head.hasIf || !first.loc.text.startsWith('{')) return false;
  const { text } = rule.loc.source;
  return /if\s*$/.test(text.slice(rule.loc.start, first.loc.start));
}

function isUnification(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && (expr.operator.loc.text === ':=' || expr.operator.loc.text === '=');
}

/** Whether the text of an expression starts with a brace. */
function isBraceLed(expr: Expr): boolean {
  if (expr.negated) return false;
  if (expr.kind === 'term') return isBraceLedTerm(expr.term);
  return expr.kind === 'call' && isBraceLedTerm({ type: 'call', loc: expr.loc, operator: expr.operator, args: expr.args });
}

function isBraceLedTerm(term: Term): boolean {
  if (term.type === 'ref') return isBraceLedTerm(term.terms[0]!);
  if (term.type === 'call') {
    const sign = term.operator.loc.text;
    return infixOf(term) || sign === '=' || sign === ':=' ? isBraceLedTerm(term.args[0]!) : false;
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
function closeRow(body: Body): number {
  return closingRow(body.at(-1)!.loc, '}');
}

/** Imports that no blank line separates. */
function groupImports(imports: readonly Import[]): Import[][] {
  const groups: Import[][] = [];
  for (const statement of imports) {
    const last = groups.at(-1);
    if (last && statement.loc.row <= last.at(-1)!.loc.row + 1) last.push(statement);
    else groups.push([statement]);
  }
  return groups;
}
