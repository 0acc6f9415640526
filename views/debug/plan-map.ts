/** The statements of a plan with their expressions, rules, and names of locals. */

import type {
  AddressedStatement,
  Block,
  DebugInfo,
  DebugRange,
  DebugReason,
  DebugRule,
  Func,
  IndexedExpression,
  IndexedStatement,
  Location,
  Plan,
  Stmt,
} from '../../ir-schema/index.js';
import { Addresses, blocksOf, DebugIndex, queryFile } from '../../ir-schema/index.js';
import type { DebugProgram, SourceText } from './debug-program.js';
import type { Granularity, TextRange } from './session.js';

/** A statement of a plan with the rule, expression and text that it belongs to. */
export interface MappedStatement {
  readonly at: AddressedStatement;
  readonly stmt: Stmt;
  readonly address: string;
  readonly reason: DebugReason | undefined;
  readonly rule: DebugRule | undefined;
  readonly expression: IndexedExpression | undefined;
  /** The text of the expression, of the rule's head, or of the statement's own place. */
  readonly range: TextRange | undefined;
  /** How many expressions are around its own one: bodies of comprehensions, `every`, `not`. */
  readonly nesting: number;
  /** Whether a step of that granularity stops before it. */
  readonly begins: Readonly<Record<Granularity, boolean>>;
  /** Whether it gives a value to a rule, or to a key of it. */
  readonly givesValue: boolean;
  /**
   * Whether it is inside of what its expression negates or tries: its failure is none of the
   * expression. What a comprehension collects is not that.
   */
  readonly isTried: boolean;
}

/** Statements that give a rule its value, or a part of it. */
const giving: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  'AssignVarOnceStmt',
  'SetAddStmt',
  'ObjectInsertOnceStmt',
  'ObjectInsertStmt',
]);

/** Reasons of statements that are parts of an expression. */
const expressionReasons: ReadonlySet<DebugReason | undefined> = new Set<DebugReason | undefined>([
  ...(['expression', 'guard', 'argument', 'inlined', 'partial', 'hoisted', 'shared'] as const),
  undefined,
]);

/** Reasons of statements of rules that partial evaluation made. */
const madeReasons: ReadonlySet<DebugReason | undefined> = new Set<DebugReason | undefined>(['partial', 'inlined']);

interface Served extends IndexedStatement {
  /** Whether it is a part of a rule's head, not of an expression. */
  readonly isOfHead: boolean;
}

/** In the place of debug information. */
const noNames: Pick<DebugInfo, 'names' | 'owners'> = { names: [], owners: [] };

/** Reasons of statements that give a rule its value. */
const ruleReasons: ReadonlySet<DebugReason | undefined> = new Set<DebugReason | undefined>([
  'rule',
  'index order',
  'partial',
  'inlined',
]);

export class PlanMap {
  readonly addresses: Addresses;
  readonly index: DebugIndex | undefined;
  readonly #files: readonly string[];
  readonly #sources: ReadonlyMap<string, SourceText>;
  readonly #mapped = new Map<Stmt, MappedStatement>();
  /** Expressions of which more is evaluated than what has moved elsewhere. */
  readonly #inPlace = new Set<IndexedExpression>();
  #authorsKnown: boolean | undefined;
  readonly #names = new Map<string, ReadonlyMap<string, number>>();

  constructor({ policy, info, sources }: Pick<DebugProgram, 'policy' | 'info' | 'sources'>) {
    this.addresses = new Addresses(policy);
    this.index = info && new DebugIndex(info, this.addresses);
    this.#files = (policy.static?.files ?? []).map(({ value }) => value);
    this.#sources = new Map(sources.map((source) => [source.name, source]));
    for (const { address } of this.addresses) {
      const { reason, expression } = this.#servedBy(address);
      if ((reason === 'expression' || madeReasons.has(reason)) && expression !== undefined)
        this.#inPlace.add(expression);
    }
    for (const { body } of this.addresses.owners) {
      const path = 'params' in body ? body.path?.slice(1).join('/') : undefined;
      const begun = new Begun(path);
      for (const block of body.blocks ?? []) this.#mapBlock(block, begun);
    }
  }

  get statements(): Iterable<MappedStatement> {
    return this.#mapped.values();
  }

  /** @param stmt of the policy */
  of(stmt: Stmt): MappedStatement {
    return this.#mapped.get(stmt)!;
  }

  at(address: string): MappedStatement | undefined {
    const found = this.addresses.at(address);
    return found && this.#mapped.get(found.stmt);
  }

  /** The statements of a plan or a function, in order. */
  inside(owner: Plan | Func): readonly MappedStatement[] {
    return this.addresses.inside(owner).map(({ stmt }) => this.of(stmt));
  }

  /** Author's names of locals at a statement. */
  namesAt(address: string): ReadonlyMap<string, number> {
    let names = this.#names.get(address);
    if (names === undefined) this.#names.set(address, (names = this.index?.locals(address) ?? new Map()));
    return names;
  }

  /** Names that authors gave to variables of the rule that a statement belongs to. */
  namesOfRule({ at, rule }: MappedStatement): readonly string[] {
    const { names: known, owners } = this.index?.info ?? noNames;
    const statements = this.addresses.inside(at.owner);
    const names = new Set<string>();
    for (const [number, , from] of owners[at.owner.index]?.names ?? []) {
      const [begin, name] = [statements[from], known[number]];
      if (begin !== undefined && name !== undefined && this.of(begin.stmt).rule === rule) names.add(name);
    }
    return [...names];
  }

  /** The place that the plan gives a statement, if it names a file that is known. */
  lineOf({ stmt: { stmt } }: MappedStatement): TextRange | undefined {
    return this.#placeOf(stmt);
  }

  #placeOf(stmt: Location): TextRange | undefined {
    const file = this.#files[stmt.file];
    if (file === undefined || stmt.row === 0) return undefined;
    const [endRow, endCol] = stmt.end_row > 0 ? [stmt.end_row, stmt.end_col] : [stmt.row, stmt.col + 1];
    return { file: shownFile(file), row: stmt.row, col: stmt.col, endRow, endCol };
  }

  source(name: string): SourceText | undefined {
    return this.#sources.get(name);
  }

  /** The text of a range, on one line; undefined where the source is not known. */
  textOf(range: TextRange | undefined): string | undefined {
    const lines = this.#linesOf(range);
    return lines && joined(lines);
  }

  /** The lines of a range, the first and the last one cut. */
  #linesOf(range: TextRange | undefined): readonly string[] | undefined {
    const lines = range && this.#sources.get(range.file)?.text.split('\n');
    if (range === undefined || lines === undefined) return undefined;
    const rows = lines.slice(range.row - 1, range.endRow).map((line) => [...line]);
    const last = rows.length - 1;
    return rows.map((row, i) =>
      row.slice(i === 0 ? range.col - 1 : 0, i === last ? range.endCol - 1 : undefined).join(''),
    );
  }

  /** A range's text; of several lines the first and the last bracket: `every x in xs { … }`. */
  shortTextOf(range: TextRange | undefined): string | undefined {
    const lines = this.#linesOf(range);
    const first = lines?.[0]?.trimEnd();
    if (lines === undefined || lines.length === 1 || first === undefined) return lines?.[0];
    const text = joined(lines);
    const last = text.slice(text.search(/[)\]}]*$/));
    return /[([{|]$/.test(first) ? `${first} … ${last}` : text;
  }

  #mapBlock({ stmts }: Block, outer: Begun): void {
    const seen = outer.inner();
    for (const [i, stmt] of stmts.entries()) {
      const mapped = this.#map(stmt, seen, isKept(stmt, stmts[i - 1]));
      // A statement object that stands at several places has the first one.
      if (!this.#mapped.has(stmt)) this.#mapped.set(stmt, mapped);
      const own = mapped.rule === undefined || mapped.reason === 'inlined' ? undefined : mapped.rule.path;
      for (const inner of blocksOf(stmt)) this.#mapBlock(inner, seen.around(own));
    }
  }

  #map(stmt: Stmt, seen: Begun, isKeeping: boolean): MappedStatement {
    // It is one of the policy.
    const at = this.addresses.find(stmt)!;
    const { address } = at;
    const { reason, rule, expression, isOfHead } = this.#servedBy(address);
    const givesValue = rule !== undefined && isOfHead && giving.has(stmt.type) && !isKeeping;
    const isMoved =
      (reason === 'guard' || reason === 'hoisted') && expression !== undefined && this.#inPlace.has(expression);
    const isExpression = expression !== undefined && expressionReasons.has(reason) && !isMoved;
    const range = this.#rangeOf(stmt, expression, rule);
    const key = this.#keyOf(isExpression ? expression : undefined, givesValue ? rule : undefined, range);
    const isOfRule = rule !== undefined && reason !== 'early exit' && (isExpression || givesValue);
    const beginsRule = isOfRule && seen.beginsRule(rule);
    const beginsExpression = key !== undefined && seen.begins(key);
    return {
      at,
      stmt,
      address,
      reason,
      rule,
      expression,
      range,
      nesting: this.#nestingOf(expression),
      begins: { statement: true, expression: beginsExpression, rule: beginsRule },
      givesValue,
      isTried: this.#isTried(at.parent, expression),
    };
  }

  /**
   * The purpose of a statement: of a text that the compiler wrote, that of its author, if that text
   * is known. A part of a head has no expression there.
   */
  #servedBy(address: string): Served {
    const { index } = this;
    if (index === undefined) return { reason: undefined, rule: undefined, expression: undefined, isOfHead: false };
    const { reason, rule, expression } = index.at(address);
    const isOfHead = ruleReasons.has(reason) && (expression === undefined || !madeReasons.has(reason));
    const { info } = index;
    const isGenerated = (file: string | undefined) => file !== undefined && index.isGenerated(file);
    const isWritten = isGenerated(expression?.file);
    if ((!isWritten && !isGenerated(rule && info.sources[rule.source]?.file)) || !this.#knowsAuthors(info)) {
      return { reason, rule, expression, isOfHead };
    }
    const author = rule?.origin === undefined ? undefined : info.rules[rule.origin];
    const origin = isWritten ? expression?.origin : expression;
    return {
      reason,
      rule: (reason === 'inlined' ? origin?.rule : author) ?? author ?? origin?.rule,
      expression: origin,
      isOfHead,
    };
  }

  /** Whether all texts are known that an author wrote. */
  #knowsAuthors({ sources }: DebugInfo): boolean {
    return (this.#authorsKnown ??= sources.every(
      ({ file, generated }) => generated === true || this.#sources.has(file) || file === queryFile,
    ));
  }

  #isTried(parent: AddressedStatement | undefined, expression: IndexedExpression | undefined): boolean {
    if (parent === undefined || expression === undefined) return false;
    const around = this.#mapped.get(parent.stmt);
    if (around?.expression !== expression) return false;
    return (
      parent.stmt.type === 'NotStmt' ||
      (parent.stmt.type === 'BlockStmt' && !isCollecting(parent.stmt)) ||
      around.isTried
    );
  }

  /** The part that a step passes as a whole; undefined for none of a source. */
  #keyOf(
    expression: IndexedExpression | undefined,
    rule: DebugRule | undefined,
    range: TextRange | undefined,
  ): string | undefined {
    if (expression !== undefined) return `expression ${expression.index}`;
    if (rule !== undefined) return `head ${rule.path} ${rule.number} ${rule.link}`;
    if (this.index !== undefined) return undefined;
    return range && `line ${range.row} ${range.file}`;
  }

  #rangeOf(
    { stmt }: Stmt,
    expression: IndexedExpression | undefined,
    rule: DebugRule | undefined,
  ): TextRange | undefined {
    if (expression !== undefined) return rangeOf(expression);
    if (rule !== undefined) return this.headOf(rule);
    return this.index === undefined ? this.#placeOf(stmt) : undefined;
  }

  headOf({ source, head }: DebugRule): TextRange {
    return this.#rangeIn(source, head);
  }

  /** @param source the number of a source of the debug information, which rules are from */
  #rangeIn(source: number, [row, col, endRow, endCol]: DebugRange): TextRange {
    return { file: shownFile(this.index?.info.sources[source]?.file ?? ''), row, col, endRow, endCol };
  }

  /** The rule that an `else` belongs to; another rule itself. */
  firstLink(rule: DebugRule): DebugRule {
    if (rule.link === 0) return rule;
    const rules = this.index?.info.rules ?? [];
    return rules.find(({ path, number, link }) => path === rule.path && number === rule.number && link === 0) ?? rule;
  }

  /** The text of a rule; undefined where the source is not known. */
  ruleText({ source, range }: DebugRule): string | undefined {
    return this.textOf(this.#rangeIn(source, range));
  }

  /** The expressions around an expression, innermost first. */
  parentsOf(expression: IndexedExpression | undefined): readonly IndexedExpression[] {
    const parents: IndexedExpression[] = [];
    const parentOf = (one: IndexedExpression | undefined) =>
      one?.parent === undefined ? undefined : this.index?.expression(one.parent);
    for (let parent = parentOf(expression); parent !== undefined; parent = parentOf(parent)) parents.push(parent);
    return parents;
  }

  #nestingOf(expression: IndexedExpression | undefined): number {
    return expression?.parent === undefined ? 0 : this.parentsOf(expression).length;
  }
}

/**
 * The rules that have begun in a block or around it. A rule begins once, also where it goes on in
 * the next block: behind a comprehension of its head, or where its `else` ends.
 */
class Begun {
  readonly #keys: Set<string>;
  /** Rules that have begun, by the path whose rules are followed from block to block. */
  readonly #rules: ReadonlyMap<string | undefined, Set<string>>;

  constructor(
    path?: string,
    keys = new Set<string>(),
    rules: ReadonlyMap<string | undefined, Set<string>> = new Map(),
  ) {
    this.#keys = keys;
    this.#rules = path === undefined || rules.has(path) ? rules : new Map([...rules, [path, new Set()]]);
  }

  /** For a block inside. */
  inner(): Begun {
    return new Begun(undefined, new Set(this.#keys), this.#rules);
  }

  /** For the blocks of a statement of a rule. */
  around(path: string | undefined): Begun {
    return new Begun(path, this.#keys, this.#rules);
  }

  /** Whether something begins here. From now on it has begun. */
  begins(key: string): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    return true;
  }

  beginsRule({ path, number, link }: DebugRule): boolean {
    const key = `rule ${path} ${number} ${link}`;
    const followed = this.#rules.get(path);
    if (followed?.has(key) === true || !this.begins(key)) return false;
    followed?.add(key);
    return true;
  }
}

/** Whether a statement adds to a collection from outside: whether it is a comprehension's body. */
function isCollecting(body: Stmt): boolean {
  const made = new Set<number>();
  const filled = new Set<number>();
  const look = (node: Stmt) => {
    const { type, stmt } = node;
    if (type === 'MakeArrayStmt' || type === 'MakeSetStmt' || type === 'MakeObjectStmt') made.add(stmt.target);
    if (type === 'ArrayAppendStmt') filled.add(stmt.array);
    if (type === 'SetAddStmt') filled.add(stmt.set);
    if (type === 'ObjectInsertStmt' || type === 'ObjectInsertOnceStmt') filled.add(stmt.object);
    for (const { stmts } of blocksOf(node)) stmts.forEach(look);
  };
  look(body);
  return [...filled].some((local) => !made.has(local));
}

/** Whether a statement takes the value that a rule and its `else` have found. */
function isKept({ type, stmt }: Stmt, before: Stmt | undefined): boolean {
  if (type !== 'AssignVarOnceStmt' || stmt.source.type !== 'local' || before?.type !== 'IsDefinedStmt') return false;
  return before.stmt.source === stmt.source.value;
}

/** Lines as one. */
function joined(lines: readonly string[]): string {
  return lines.map((line, i) => (i === 0 ? line : line.trim())).join(' ');
}

function shownFile(file: string): string {
  return file === '' ? queryFile : file;
}

export function rangeOf({ file, range: [row, col, endRow, endCol] }: IndexedExpression): TextRange {
  return { file: shownFile(file), row, col, endRow, endCol };
}
