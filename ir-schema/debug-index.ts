/** Debug information by addresses: what a statement serves, and the names of locals at it. */
import type { AddressedStatement, Addresses } from './address.js';
import type { DebugExpression, DebugInfo, DebugRange, DebugReason, DebugRule } from './debug-info.js';
import { debugReasons } from './debug-info.js';

/** An expression of a source. */
export interface IndexedExpression {
  /** Its place in the tables of the debug information. */
  readonly index: number;
  readonly file: string;
  readonly range: DebugRange;
  readonly rule: DebugRule | undefined;
  /** Its number in its body, from 0. */
  readonly ordinal: number;
  /** The expression that it stands in. */
  readonly parent: number | undefined;
  /** The author's expression that a generated source comes from. */
  readonly origin: IndexedExpression | undefined;
}

/** The purpose of a statement. */
export interface IndexedStatement {
  readonly reason: DebugReason | undefined;
  readonly rule: DebugRule | undefined;
  readonly expression: IndexedExpression | undefined;
}

const nothing: IndexedStatement = { reason: undefined, rule: undefined, expression: undefined };

/**
 * @example
 * const index = new DebugIndex(info, new Addresses(policy));
 * index.at('authz/allow/0.3.2').expression?.range; // [12, 3, 12, 24]
 * index.locals('authz/allow/0.3.2').get('user'); // 7
 */
export class DebugIndex {
  readonly info: DebugInfo;
  readonly #addresses: Addresses;
  readonly #generated: ReadonlySet<string>;
  readonly #served = new Map<AddressedStatement, IndexedStatement>();
  readonly #byExpression = new Map<number, string[]>();
  readonly #expressions = new Map<number, IndexedExpression>();

  /** The debug information must be that of the policy. */
  constructor(info: DebugInfo, addresses: Addresses) {
    this.info = info;
    this.#addresses = addresses;
    this.#generated = new Set(info.sources.filter(({ generated }) => generated === true).map(({ file }) => file));
    for (const [i, owner] of addresses.owners.entries()) {
      let next = 0;
      const statements = addresses.inside(owner);
      for (const [count, reason, rule, expression] of info.owners[i]?.runs ?? []) {
        const served: IndexedStatement = {
          reason: debugReasons[reason],
          rule: info.rules[rule],
          expression: this.expression(expression),
        };
        for (const statement of statements.slice(next, next + count)) {
          this.#served.set(statement, served);
          if (expression < 0) continue;
          const list = this.#byExpression.get(expression);
          if (list === undefined) this.#byExpression.set(expression, [statement.address]);
          else list.push(statement.address);
        }
        next += count;
      }
    }
  }

  /** The purpose of the statement at an address. */
  at(address: string): IndexedStatement {
    const statement = this.#addresses.at(address);
    return (statement && this.#served.get(statement)) ?? nothing;
  }

  /** An expression by its index in the tables. */
  expression(index: number): IndexedExpression | undefined {
    const found: DebugExpression | undefined = this.info.expressions[index];
    if (found === undefined) return undefined;
    let expression = this.#expressions.get(index);
    if (expression === undefined) {
      const [source, rule, parent, ordinal, row, col, endRow, endCol, origin] = found;
      expression = {
        index,
        file: this.info.sources[source]?.file ?? '',
        range: [row, col, endRow, endCol],
        rule: this.info.rules[rule],
        ordinal,
        parent: parent < 0 ? undefined : parent,
        origin: this.expression(origin),
      };
      this.#expressions.set(index, expression);
    }
    return expression;
  }

  /** Whether the compiler wrote a file. */
  isGenerated(file: string): boolean {
    return this.#generated.has(file);
  }

  /** The author's expression or rule's head behind a statement of a generated text. */
  origin(address: string): { readonly file: string; readonly range: DebugRange } | undefined {
    const { expression, rule } = this.at(address);
    if (expression?.origin !== undefined) return expression.origin;
    if (rule === undefined || this.info.sources[rule.source]!.generated !== true) return undefined;
    if (expression !== undefined && !this.isGenerated(expression.file)) return expression;
    const author = rule.origin === undefined ? undefined : this.info.rules[rule.origin];
    return author && { file: this.info.sources[author.source]!.file, range: author.head };
  }

  /** The generated expression of a statement, or the head of its generated rule. */
  generated(address: string): { readonly file: string; readonly range: DebugRange } | undefined {
    const { expression, rule } = this.at(address);
    if (expression !== undefined) return this.isGenerated(expression.file) ? expression : undefined;
    const file = rule && this.info.sources[rule.source]!.file;
    return rule !== undefined && file !== undefined && this.isGenerated(file) ? { file, range: rule.head } : undefined;
  }

  /** The addresses of the statements that serve an expression, in order. */
  statements(expression: number): readonly string[] {
    return this.#byExpression.get(expression) ?? [];
  }

  /** The locals with an author's name at a statement, by name. */
  locals(address: string): ReadonlyMap<string, number> {
    const locals = new Map<string, number>();
    const statement = this.#addresses.at(address);
    if (statement === undefined) return locals;
    const position = statement.index - this.#addresses.inside(statement.owner)[0]!.index;
    const owner = this.info.owners[this.#addresses.owners.indexOf(statement.owner)];
    for (const [name, local, from, to] of owner?.names ?? []) {
      if (from <= position && position < to) locals.set(this.info.names[name]!, local);
    }
    return locals;
  }
}
