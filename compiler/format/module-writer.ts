/** The layout of a module: its package, imports and rules. */

import type { Body, CallExpr, CallTerm, Expr, Import, LogicalExpr, Module, RegoVersion, Rule, RuleHead, Term } from '../ast/nodes.js';
import { printRef } from '../ast/print.js';
import { walk } from '../ast/walk.js';
import { Span } from '../source/location.js';
import { Sheet } from './sheet.js';
import { closingOffset, closingRow, endRow, infixOf, TermWriter } from './terms.js';
import { headOf, type Unit, unitEnd, unitsOf } from './units.js';

export interface FormatOptions {
  /** Write a version 0 module so that it is one of this version: `v0v1` reads in both (with `import rego.v1`). Default: as it is. */
  readonly to?: RegoVersion;
  /** Leave out the imports that brought version 0 the keywords which version 1 has anyway. */
  readonly dropV0Imports?: boolean;
}

/** Lays a module out. `held`: rules of which the layout would lose something, see `#heldRule`. */
export function writeModule(module: Module, options: FormatOptions, held: ReadonlySet<Rule>): string {
  return new ModuleWriter(module, options, held).write();
}

class ModuleWriter extends TermWriter {
  readonly #module: Module;
  readonly #version: RegoVersion;
  readonly #options: FormatOptions;
  /** Whether rules are written with `if`, and partial sets with `contains`. */
  readonly #usesIf: boolean;
  readonly #usesContains: boolean;
  /** Whether heads of two terms may be written with a dot: they are where a longer one shows that the reader knows such heads. */
  readonly #usesRefHeads: boolean;

  readonly #held: ReadonlySet<Rule>;

  constructor(module: Module, options: FormatOptions, held: ReadonlySet<Rule>) {
    super(new Sheet(module.comments));
    const version = options.to ?? module.regoVersion;
    this.#module = module;
    this.#held = held;
    this.#version = version;
    this.#options = options;
    const keywords = new Set(module.imports.map(keywordOf));
    const isV1 = version !== 'v0';
    this.#usesIf = isV1 || keywords.has('*') || keywords.has('if');
    this.#usesContains = isV1 || keywords.has('*') || keywords.has('contains');
    this.#usesRefHeads = module.rules.some(({ head }) => head.ref.length > 2 || (head.ref.length === 2 && head.hasContains));
  }

  write(): string {
    const { sheet } = this;
    const { package: pkg } = this.#module;
    sheet.startAt(pkg.loc.row);
    sheet.write('package ');
    this.path(pkg.path.slice(1));
    sheet.reach(endRow(pkg.path.at(-1)!.loc));
    sheet.until(this.#nextStart(pkg.loc.end), () => sheet.endLine());
    if (this.#addsImport) this.#addImport();
    for (const statements of this.#statements())
      if (statements.type === 'imports') this.#imports(statements.imports);
      else this.#rules(statements.rules);
    return sheet.finish();
  }

  /** Imports and rules in stretches, in the order of the text. */
  #statements(): ({ type: 'imports'; imports: Import[] } | { type: 'rules'; rules: Rule[] })[] {
    const { imports, rules } = this.#module;
    const stretches: ({ type: 'imports'; imports: Import[] } | { type: 'rules'; rules: Rule[] })[] = [];
    const all = [...imports.filter((statement) => !isDropped(statement, this.#module, this.#options)), ...rules].toSorted(
      (a, b) => a.loc.start - b.loc.start,
    );
    for (const statement of all) {
      const last = stretches.at(-1);
      if (statement.type === 'import') {
        if (last?.type === 'imports') last.imports.push(statement);
        else stretches.push({ type: 'imports', imports: [statement] });
      } else if (last?.type === 'rules') last.rules.push(statement);
      else stretches.push({ type: 'rules', rules: [statement] });
    }
    return stretches;
  }

  #addImport(): void {
    this.sheet.blankLine();
    this.sheet.ownLines(['import rego.v1']);
    this.sheet.blankLine();
  }

  get #addsImport(): boolean {
    return this.#version === 'v0v1' && !this.#module.imports.some((statement) => keywordOf(statement) === '*v1');
  }

  #rules(rules: readonly Rule[]): void {
    const { sheet } = this;
    let before: Rule | undefined;
    for (const unit of unitsOf(rules)) {
      const isHeld = this.#held.has(unit[0]!);
      for (const rule of unit) {
        if (before === undefined || !this.#joins(before, rule)) sheet.blankLine();
        before = rule;
        let isWhole = false;
        sheet.until(this.#nextStart(rule.loc.end), () => {
          // A chained body of version 0 is a rule of its own here: its place is that of its braces.
          if (!isHeld) this.#rule(rule);
          else isWhole = this.#heldRule(rule, unit);
          sheet.endLine();
        });
        if (isWhole) break;
      }
    }
  }

  /** Where the first statement starts that does not start before an offset. */
  #nextStart(offset: number): number {
    this.#starts ??= [...this.#module.imports, ...this.#module.rules].map(({ loc }) => loc.start).sort((a, b) => a - b);
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return this.#starts[low] ?? Number.POSITIVE_INFINITY;
  }

  #starts: readonly number[] | undefined;

  /**
   * A rule that the layout has no place for all comments of. As it was, with its further bodies (answers true); where it is to be of
   * another version, its comments stand above it.
   */
  #heldRule(rule: Rule, unit: Unit): boolean {
    const { sheet } = this;
    const whole = new Span(rule.loc.source, rule.loc.start, unitEnd(unit));
    sheet.startAt(rule.loc.row);
    if (this.#version === this.#module.regoVersion) {
      this.keep(whole);
      return true;
    }
    sheet.ownLines(sheet.take(whole));
    this.#rule(rule);
    return false;
  }

  /** Rules of one expression at most stay together if they started on lines that followed each other. */
  #joins(before: Rule, rule: Rule): boolean {
    const isShort = (each: Rule): boolean => !each.default && !each.else && each.body.length === 1 && this.#hasIf(each.head);
    return isShort(before) && isShort(rule) && rule.loc.row === before.loc.row + 1;
  }

  #hasIf(head: RuleHead): boolean {
    return this.#usesIf && (this.#usesContains || head.value !== undefined);
  }

  #imports(imports: readonly Import[]): void {
    const { sheet } = this;
    const groups = groupImports(imports);
    for (const group of groups) {
      sheet.blankLine();
      sheet.startAt(group[0]!.loc.row);
      const notes = new Map(group.map((statement) => [statement, sheet.take(this.#importSpan(statement))]));
      for (const statement of group.toSorted(compareImports)) {
        const [beside, ...above] = notes.get(statement)!.toReversed();
        sheet.ownLines(above.reverse());
        sheet.write('import ');
        this.path(statement.path.terms);
        if (statement.alias !== undefined) sheet.write(` as ${statement.alias}`);
        if (beside !== undefined) sheet.write(` ${beside}`);
        sheet.reach(endRow(this.#importSpan(statement)));
        sheet.until(0, () => sheet.endLine());
      }
    }
  }

  /** An import up to the end of its line. */
  #importSpan({ loc, path, alias }: Import): Span {
    const { text } = loc.source;
    let { end } = path.loc;
    if (alias !== undefined) end += /^(?:\s|#.*)*as(?:\s|#.*)*\w+/.exec(text.slice(end))?.[0].length ?? 0;
    const newline = text.indexOf('\n', end);
    return new Span(loc.source, loc.start, Math.min(newline < 0 ? text.length : newline, this.#nextStart(end)));
  }

  #rule(rule: Rule): void {
    const { sheet } = this;
    sheet.startAt(rule.head.loc.row);
    if (rule.default) sheet.write('default ');
    const isConstant = rule.default || isTrue(rule);
    this.#head(headOf(rule), isConstant, rule.generatedBody);
    this.#endsInBrace = false;
    if (!isConstant) this.#ruleBody(rule);
    let before = rule;
    for (let link = rule.else; link; link = link.else) {
      this.#else(before, link);
      before = link;
    }
    sheet.reach(endRow(rule.loc));
  }

  #else(before: Rule, link: Rule): void {
    const { sheet } = this;
    const { value, generatedValue, assign, loc } = link.head;
    const { source } = loc;
    const leads = source.text.slice(source.lineStarts[loc.row - 1], loc.start).trim() === '';
    if (!this.#endsInBrace || leads || loc.row === before.loc.row || sheet.hasCommentBefore(loc.row + 1)) {
      sheet.endLine();
      sheet.blankLine();
      sheet.startAt(loc.row);
      sheet.write('else');
    } else sheet.write(' else');
    sheet.reach(loc.row);
    const isConstant = isTrue(link);
    if (value && (!generatedValue || isConstant) && (isConstant || !(value.type === 'boolean' && value.value))) {
      sheet.write(assign || this.#version !== 'v0' ? ' := ' : ' = ');
      this.term(value);
    }
    this.#endsInBrace = false;
    if (!isConstant) this.#ruleBody(link, false);
    sheet.reach(endRow(link.loc));
  }

  /** Whether what was written last is a body in braces: an `else` stands beside it. */
  #endsInBrace = false;

  /** `isConstant`: no body follows, so that a value of `true` has to be said. */
  #head(head: RuleHead, isConstant: boolean, hasNoBody: boolean): void {
    const { sheet } = this;
    this.#headRef(head);
    if (head.args) this.list('(', ')', head.args, (arg) => this.argument(arg), head.loc.row);
    if (head.value === undefined && head.key) {
      if (this.#usesContains) {
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
    if (!value) return;
    const isTrueValue = value.type === 'boolean' && value.value;
    if (head.generatedValue || (isTrueValue && value.loc.text !== 'true')) {
      // Where a body of `true` goes, the value says it; in version 1 all but functions need one of the two.
      const isSaid = isConstant && !head.args && (this.#version !== 'v0' || !hasNoBody);
      if (!isSaid) return;
    } else if (isTrueValue && !isConstant && (head.ref.length !== 2 || head.args)) return;
    sheet.write(head.assign || this.#version !== 'v0' ? ' := ' : ' = ');
    this.term(value);
  }

  #headRef(head: RuleHead): void {
    const { sheet } = this;
    const [name, second, ...rest] = head.ref;
    if (this.#usesRefHeads || !second || rest.length > 0) {
      this.refParts(head.ref);
      return;
    }
    this.term(name!);
    sheet.write('[');
    this.term(second);
    sheet.write(']');
  }

  #ruleBody(rule: Rule, isTermLike = true): void {
    const { sheet } = this;
    const hasIf = this.#hasIf(rule.head);
    const first = rule.body[0]!;
    sheet.write(hasIf ? ' if ' : ' ');
    const isLine = rule.body.length === 1 && first.loc.row <= sheet.row && !sheet.hasCommentBefore(first.loc.row);
    // The brace after an `else if` is that of a body, whatever follows.
    const opensBody = isTermLike ? isLoneSet(rule.body) : isBraceLed(first);
    if (hasIf && isLine && !opensBody) {
      this.expr(first, false);
      this.#endsInBrace = false;
      return;
    }
    sheet.write('{');
    this.body(rule.body, closeRow(rule.body), isTermLike);
    sheet.write('}');
    this.#endsInBrace = true;
  }

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

  /** `leadsBraces`: the expression starts what stands in braces. */
  protected expr(expr: Expr, leadsBraces: boolean): void {
    // Where the text of a call or a term must be kept, that of its `not` and `with` is kept with it: comments may stand in them.
    if (expr.kind === 'call' || expr.kind === 'term' || (expr.kind === 'not' && !expr.explicit))
      this.keepingComments(wholeOf(expr), () => this.#modified(expr, leadsBraces));
    else this.#modified(expr, leadsBraces);
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
        // The reference's layout: a space before the brace after one expression, none after several.
        sheet.write(this.bracedBody(expr.body, expr.loc.row, endRow(expr.loc), ' ', '') && expr.body.length === 1 ? ' }' : '}');
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
    const leftParens = leftInParens || closeness(left) < closenessOf(infix) || (!inParens && leadsBraces && isUnion(left));
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
      // Its own parentheses may have to stay with the comments in them; others around them would grow in number each time.
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
    this.bracedBody(body, row, closeRow(body), ' ', ' ');
    sheet.write('}');
  }
}

/** Whether an import goes: where `rego.v1` is imported, it brings the keywords of the future. */
export function isDropped(statement: Import, module: Module, options: FormatOptions): boolean {
  const keyword = keywordOf(statement);
  if (keyword === undefined) return false;
  const version = options.to ?? module.regoVersion;
  if (options.dropV0Imports && version === 'v1') return keyword !== '*' || !usesMoreKeywords(module);
  if (keyword === '*' && usesMoreKeywords(module)) return false;
  return keyword !== '*v1' && (version === 'v0v1' || module.imports.some((each) => keywordOf(each) === '*v1'));
}

/** Whether there are bodies under `not`, `and` or `or`, which version 1 does not have without an import. */
function usesMoreKeywords({ rules }: Module): boolean {
  let found = false;
  for (const rule of rules)
    walk(rule, (node) => {
      found ||= node.type === 'expr' && (node.kind === 'not' || isLogical(node));
    });
  return found;
}

/** Which keyword an import brings: `*` for all, `*v1` by `rego.v1`. */
function keywordOf({ path }: Import): string | undefined {
  const [head, ...rest] = path.terms.map((term) => (term.type === 'var' ? term.name : term.type === 'string' ? term.value : ''));
  if (head === 'rego') return rest[0] === 'v1' && rest.length === 1 ? '*v1' : undefined;
  if (head !== 'future' || rest[0] !== 'keywords') return undefined;
  if (rest.length === 1) return '*';
  return /^(in|if|contains|every)$/.test(rest[1]!) ? rest[1] : undefined;
}

/** By path, part by part, then by name. */
function compareImports(a: Import, b: Import): number {
  const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
  const parts = (statement: Import): string[] =>
    statement.path.terms.map((term) => (term.type === 'var' ? term.name : term.type === 'string' ? term.value : ''));
  const [left, right] = [parts(a), parts(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const found = order(left[i]!, right[i]!);
    if (found !== 0) return found;
  }
  return left.length - right.length || order(a.alias ?? '', b.alias ?? '');
}

/** A body of `true` says nothing: the rule is a constant. */
function isTrue(rule: Rule): boolean {
  const first = rule.body[0];
  if (rule.else || rule.body.length !== 1 || first?.kind !== 'term' || first.negated || first.with.length > 0) return rule.generatedBody;
  return first.term.type === 'boolean' && first.term.value;
}

/** A set alone in a body, whose braces would be taken for those of the body. */
function isLoneSet(body: Body): boolean {
  const first = body[0];
  return body.length === 1 && first?.kind === 'term' && !first.negated && first.term.type === 'set' && first.term.items.length > 0;
}

function isUnion(term: Term): boolean {
  return term.type === 'call' && infixOf(term) === '|';
}

/** How close a sign binds. */
function closenessOf(sign: string): number {
  if (sign === '=' || sign === ':=') return -1;
  if (sign === 'in') return 0;
  return sign === '|' ? 2 : sign === '&' ? 3 : '+-'.includes(sign) ? 4 : '*/%'.includes(sign) ? 5 : 1;
}

function closeness(term: Term): number {
  const sign = term.type === 'call' ? infixOf(term) : undefined;
  return sign === undefined || (sign === 'in' && (term as CallTerm).args.length === 3) ? 9 : closenessOf(sign);
}

function isUnification(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && expr.args.length === 2 && /^(eq|assign)$/.test(printRef(expr.operator.terms));
}

/** Where an expression stands with its `with`, which in parentheses is no part of its own place. */
function wholeOf({ loc, with: modifiers }: Expr): Span {
  const end = modifiers.at(-1)?.loc.end ?? loc.end;
  return end > loc.end ? new Span(loc.source, loc.start, end) : loc;
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
    const name = printRef(term.operator.terms);
    return infixOf(term) || name === 'eq' || name === 'assign' ? isBraceLedTerm(term.args[0]!) : false;
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
