/** Sources, rules and expressions of debug information, and their numbers. */

import type {
  DebugExpression,
  DebugRange,
  DebugReplaced,
  DebugRule,
  DebugSource,
  DebugVariable,
} from '../../ir-schema/index.js';
import { queryFile } from '../../ir-schema/index.js';
import { countWhile } from '../../values/index.js';
import { refPrefix, refTerm } from '../ast/make.js';
import type { Body, Expr, Module, Node, Rule } from '../ast/nodes.js';
import { type AuthorVariable, type Origins, termKey } from '../ast/origins.js';
import { leadingKeys } from '../ast/paths.js';
import { innerBodies, walk } from '../ast/walk.js';
import type { Compiled } from '../resolve/compiled.js';
import { elseChain } from '../resolve/links.js';
import { Span } from '../source/location.js';
import type { Source } from '../source/source.js';

export interface DebugTablesOptions {
  /** The hash of a text, in hex; without it sources have none. */
  readonly sha256?: (text: string) => string;
  /** Whether sources have their texts. */
  readonly texts?: boolean;
  /** The origins of the parts of texts that the compiler has written. */
  readonly origins?: ReadonlyMap<Source, Origins>;
}

/** A rule with the constant part of its path; `number` counts the rules of that path. */
interface PlacedRule {
  readonly rule: Rule;
  readonly path: string;
  readonly number: number;
}

/** A link of a rule. */
interface PlacedLink {
  readonly rule: Rule;
  readonly first: PlacedRule;
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
  readonly #modules = new Map<Source, readonly PlacedRule[]>();
  readonly #tables = new Map<Source, SourceTable>();
  readonly #inOrder: SourceTable[] = [];
  readonly #queries = new Map<Source, Span[]>();
  /** Authors' rules by path. */
  readonly #authorRules: ReadonlyMap<string, readonly PlacedRule[]>;
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
      [...authors].flatMap(({ source }) => this.#modules.get(source) ?? []),
      ({ path }) => path,
    );
  }

  #addModules(modules: readonly Module[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      const placed = module.rules.map((rule): PlacedRule => {
        const path = pathOf(module, rule);
        const number = counts.get(path) ?? 0;
        counts.set(path, number + 1);
        return { rule, path, number };
      });
      this.#modules.set(module.source, placed);
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
    for (let one = expressions[at]; one !== undefined && !one.span.includes(span); one = expressions[at])
      at = one.parent;
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
    const authors = this.#options.origins?.get(rule.loc.source)?.authorsOf(variable) ?? [];
    return authors.filter((author) => made.has(this.rule(author.rule)));
  }

  /** The rules, by number, that a generated rule's expressions come from, or those of its path. */
  #madeOf({ loc }: Rule): ReadonlySet<number> {
    const table = this.#tableOf(loc.source);
    if (table === undefined) return noRules;
    let made = this.#made.get(loc.source);
    if (made === undefined) this.#made.set(loc.source, (made = this.#authorRulesOf(table)));
    return made[table.linkIndexes.get(keyOf(loc)) ?? -1] ?? noRules;
  }

  #authorRulesOf({ links, expressions, firstExpression }: SourceTable): readonly ReadonlySet<number>[] {
    const byLink = Map.groupBy(expressions.entries(), ([, { link }]) => link);
    return links.map(({ first }, link) => {
      const made = new Set(byLink.get(link)?.map(([at]) => this.authorRule(firstExpression + at)));
      made.delete(-1);
      return made.size > 0 ? made : new Set(this.#rulesOf(first).map(({ rule }) => this.rule(rule.loc)));
    });
  }

  /** The rule or `else` in whose body or head the author wrote an expression, by number, or -1. */
  authorRule(expression: number): number {
    const place = expression < 0 ? undefined : (this.#placeOf(expression) ?? this.#ownPlaceOf(expression));
    const table = place && this.#tableOf(place.source);
    if (place === undefined || table === undefined) return -1;
    const last = lastFrom(table.links, ({ rule }) => rule.loc, place);
    const link = table.links.slice(0, last + 1).findLastIndex(({ rule }) => rule.loc.includes(place));
    return link < 0 ? -1 : table.firstRule + link;
  }

  /** The tables, when all statements have been looked at. */
  tables(): {
    sources: DebugSource[];
    rules: DebugRule[];
    expressions: DebugExpression[];
    variables?: readonly DebugVariable[];
    replaced?: readonly DebugReplaced[];
  } {
    const variables: DebugVariable[] = [];
    const replaced: DebugReplaced[] = [];
    // Origins may bring sources in.
    for (const table of this.#inOrder) {
      const { firstExpression, expressions, links, source } = table;
      for (const at of expressions.keys()) this.#originOf(firstExpression + at);
      if (this.#options.origins?.has(source) === true) for (const link of links) this.#originOfRule(link);
      const terms = this.#replacedIn(table);
      replaced.push(...terms);
      variables.push(...this.#variablesOf(table, new Set(terms.map(([, , variable]) => variable))));
    }
    return {
      sources: this.#inOrder.map(({ source }) => this.#source(source)),
      rules: this.#inOrder.flatMap((table) => table.links.map((link) => this.#rule(table, link))),
      expressions: this.#inOrder.flatMap((table) =>
        table.expressions.map((expression, at) => this.#expression(table, expression, at)),
      ),
      ...(variables.length > 0 && { variables }),
      ...(replaced.length > 0 && { replaced }),
    };
  }

  /** The terms of a generated source that stand in the place of variables. */
  #replacedIn({ index, source }: SourceTable): readonly DebugReplaced[] {
    const origins = this.#options.origins?.get(source);
    const keys = new Set<string>();
    this.#walkSource(source, (node) => {
      if (node.type === 'call') keys.add(termKey(node));
      if (node.type === 'ref')
        for (let count = 1; count <= node.terms.length; count++)
          keys.add(termKey(refTerm(node.loc, refPrefix(node.terms, count))));
    });
    return [...keys].flatMap((key) =>
      (origins?.replacedBy(key) ?? []).map(
        ({ name, place }): DebugReplaced => [index, key, name, this.expression(place)],
      ),
    );
  }

  /**
   * The meaning of a generated source's variables.
   * @param others variables that terms have replaced
   */
  #variablesOf({ index, source }: SourceTable, others: ReadonlySet<string>): readonly DebugVariable[] {
    const origins = this.#options.origins?.get(source);
    const names = new Set(others);
    this.#walkSource(source, (node) => void (node.type === 'var' && names.add(node.name)));
    return [...names].flatMap((variable) =>
      (origins?.authorsOf(variable) ?? []).flatMap(({ name, rule }): readonly DebugVariable[] => {
        const number = this.rule(rule);
        return number < 0 ? [] : [[index, variable, name, number]];
      }),
    );
  }

  #walkSource(source: Source, visit: (node: Node) => void): void {
    if (this.#options.origins?.has(source) !== true) return;
    for (const { rule } of this.#modules.get(source) ?? []) walk(rule, (node) => void visit(node));
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
    const { path, number: among } = first;
    const originIndex = this.isGenerated(rule) ? this.#originOfRule(link) : -1;
    const body = rule.default || rule.generatedBody ? undefined : rangeOfBody(rule.body);
    return {
      path,
      source: index,
      number: among,
      link: number,
      ...(rule.default && { isDefault: true }),
      range: rangeOf(rule.loc),
      head: rangeOf(rule.head.loc),
      ...(body && { body }),
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
    const own = [...this.#madeOf(rule)].find((made) => this.#pathOf(made) === first.path);
    const [other] = this.#rulesOf(first);
    return own ?? (other === undefined ? -1 : this.rule(other.rule.loc));
  }

  /** The rules that authors wrote for the path of a rule. */
  #rulesOf({ path }: PlacedRule): readonly PlacedRule[] {
    return this.#authorRules.get(path) ?? [];
  }

  #originOf(expression: number): number {
    const place = this.#placeOf(expression);
    return place === undefined ? -1 : this.expression(place);
  }

  /** The place of an expression that an author wrote. */
  #ownPlaceOf(expression: number): Span | undefined {
    const span = this.#expressionAt(expression)?.span;
    return span && this.#options.origins?.has(span.source) === true ? undefined : span;
  }

  /** Where the author wrote a generated expression. */
  #placeOf(expression: number): Span | undefined {
    const span = this.#expressionAt(expression)?.span;
    return span && this.#options.origins?.get(span.source)?.originOf(span);
  }

  /** The expression with a number: the last source that begins at or before it has it. */
  #expressionAt(index: number): PlacedExpression | undefined {
    const table = this.#inOrder.findLast(({ firstExpression }) => firstExpression <= index);
    return table?.expressions[index - table.firstExpression];
  }

  #pathOf(rule: number): string | undefined {
    const table = this.#inOrder.findLast(({ firstRule }) => firstRule <= rule);
    return table?.links[rule - table.firstRule]?.first.path;
  }

  #tableOf(source: Source): SourceTable | undefined {
    const known = this.#tables.get(source);
    if (known !== undefined) return known;
    const rules = this.#modules.get(source);
    const spans = this.#queries.get(source);
    if (rules === undefined && spans === undefined) return undefined;
    const links = (rules ?? []).flatMap((first) =>
      [...elseChain(first.rule)].map((rule, number): PlacedLink => ({ rule, first, number })),
    );
    const expressions = rules === undefined ? queryExpressions(spans ?? []) : new ExpressionList(links).all;
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
  return countWhile(items, (item) => spanOf(item).start <= start) - 1;
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
      for (const body of innerBodies(node)) this.#number(body);
      if (node.type === 'expr' && !isImplied(node)) found.push(node);
    });
    // The parts of a comprehension stand before its body; `p := x if y` has its head first.
    found.sort((a, b) => a.loc.start - b.loc.start || b.loc.end - a.loc.end);
    const open: { readonly expr: Expr; readonly at: number }[] = [];
    for (const expr of found) {
      while (open.at(-1)?.expr.loc.includes(expr.loc) === false) open.pop();
      const at = this.all.push({
        span: expr.loc,
        link,
        parent: open.at(-1)?.at ?? -1,
        ordinal: this.#ordinals.get(expr) ?? 0,
      });
      open.push({ expr, at: at - 1 });
    }
  }

  #number(body: Body): void {
    for (const [i, expr] of body.entries()) this.#ordinals.set(expr, i);
  }
}

const noRules: ReadonlySet<number> = new Set();

function keyOf({ start, end }: Span): string {
  return `${start}:${end}`;
}

/** From the first expression to the last. */
function rangeOfBody(body: Body): DebugRange | undefined {
  const [first, last] = [body[0], body.at(-1)];
  return first && last && rangeOf(new Span(first.loc.source, first.loc.start, last.loc.end));
}

function rangeOf(span: Span): DebugRange {
  const end = span.endPosition;
  return [span.row, span.col, end.row, end.col];
}

/** The constant part of a rule's path below `data`. */
function pathOf({ package: { path } }: Module, { head: { ref } }: Rule): string {
  const [name, ...keys] = ref;
  return [...leadingKeys(path.slice(1)), name.type === 'var' ? name.name : '', ...leadingKeys(keys)].join('/');
}
