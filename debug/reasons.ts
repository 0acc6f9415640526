/** Why a statement failed, in words of the policy. */

import type { Func, Operand, Plan, Stmt } from '../ir-schema/plan.js';
import { blocksOf } from '../ir-schema/walk.js';
import { shortText } from '../values/text/short-text.js';
import type { Value } from '../values/value.js';
import { localNumber, namesIn } from './frame-expressions.js';
import type { MappedStatement, PlanMap } from './plan-map.js';

/** Characters of a value in a sentence. */
const longestValue = 80;

/** Values in a sentence. */
const mostValues = 5;

/** Reads locals of the call that the statement stands in. */
export interface Locals {
  get(local: number): Value | undefined;
}

export class Reasons {
  readonly #map: PlanMap;
  readonly #strings: readonly string[];
  readonly #definitions = new Map<Plan | Func, ReadonlyMap<number, Stmt>>();

  constructor(map: PlanMap, strings: readonly string[]) {
    this.#map = map;
    this.#strings = strings;
  }

  /** `input.method is "GET", not "POST"` */
  whyFailed(mapped: MappedStatement, locals: Locals): string {
    const { stmt: node } = mapped;
    const { type, stmt } = node;
    switch (type) {
      case 'EqualStmt':
        return this.#whyUnequal(mapped, stmt.a, stmt.b, locals);
      case 'NotEqualStmt':
        return this.#isFalse(mapped, locals);
      case 'DotStmt':
        if (this.#valueOf(stmt.source, locals) === undefined) return `${this.#nameOrText(mapped, stmt.source)} is undefined`;
        return `${this.#path(mapped, stmt.source, stmt.key, locals) ?? this.#ownText(mapped)} is undefined`;
      case 'CallStmt':
      case 'CallDynamicStmt':
        return `${this.#placeText(node) ?? this.#ownText(mapped)} is undefined`;
      case 'IsDefinedStmt':
        return `${this.#nameOrText(mapped, local(stmt.source))} is undefined`;
      case 'IsUndefinedStmt': {
        const name = this.#name(mapped, local(stmt.source));
        return name === undefined ? `${this.#ownText(mapped)} is false` : `${name} is ${this.#value(local(stmt.source), locals)}`;
      }
      case 'IsArrayStmt':
      case 'IsObjectStmt':
      case 'IsSetStmt':
        return this.#isNo(mapped, stmt.source, type.slice(2, -'Stmt'.length).toLowerCase(), locals);
      case 'ScanStmt': {
        const name = this.#name(mapped, local(stmt.source));
        const value = this.#value(local(stmt.source), locals);
        return name === undefined ? `${value} has no elements` : `${name} is ${value}, which has no elements`;
      }
      case 'NotStmt':
        return this.#isFalse(mapped, locals);
      case 'BlockStmt': {
        // `every` asks first whether there is a collection.
        const source = collectionAsked(node);
        return source === undefined ? `${this.#ownText(mapped)} is undefined` : this.#isNo(mapped, source, 'collection', locals);
      }
      default:
        return `${this.#ownText(mapped)} fails`;
    }
  }

  /** `input.x is 3, the rule needs 4` */
  whySkipped(mapped: MappedStatement, locals: Locals): string {
    const { type, stmt } = mapped.stmt;
    if (type !== 'EqualStmt') return this.whyFailed(mapped, locals);
    const [a, b] = this.#constantLast(mapped, stmt.a, stmt.b);
    return `${this.#told(mapped, a, locals)}, the rule needs ${this.#value(b, locals)}`;
  }

  #whyUnequal(mapped: MappedStatement, one: Operand, other: Operand, locals: Locals): string {
    const [a, b] = this.#constantLast(mapped, one, other);
    // A literal of constants says its value itself.
    const hasName = (operand: Operand) => ![undefined, this.#value(operand, locals)].includes(this.#name(mapped, operand));
    if (this.#isConstant(mapped, b) || !hasName(b)) return this.#isNot(mapped, a, this.#value(b, locals), locals);
    if (!hasName(a)) return this.#isNot(mapped, b, this.#value(a, locals), locals);
    return `${this.#told(mapped, a, locals)}, and ${this.#told(mapped, b, locals)}`;
  }

  /** The expression, with the values of its names and of what it looks up in documents. */
  #isFalse(mapped: MappedStatement, locals: Locals): string {
    const text = this.#ownText(mapped);
    const values = new Map<string, Value | undefined>();
    const names = namesIn(text);
    for (const [name, number] of this.#map.namesAt(mapped.address)) if (names.has(name)) values.set(name, locals.get(number));
    for (const [name, number] of this.#lookedUp(mapped)) if (text !== name && !values.has(name)) values.set(name, locals.get(number));
    const told = [...values].slice(0, mostValues).map(([name, value]) => `${name} is ${shown(value)}`);
    return `${text} is false${told.length > 0 ? `: ${told.join(', ')}` : ''}`;
  }

  /** What an expression looks up in documents: `input.user.name`, and not `input.user`. */
  #lookedUp(mapped: MappedStatement): ReadonlyMap<string, number> {
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

  #ownText({ range, stmt }: MappedStatement): string {
    return this.#map.shortTextOf(range) ?? stmt.type.slice(0, -'Stmt'.length);
  }

  #constantLast(mapped: MappedStatement, a: Operand, b: Operand): readonly [Operand, Operand] {
    return this.#isConstant(mapped, a) ? [b, a] : [a, b];
  }

  #isConstant(mapped: MappedStatement, operand: Operand): boolean {
    if (operand.type !== 'local') return true;
    return isConstantStmt(this.#definitionsOf(mapped).get(operand.value));
  }

  /** `input.x is 3` */
  #told(mapped: MappedStatement, operand: Operand, locals: Locals): string {
    return `${this.#nameOrText(mapped, operand)} is ${this.#value(operand, locals)}`;
  }

  /** `input.x is 3, not 4`; what has no name for the author is told by its value: `3 is not 4`. */
  #isNot(mapped: MappedStatement, operand: Operand, wanted: string, locals: Locals): string {
    const value = this.#value(operand, locals);
    const name = this.#name(mapped, operand);
    return name === undefined ? `${value} is not ${wanted}` : `${name} is ${value}, not ${wanted}`;
  }

  /** `input.x is 3, no array` */
  #isNo(mapped: MappedStatement, operand: Operand, kind: string, locals: Locals): string {
    const value = this.#value(operand, locals);
    const name = this.#name(mapped, operand);
    return name === undefined ? `${value} is no ${kind}` : `${name} is ${value}, no ${kind}`;
  }

  #value(operand: Operand, locals: Locals): string {
    return shown(this.#valueOf(operand, locals));
  }

  #valueOf(operand: Operand, locals: Locals): Value | undefined {
    if (operand.type === 'local') return locals.get(operand.value);
    return operand.type === 'bool' ? operand.value : this.#strings[operand.value];
  }

  #nameOrText(mapped: MappedStatement, operand: Operand): string {
    return this.#name(mapped, operand) ?? this.#ownText(mapped);
  }

  /**
   * The author's name of an operand, or what it was looked up by: `input.user.role`. Undefined for
   * a local of the compiler's own; in a plan without debug information, its number.
   */
  #name(mapped: MappedStatement, operand: Operand): string | undefined {
    if (operand.type !== 'local') return operand.type === 'bool' ? String(operand.value) : JSON.stringify(this.#strings[operand.value]);
    if (operand.value < 2) return operand.value === 0 ? 'input' : 'data';
    for (const [name, number] of this.#map.namesAt(mapped.address)) if (number === operand.value) return name;
    const made = this.#definitionsOf(mapped).get(operand.value);
    const name = made && this.#nameOfResult(mapped, made, operand.value);
    return name ?? (this.#map.index === undefined ? `l${operand.value}` : undefined);
  }

  /** What a statement has put into a local. */
  #nameOfResult(mapped: MappedStatement, made: Stmt, target: number): string | undefined {
    const there = this.#map.of(made);
    switch (made.type) {
      case 'DotStmt':
        return this.#path(there, made.stmt.source, made.stmt.key, undefined);
      case 'ScanStmt': {
        const source = this.#name(there, local(made.stmt.source));
        if (source === undefined || target !== made.stmt.value) return undefined;
        const names = [...this.#map.namesAt(mapped.address)];
        const key = names.find(([, number]) => number === made.stmt.key);
        return `${source}[${key?.[0] ?? '_'}]`;
      }
      case 'LenStmt': {
        const source = this.#name(there, made.stmt.source);
        return source === undefined ? undefined : `the size of ${source}`;
      }
      case 'MakeNumberIntStmt':
        return String(made.stmt.value);
      default: {
        const text = this.#placeText(made);
        return text === this.#ownText(mapped) ? undefined : text;
      }
    }
  }

  #path(mapped: MappedStatement, source: Operand, key: Operand, locals: Locals | undefined): string | undefined {
    const base = this.#name(mapped, source);
    if (base === undefined) return undefined;
    if (key.type !== 'string_index') {
      const name = this.#name(mapped, key);
      const value = locals && this.#valueOf(key, locals);
      const isNumbered = name === undefined || (this.#map.index === undefined && localNumber(name) !== undefined);
      const told = isNumbered && value !== undefined ? shown(value) : name;
      return told === undefined ? undefined : `${base}[${told}]`;
    }
    const text = this.#strings[key.value]!;
    return /^[A-Za-z_]\w*$/.test(text) ? `${base}.${text}` : `${base}[${JSON.stringify(text)}]`;
  }

  /** The source text of a call, or of a literal. */
  #placeText(made: Stmt): string | undefined {
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

/** What a block asks to be an array, an object or a set. */
function collectionAsked(block: Stmt): Operand | undefined {
  for (const { stmts } of blocksOf(block)) {
    for (const inner of stmts) {
      if (inner.type === 'IsArrayStmt') return inner.stmt.source;
      if (inner.type === 'BlockStmt') return collectionAsked(inner);
    }
  }
  return undefined;
}

function isConstantStmt(made: Stmt | undefined): boolean {
  return made?.type === 'MakeNumberIntStmt' || made?.type === 'MakeNumberRefStmt' || made?.type === 'MakeNullStmt';
}

function local(value: number): Operand {
  return { type: 'local', value };
}

function shown(value: Value | undefined): string {
  return value === undefined ? 'undefined' : shortText(value, longestValue);
}
