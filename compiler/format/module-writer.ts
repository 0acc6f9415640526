/** The layout of a module: its package, imports and rules. */

import { countWhile } from '../../values/index.js';
import type { Import, Module, RegoVersion, Rule, RuleHead } from '../ast/nodes.js';
import { Span } from '../source/location.js';
import type { FormatOptions } from './format-options.js';
import { formattedHead, type Unit, unitEnd, unitsOf } from './format-units.js';
import { compareImports, groupImports, isDropped, keywordOf } from './imports.js';
import { endRow } from './places.js';
import { closeRow, ExpressionWriter, isBraceLed, isLoneSet } from './printed-expressions.js';
import { Sheet } from './sheet.js';

/** Lays a module out. `held`: rules of which the layout would lose something, see `#heldRule`. */
export function writeModule(module: Module, options: FormatOptions, held: ReadonlySet<Rule>): string {
  return new ModuleWriter(module, options, held).write();
}

class ModuleWriter extends ExpressionWriter {
  readonly #module: Module;
  readonly #version: RegoVersion;
  readonly #options: FormatOptions;
  /** Whether rules are written with `if`, and partial sets with `contains`. */
  readonly #usesIf: boolean;
  readonly #usesContains: boolean;
  /**
   * Whether heads of two terms may be written with a dot: they are where a longer one shows that
   * the reader knows such heads.
   */
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
    this.#usesRefHeads = module.rules.some(
      ({ head }) => head.ref.length > 2 || (head.ref.length === 2 && head.hasContains),
    );
  }

  write(): string {
    const { sheet } = this;
    const { package: pkg } = this.#module;
    sheet.startAt(pkg.loc.row);
    sheet.write('package ');
    this.path(pkg.path.slice(1));
    sheet.reach(endRow(pkg.path.at(-1)!.loc));
    sheet.until(this.#nextStart(pkg.loc.end), () => sheet.endLine());
    if (this.#addsImport && !this.#joinsLastImport) this.#addImport();
    for (const statements of this.#statements())
      if (statements.type === 'imports') this.#imports(statements.imports);
      else this.#rules(statements.rules);
    return sheet.finish();
  }

  /** Imports and rules in stretches, in the order of the text. */
  #statements(): ({ type: 'imports'; imports: Import[] } | { type: 'rules'; rules: Rule[] })[] {
    const { imports, rules } = this.#module;
    const stretches: ({ type: 'imports'; imports: Import[] } | { type: 'rules'; rules: Rule[] })[] = [];
    const all = [
      ...imports.filter((statement) => !isDropped(statement, this.#module, this.#options)),
      ...rules,
    ].toSorted((a, b) => a.loc.start - b.loc.start);
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

  /**
   * Whether the added import goes behind the last one: if all stand before the rules, and one of
   * them goes, or no blank line follows the package. Otherwise it is a group of its own, the first.
   */
  get #joinsLastImport(): boolean {
    const { imports, rules } = this.#module;
    const last = imports.at(-1);
    if (last === undefined || (rules[0] !== undefined && last.loc.start > rules[0].loc.start)) return false;
    const kept = imports.filter((statement) => !isDropped(statement, this.#module, this.#options));
    return kept.length > 0 && (kept.length < imports.length || !this.#isApart(imports[0]!));
  }

  /** Whether a blank line stands between the package and an import. */
  #isApart({ loc }: Import): boolean {
    return /\n[ \t\r]*\n/.test(loc.source.text.slice(this.#module.package.loc.end, loc.start));
  }

  get #addsImport(): boolean {
    return this.#version === 'v0v1' && !this.#module.imports.some((statement) => keywordOf(statement) === '*v1');
  }

  #rules(rules: readonly Rule[]): void {
    const { sheet } = this;
    let before: Rule | undefined;
    for (const unit of unitsOf(rules)) {
      const isHeld = this.#held.has(unit[0]);
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
    return this.#starts[countWhile(this.#starts, (start) => start < offset)] ?? Number.POSITIVE_INFINITY;
  }

  #starts: readonly number[] | undefined;

  /**
   * A rule that the layout has no place for all comments of. As it was, with its further bodies
   * (answers true); where it is to be of another version, its comments stand above it.
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

  /**
   * Rules of one expression at most stay together if they started on lines that followed each
   * other.
   */
  #joins(before: Rule, rule: Rule): boolean {
    const isShort = (each: Rule): boolean =>
      !each.default && !each.else && each.body.length === 1 && this.#hasIf(each.head);
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
      sheet.startAt(group[0].loc.row);
      const noted = group.map((statement) => ({ statement, notes: sheet.take(this.#importSpan(statement)) }));
      for (const { statement, notes } of noted.sort((a, b) => compareImports(a.statement, b.statement))) {
        const [beside, ...above] = notes.toReversed();
        sheet.ownLines(above.reverse());
        sheet.write('import ');
        this.path(statement.path.terms);
        if (statement.alias !== undefined) sheet.write(` as ${statement.alias}`);
        if (beside !== undefined) sheet.write(` ${beside}`);
        sheet.reach(endRow(this.#importSpan(statement)));
        sheet.until(0, () => sheet.endLine());
      }
    }
    if (!this.#addsImport || !this.#joinsLastImport) return;
    // As if it stood in the line after the last import, which may be one that goes.
    if (this.#module.imports.at(-1)!.loc.row > imports.at(-1)!.loc.row) sheet.blankLine();
    sheet.ownLines(['import rego.v1']);
    sheet.blankLine();
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
    this.#head(formattedHead(rule), isConstant, rule.generatedBody);
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

  /** Whether the last output is a body in braces: an `else` goes on the same line. */
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
      // Where a body of `true` goes, the value says it; in version 1 all but functions need one of
      // the two.
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
    this.term(name);
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
    // The brace after an `else if` always begins a body.
    const opensBody = isTermLike ? isLoneSet(rule.body) : isBraceLed(first);
    if (hasIf && isLine && !opensBody && this.#options.bracedBodies !== true) {
      this.expr(first, false);
      this.#endsInBrace = false;
      return;
    }
    sheet.write('{');
    this.body(rule.body, closeRow(rule.body), isTermLike);
    sheet.write('}');
    this.#endsInBrace = true;
  }
}

/** A body of `true` says nothing: the rule is a constant. */
function isTrue(rule: Rule): boolean {
  const first = rule.body[0];
  if (rule.else || rule.body.length !== 1 || first?.kind !== 'term' || first.negated || first.with.length > 0)
    return rule.generatedBody;
  return first.term.type === 'boolean' && first.term.value;
}
