/** The names and the values of operands, as the policy has them. */

import { local } from '../../compiler/index.js';
import type { Func, Operand, Plan, Stmt } from '../../ir-schema/index.js';
import { shortText, type Value } from '../../values/index.js';
import { localNumber } from './frame-expressions.js';
import type { MappedStatement, PlanMap } from './plan-map.js';

/** Characters of a value in a sentence. */
const longestValue = 80;

/** Reads locals of the call that the statement stands in. */
export interface Locals {
  get(local: number): Value | undefined;
}

export class OperandNames {
  readonly #map: PlanMap;
  readonly #strings: readonly string[];
  readonly #definitions = new Map<Plan | Func, ReadonlyMap<number, Stmt>>();

  constructor(map: PlanMap, strings: readonly string[]) {
    this.#map = map;
    this.#strings = strings;
  }

  /** The expression, or what kind of statement it is. */
  textOf({ range, stmt }: MappedStatement): string {
    return this.#map.shortTextOf(range) ?? stmt.type.slice(0, -'Stmt'.length);
  }

  /** Whether the author wrote the value. */
  isConstant(mapped: MappedStatement, operand: Operand): boolean {
    if (operand.type !== 'local') return true;
    return isConstantStmt(this.#definitionsOf(mapped).get(operand.value));
  }

  valueOf(operand: Operand, locals: Locals): Value | undefined {
    if (operand.type === 'local') return locals.get(operand.value);
    return operand.type === 'bool' ? operand.value : this.#strings[operand.value];
  }

  /**
   * The author's name of an operand, or what it was looked up by: `input.user.role`. Undefined for
   * a local of the compiler's own; in a plan without debug information, its number.
   */
  name(mapped: MappedStatement, operand: Operand): string | undefined {
    if (operand.type !== 'local')
      return operand.type === 'bool' ? String(operand.value) : JSON.stringify(this.#strings[operand.value]);
    if (operand.value < 2) return operand.value === 0 ? 'input' : 'data';
    for (const [name, number] of this.#map.namesAt(mapped.address)) if (number === operand.value) return name;
    const made = this.#definitionsOf(mapped).get(operand.value);
    // A plan of others may give a local its value behind its use: names would go round in a ring.
    const isBefore = made !== undefined && this.#map.of(made).at.index < mapped.at.index;
    const name = isBefore ? this.#nameOfResult(mapped, made, operand.value) : undefined;
    return name ?? (this.#map.index === undefined ? `l${operand.value}` : undefined);
  }

  /** The lookups of an expression in documents: `input.user.name`, and not `input.user`. */
  lookedUp(mapped: MappedStatement): ReadonlyMap<string, number> {
    const { expression } = mapped;
    const found = new Map<string, number>();
    if (expression === undefined) return found;
    const looked = new Map<number, string>();
    for (const { stmt: made } of this.#map.inside(mapped.at.owner.body)) {
      if (this.#map.of(made).expression !== expression) continue;
      if (made.type !== 'DotStmt' && made.type !== 'ScanStmt') continue;
      const { source } = made.stmt;
      const of = typeof source === 'number' ? source : source.type === 'local' ? source.value : undefined;
      if (of !== undefined) looked.delete(of);
      const target = made.type === 'DotStmt' ? made.stmt.target : made.stmt.value;
      const path = this.#nameOfResult(mapped, made, target);
      if (path !== undefined && /^(?:input|data)\b/.test(path)) looked.set(target, path);
    }
    for (const [target, path] of looked) found.set(path, target);
    return found;
  }

  /** The name of a statement's result in a local. */
  #nameOfResult(mapped: MappedStatement, made: Stmt, target: number): string | undefined {
    const there = this.#map.of(made);
    switch (made.type) {
      case 'DotStmt':
        return this.path(there, made.stmt.source, made.stmt.key, undefined);
      case 'ScanStmt': {
        const source = this.name(there, local(made.stmt.source));
        if (source === undefined || target !== made.stmt.value) return undefined;
        const names = [...this.#map.namesAt(mapped.address)];
        const key = names.find(([, number]) => number === made.stmt.key);
        return `${source}[${key?.[0] ?? '_'}]`;
      }
      case 'LenStmt': {
        const source = this.name(there, made.stmt.source);
        return source === undefined ? undefined : `the size of ${source}`;
      }
      case 'MakeNumberIntStmt':
        return String(made.stmt.value);
      default: {
        const text = this.placeText(made);
        return text === this.textOf(mapped) ? undefined : text;
      }
    }
  }

  /** `input.user.role`, `input.roles[i]`; with locals, a key without a name by its value. */
  path(mapped: MappedStatement, source: Operand, key: Operand, locals: Locals | undefined): string | undefined {
    const base = this.name(mapped, source);
    if (base === undefined) return undefined;
    if (key.type !== 'string_index') {
      const name = this.name(mapped, key);
      const value = locals && this.valueOf(key, locals);
      const isNumbered = name === undefined || (this.#map.index === undefined && localNumber(name) !== undefined);
      const told = isNumbered && value !== undefined ? shown(value) : name;
      return told === undefined ? undefined : `${base}[${told}]`;
    }
    const text = this.#strings[key.value]!;
    return /^[A-Za-z_]\w*$/.test(text) ? `${base}.${text}` : `${base}[${JSON.stringify(text)}]`;
  }

  /** The source text of a call, or of a literal. */
  placeText(made: Stmt): string | undefined {
    if (!hasText.has(made.type)) return undefined;
    const { file } = this.#map.of(made).range ?? { file: undefined };
    const { row, col, end_row, end_col } = made.stmt;
    return file === undefined ? undefined : this.#map.shortTextOf({ file, row, col, endRow: end_row, endCol: end_col });
  }

  /** The statements that give locals their values; none for a local that several write. */
  #definitionsOf({ at }: MappedStatement): ReadonlyMap<number, Stmt> {
    const owner = at.owner.body;
    let found = this.#definitions.get(owner);
    if (found !== undefined) return found;
    const written = new Map<number, Stmt>();
    const several = new Set<number>();
    for (const { stmt: node } of this.#map.inside(owner)) {
      const { stmt } = node;
      const targets =
        'target' in stmt
          ? [stmt.target]
          : 'result' in stmt
            ? [stmt.result]
            : node.type === 'ScanStmt'
              ? [node.stmt.key, node.stmt.value]
              : [];
      for (const target of targets) {
        if (written.has(target)) several.add(target);
        written.set(target, node);
      }
    }
    for (const target of several) written.delete(target);
    this.#definitions.set(owner, (found = written));
    return found;
  }
}

/** Statements whose place is that of the term that they make. */
const hasText: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['CallStmt', 'CallDynamicStmt', 'MakeObjectStmt', 'MakeArrayStmt', 'MakeSetStmt'] as const),
]);

function isConstantStmt(made: Stmt | undefined): boolean {
  return made?.type === 'MakeNumberIntStmt' || made?.type === 'MakeNumberRefStmt' || made?.type === 'MakeNullStmt';
}

export function shown(value: Value | undefined): string {
  return value === undefined ? 'undefined' : shortText(value, longestValue);
}
