/** Sources, rules and expressions of debug information, and their numbers. */
import type { DebugExpression, DebugRange, DebugRule, DebugSource } from '../../ir-schema/debug-info.js';
import { queryFile } from '../../ir-schema/query-file.js';
import type { Body, Expr, Module, Node, Rule } from '../ast/nodes.js';
import type { AuthorVariable, Origins } from '../ast/origins.js';
import { walk } from '../ast/walk.js';
import type { Compiled } from '../resolve/compiled.js';
import { elseChain } from '../resolve/links.js';
import type { Span } from '../source/location.js';
import type { Source } from '../source/source.js';

export interface DebugTablesOptions {
  /** The hash of a text, in hex; without it sources have none. */
  readonly sha256?: (text: string) => string;
  /** Whether sources have their texts. */
  readonly texts?: boolean;
  /** Of texts that the compiler has written: where their parts come from. */
  readonly origins?: ReadonlyMap<Source, Origins>;
}

/** A link of a rule. */
interface PlacedLink {
  readonly rule: Rule;
  readonly first: Rule;
  readonly number: number;
}

interface PlacedExpression {
  readonly span: Span;
  /** Indexes into the lists of the source, or -1. */
  readonly link: number;
  readonly parent: number;
  readonly ordinal: number;
}

/** A source with its rules and expressions, in the order of its text. */
interface SourceTable {
  readonly index: number;
  readonly source: Source;
  readonly links: readonly PlacedLink[];
  readonly linkIndexes: ReadonlyMap<string, number>;
  readonly firstRule: number;
  readonly expressions: readonly PlacedExpression[];
  readonly firstExpression: number;
}

/**
 * A source comes in with the first statement that refers to it, whole. So a reader can tell an
 * expression that no statement serves from what is no expression.
 */
export class DebugTables {
  readonly #options: DebugTablesOptions;
  readonly #modules = new Map<Source, Module>();
  readonly #places = new Map<Rule, { readonly path: string; readonly number: number }>();
  readonly #tables = new Map<Source, SourceTable>();
  readonly #inOrder: SourceTable[] = [];
  readonly #queries = new Map<Source, Span[]>();
  /** Authors' rules by path. */
  readonly #authorRules: ReadonlyMap<string, readonly Rule[]>;
  /** For each link of a generated source the rules, by number, that it was made of. */
  readonly #made = new Map<Source, readonly ReadonlySet<number>[]>();
  #rules = 0;
  #expressions = 0;

  constructor(compiled: Compiled, options: DebugTablesOptions) {
    this.#options = options;
    const planned = [...compiled.modules.values()].map(({ parsed }) => parsed);
    const authors = new Set([...(options.origins?.values() ?? [])].flatMap(({ modules }) => modules));
    this.#addModules(planned);
    this.#addModules([...authors].filter((module) => !planned.includes(module)));
    this.#authorRules = Map.groupBy(
      [...authors].flatMap(({ rules }) => rules),
      (rule) => this.#places.get(rule)!.path,
    );
  }

  #addModules(modules: readonly Module[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      this.#modules.set(module.source, module);
      for (const rule of module.rules) {
        const path = pathOf(module, rule);
        const number = counts.get(path) ?? 0;
        counts.set(path, number + 1);
        this.#places.set(rule, { path, number });
      }
    }
  }

  /** Notes an expression of a query: such sources have no module. Called before the others. */
  noteQuery(span: Span): void {
    if (this.#modules.has(span.source) || span.source.text === '') return;
    const spans = this.#queries.get(span.source) ?? [];
    if (spans.some((other) => other.includes(span))) return;
    this.#queries.set(span.source, [...spans.filter((other) => !span.includes(other)), span]);
  }

  /** The number of the rule or `else` at a place. */
  rule(span: Span): number {
    const table = this.#tableOf(span.source);
    const index = table?.linkIndexes.get(keyOf(span));
    return table === undefined || index === undefined ? -1 : table.firstRule + index;
  }

  /** The number of the innermost expression around a place. */
  expression(span: Span): number {
    const table = this.#tableOf(span.source);
    if (table === undefined) return -1;
    const { expressions, firstExpression } = table;
    let at = lastFrom(expressions, (one) => one.span, span);
    while (at >= 0 && !expressions[at]!.span.includes(span)) at = expressions[at]!.parent;
    return at < 0 ? -1 : firstExpression + at;
  }

  /** Whether the compiler wrote the rule. */
  isGenerated({ loc }: Rule): boolean {
    return this.#options.origins?.has(loc.source) === true;
  }

  /** Whether an expression of a generated rule comes from a rule with another path. */
  isInlined(rule: number, expression: number): boolean {
    const author = this.authorRule(expression);
    return author >= 0 && this.#pathOf(author) !== this.#pathOf(rule);
  }

  /**
   * The authors' variables that a variable of a generated rule stands for: those of the rules that
   * it was made of.
   */
  authorsOf(rule: Rule, variable: string): readonly AuthorVariable[] {
    const made = this.#madeOf(rule);
    const authors = this.#options.origins!.get(rule.loc.source)!.authorsOf(variable);
    return authors.filter((author) => made.has(this.rule(author.rule)));
  }

  /** The rules, by number, that a generated rule's expressions come from, or those of its path. */
  #madeOf({ loc }: Rule): ReadonlySet<number> {
    const table = this.#tableOf(loc.source)!;
    let made = this.#made.get(loc.source);
    if (made === undefined) this.#made.set(loc.source, (made = this.#authorRulesOf(table)));
    return made[table.linkIndexes.get(keyOf(loc))!]!;
  }

  #authorRulesOf({ links, expressions, firstExpression }: SourceTable): readonly ReadonlySet<number>[] {
    const byLink = Map.groupBy(expressions.keys(), (at) => expressions[at]!.link);
    return links.map(({ first }, link) => {
      const made = new Set(byLink.get(link)?.map((at) => this.authorRule(firstExpression + at)));
      made.delete(-1);
      return made.size > 0 ? made : new Set(this.#rulesOf(first).map(({ loc }) => this.rule(loc)));
    });
  }

  /** The rule or `else` in whose body or head the author wrote an expression, by number, or -1. */
  authorRule(expression: number): number {
    const place = expression < 0 ? undefined : (this.#placeOf(expression) ?? this.#ownPlaceOf(expression));
    const table = place && this.#tableOf(place.source);
    if (place === undefined || table === undefined) return -1;
    let link = lastFrom(table.links, ({ rule }) => rule.loc, place);
    while (link >= 0 && !table.links[link]!.rule.loc.includes(place)) link--;
    return link < 0 ? -1 : table.firstRule + link;
  }

  /** The tables, when all statements have been looked at. */
  tables(): { sources: DebugSource[]; rules: DebugRule[]; expressions: DebugExpression[] } {
    // Origins may bring sources in.
    for (let i = 0; i < this.#inOrder.length; i++) {
      const { firstExpression, expressions, links, source } = this.#inOrder[i]!;
      for (const at of expressions.keys()) this.#originOf(firstExpression + at);
      if (this.#options.origins?.has(source) === true) for (const link of links) this.#originOfRule(link);
    }
    return {
      sources: this.#inOrder.map(({ source }) => this.#source(source)),
      rules: this.#inOrder.flatMap((table) => table.links.map((link) => this.#rule(table, link))),
      expressions: this.#inOrder.flatMap((table) =>
        table.expressions.map((expression, at) => this.#expression(table, expression, at)),
      ),
    };
  }

  #source(source: Source): DebugSource {
    const { sha256, texts, origins } = this.#options;
    const { file, text } = source;
    return {
      file: file === '' ? queryFile : file,
      ...(sha256 && { sha256: sha256(text) }),
      ...(texts === true && { text }),
      ...(origins?.has(source) && { generated: true }),
    };
  }

  #rule({ index }: SourceTable, link: PlacedLink): DebugRule {
    const { rule, first, number } = link;
    const { path, number: among } = this.#places.get(first)!;
    const originIndex = this.isGenerated(rule) ? this.#originOfRule(link) : -1;
    const [start] = rule.body;
    const last = rule.body.at(-1)!;
    return {
      path,
      source: index,
      number: among,
      link: number,
      ...(rule.default && { isDefault: true }),
      range: rangeOf(rule.loc),
      head: rangeOf(rule.head.loc),
      ...(!rule.default &&
        !rule.generatedBody && {
          body: [...rangeOf(start!.loc).slice(0, 2), ...rangeOf(last.loc).slice(2)] as unknown as DebugRange,
        }),
      ...(originIndex >= 0 && { origin: originIndex }),
    };
  }

  #expression(
    { index, firstRule, firstExpression }: SourceTable,
    { span, link, parent, ordinal }: PlacedExpression,
    at: number,
  ): DebugExpression {
    const up = (i: number, first: number): number => (i < 0 ? -1 : first + i);
    const origin = this.#originOf(firstExpression + at);
    return [index, up(link, firstRule), up(parent, firstExpression), ordinal, ...rangeOf(span), origin];
  }

  /** The rule of its path that a generated rule was made of, or the first one, or -1. */
  #originOfRule({ rule, first }: PlacedLink): number {
    const { path } = this.#places.get(first)!;
    const own = [...this.#madeOf(rule)].find((made) => this.#pathOf(made) === path);
    const [other] = this.#rulesOf(first);
    return own ?? (other === undefined ? -1 : this.rule(other.loc));
  }

  /** The rules that authors wrote for the path of a rule. */
  #rulesOf(rule: Rule): readonly Rule[] {
    return this.#authorRules.get(this.#places.get(rule)!.path) ?? [];
  }

  #originOf(expression: number): number {
    const place = this.#placeOf(expression);
    return place === undefined ? -1 : this.expression(place);
  }

  /** Of an expression of an author. */
  #ownPlaceOf(expression: number): Span | undefined {
    const { span } = this.#expressionAt(expression);
    return this.#options.origins?.has(span.source) === true ? undefined : span;
  }

  /** Where the author wrote a generated expression. */
  #placeOf(expression: number): Span | undefined {
    const { source } = this.#holder(expression, 'firstExpression');
    return this.#options.origins?.get(source)?.originOf(this.#expressionAt(expression).span);
  }

  #expressionAt(index: number): PlacedExpression {
    const { expressions, firstExpression } = this.#holder(index, 'firstExpression');
    return expressions[index - firstExpression]!;
  }

  #pathOf(rule: number): string {
    const { links, firstRule } = this.#holder(rule, 'firstRule');
    return this.#places.get(links[rule - firstRule]!.first)!.path;
  }

  /** The source that has a rule or an expression: the last one that begins at or before it. */
  #holder(index: number, first: 'firstRule' | 'firstExpression'): SourceTable {
    return this.#inOrder.findLast((table) => table[first] <= index)!;
  }

  #tableOf(source: Source): SourceTable | undefined {
    const known = this.#tables.get(source);
    if (known !== undefined) return known;
    const module = this.#modules.get(source);
    const spans = this.#queries.get(source);
    if (module === undefined && spans === undefined) return undefined;
    const links =
      module?.rules.flatMap((first) =>
        [...elseChain(first)].map((rule, number): PlacedLink => ({ rule, first, number })),
      ) ?? [];
    const expressions = module === undefined ? queryExpressions(spans!) : new ExpressionList(links).all;
    const table: SourceTable = {
      index: this.#inOrder.length,
      source,
      links,
      linkIndexes: new Map(links.map(({ rule }, i) => [keyOf(rule.loc), i])),
      firstRule: this.#rules,
      expressions,
      firstExpression: this.#expressions,
    };
    this.#rules += links.length;
    this.#expressions += expressions.length;
    this.#tables.set(source, table);
    this.#inOrder.push(table);
    return table;
  }
}

/** The last of the items, in the order of the text, that begins at or before a place, or -1. */
function lastFrom<T>(items: readonly T[], spanOf: (item: T) => Span, { start }: Span): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spanOf(items[middle]!).start <= start) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function queryExpressions(spans: readonly Span[]): readonly PlacedExpression[] {
  return spans.toSorted((a, b) => a.start - b.start).map((span, ordinal) => ({ span, link: -1, parent: -1, ordinal }));
}

/** The expressions of a module, also those in comprehensions, `every`, `not`, and heads. */
class ExpressionList {
  readonly all: PlacedExpression[] = [];
  readonly #ordinals = new Map<Node, number>();

  constructor(links: readonly PlacedLink[]) {
    for (const [i, { rule }] of links.entries()) this.#addLink(rule, i);
  }

  #addLink(rule: Rule, link: number): void {
    this.#number(rule.body);
    const found: Expr[] = [];
    const isImplied = (node: Node) => node === rule.body[0] && (rule.default || rule.generatedBody);
    walk({ ...rule, else: undefined }, (node) => {
      for (const body of bodiesOf(node)) this.#number(body);
      if (node.type === 'expr' && !isImplied(node)) found.push(node);
    });
    // The parts of a comprehension stand before its body; `p := x if y` has its head first.
    found.sort((a, b) => a.loc.start - b.loc.start || b.loc.end - a.loc.end);
    const open: number[] = [];
    for (const expr of found) {
      while (open.length > 0 && !this.all[open.at(-1)!]!.span.includes(expr.loc)) open.pop();
      this.all.push({ span: expr.loc, link, parent: open.at(-1) ?? -1, ordinal: this.#ordinals.get(expr) ?? 0 });
      open.push(this.all.length - 1);
    }
  }

  #number(body: Body): void {
    for (const [i, expr] of body.entries()) this.#ordinals.set(expr, i);
  }
}

function bodiesOf(node: Node): readonly Body[] {
  switch (node.type) {
    case 'arraycomprehension':
    case 'setcomprehension':
    case 'objectcomprehension':
      return [node.body];
    case 'expr':
      if (node.kind === 'every' || node.kind === 'not') return [node.body];
      return node.kind === 'and' || node.kind === 'or' ? [node.lhs, node.rhs] : [];
    default:
      return [];
  }
}

function keyOf({ start, end }: Span): string {
  return `${start}:${end}`;
}

function rangeOf(span: Span): DebugRange {
  const end = span.endPosition;
  return [span.row, span.col, end.row, end.col];
}

/** The constant part of a rule's path below `data`. */
function pathOf({ package: { path } }: Module, { head: { ref } }: Rule): string {
  const [name, ...rest] = ref;
  const end = rest.findIndex(({ type }) => type !== 'string');
  const keys = [...path.slice(1), ...rest.slice(0, end < 0 ? rest.length : end)].flatMap((term) =>
    term.type === 'string' ? [term.value] : [],
  );
  keys.splice(path.length - 1, 0, name?.type === 'var' ? name.name : '');
  return keys.join('/');
}
