/**
 * An optimized plan with the places of authors: partial evaluation writes rules anew, and passes
 * remove the statement that had the range of an expression.
 */

import type { Block, DebugInfo, DebugRange, DebugRule, Location, Policy, Stmt } from '../../ir-schema/index.js';
import {
  type AddressedStatement,
  Addresses,
  blocksOf,
  DebugIndex,
  type IndexedExpression,
} from '../../ir-schema/index.js';
import { mapBodies, withBlocks } from './map-bodies.js';

interface Place {
  readonly file: string;
  readonly range: DebugRange;
}

/**
 * Statements of generated rules get the places of the authors' expressions and rules that they come
 * from, and of each expression one statement has its range. Nothing else changes.
 * @param info of the policy
 */
export function withAuthorsPlaces(policy: Policy, info: DebugInfo): Policy {
  const placing = new Placing(policy, info);
  const files = new FileNumbers();
  const located = (node: Stmt): Stmt => {
    const place = placing.of(node);
    const inner = withBlocks(node, blocksOf(node).map(block));
    if (place === undefined) return inner;
    return { type: inner.type, stmt: { ...inner.stmt, ...files.location(place) } } as Stmt;
  };
  const block = ({ stmts }: Block): Block => ({ stmts: stmts.map(located) });
  const mapped = mapBodies(policy, ({ blocks }) => blocks.map(block));
  return { ...mapped, static: { ...mapped.static, files: files.list() } };
}

class Placing {
  readonly #files: readonly string[];
  readonly #addresses: Addresses;
  readonly #index: DebugIndex;
  readonly #exact = new Map<Stmt, Place>();

  constructor(policy: Policy, info: DebugInfo) {
    this.#files = (policy.static?.files ?? []).map(({ value }) => value);
    this.#addresses = new Addresses(policy);
    this.#index = new DebugIndex(info, this.#addresses);
    this.#placeExpressions();
  }

  /** The place of a statement; undefined where the compiler gave it none. */
  of(node: Stmt): Place | undefined {
    return this.#exact.get(node) ?? this.#plainly(node);
  }

  #plainly(node: Stmt): Place | undefined {
    const file = this.#files[node.stmt.file];
    if (file === undefined) return undefined;
    const own = { file, range: rangeOf(node.stmt) };
    if (node.stmt.row <= 0 || !this.#index.isGenerated(file)) return own;
    const address = this.#addresses.of(node);
    const { rule } = this.#index.at(address);
    const author = rule && this.#authorOf(rule);
    if (rule !== undefined && author !== undefined && isSame(own.range, rule.range)) return author;
    return this.#index.origin(address) ?? own;
  }

  #authorOf({ origin }: DebugRule): Place | undefined {
    const { rules, sources } = this.#index.info;
    const author = origin === undefined ? undefined : rules[origin];
    return author && { file: sources[author.source]!.file, range: author.range };
  }

  /** Gives one statement of each expression its range, where none has it. */
  #placeExpressions(): void {
    const byExpression = new Map<IndexedExpression, AddressedStatement[]>();
    for (const statement of this.#addresses) {
      const { expression } = this.#index.at(statement.address);
      const author = expression?.origin ?? expression;
      if (author === undefined || this.#index.isGenerated(author.file)) continue;
      const list = byExpression.get(author);
      if (list === undefined) byExpression.set(author, [statement]);
      else list.push(statement);
    }
    for (const [{ file, range }, statements] of byExpression) {
      const isPlaced = ({ stmt }: AddressedStatement) => {
        const place = this.#plainly(stmt);
        return place?.file === file && isSame(place.range, range);
      };
      const chosen = statements.some(isPlaced) ? undefined : chosenOf(statements);
      if (chosen !== undefined) this.#exact.set(chosen.stmt, { file, range });
    }
  }
}

/** The last statement whose place no error shows; the last one where errors show all. */
function chosenOf(statements: readonly AddressedStatement[]): AddressedStatement | undefined {
  return (
    statements.findLast(({ stmt: { type } }) => type !== 'CallStmt' && type !== 'CallDynamicStmt') ?? statements.at(-1)
  );
}

/** Files that statements name, in the order of their first statements. */
class FileNumbers {
  readonly #numbers = new Map<string, number>();

  location({ file, range: [row, col, end_row, end_col] }: Place): Location {
    let number = this.#numbers.get(file);
    if (number === undefined) this.#numbers.set(file, (number = this.#numbers.size));
    return { file: number, row, col, end_row, end_col };
  }

  list(): readonly { readonly value: string }[] {
    return [...this.#numbers.keys()].map((value) => ({ value }));
  }
}

function rangeOf({ row, col, end_row, end_col }: Location): DebugRange {
  return [row, col, end_row, end_col];
}

function isSame(a: DebugRange, b: DebugRange): boolean {
  return a.every((number, i) => number === b[i]);
}
