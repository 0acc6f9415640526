/** Why a statement failed, in words of the policy. */

import type { Func, Operand, Plan, Stmt } from '../ir-schema/plan.js';
import { shortText } from '../values/text/short-text.js';
import type { Value } from '../values/value.js';
import type { MappedStatement, PlanMap } from './plan-map.js';

/** Characters of a value in a sentence. */
const longestValue = 80;

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
      case 'EqualStmt': {
        const [a, b] = this.#constantLast(mapped, stmt.a, stmt.b);
        if (this.#isConstant(mapped, b)) return `${this.#told(mapped, a, locals)}, not ${this.#value(b, locals)}`;
        return `${this.#told(mapped, a, locals)}, and ${this.#told(mapped, b, locals)}`;
      }
      case 'NotEqualStmt':
        return this.#isFalse(mapped, locals);
      case 'DotStmt':
        if (this.#valueOf(stmt.source, locals) === undefined) return `${this.#name(mapped, stmt.source)} is undefined`;
        return `${this.#path(mapped, stmt.source, stmt.key, locals)} is undefined`;
      case 'CallStmt':
      case 'CallDynamicStmt':
        return `${this.#ownText(mapped)} is undefined`;
      case 'IsDefinedStmt':
        return `${this.#name(mapped, local(stmt.source))} is undefined`;
      case 'IsUndefinedStmt':
      case 'IsArrayStmt':
      case 'IsObjectStmt':
      case 'IsSetStmt': {
        const source = typeof stmt.source === 'number' ? local(stmt.source) : stmt.source;
        const wanted = type === 'IsUndefinedStmt' ? '' : `, no ${type.slice(2, -'Stmt'.length).toLowerCase()}`;
        return `${this.#told(mapped, source, locals)}${wanted}`;
      }
      case 'ScanStmt':
        return `${this.#told(mapped, local(stmt.source), locals)}, which has no elements`;
      case 'NotStmt':
        return `${this.#ownText(mapped)} is false`;
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

  /** The expression with the values of the names in it. */
  #isFalse(mapped: MappedStatement, locals: Locals): string {
    const text = this.#ownText(mapped);
    const values: string[] = [];
    for (const [name, number] of this.#map.namesAt(mapped.address)) {
      const value = locals.get(number);
      if (new RegExp(`(?<![\\w."])${name}(?!\\w)`).test(text)) values.push(`${name} is ${shown(value)}`);
    }
    return `${text} is false${values.length > 0 ? `: ${values.join(', ')}` : ''}`;
  }

  #ownText({ range, stmt }: MappedStatement): string {
    return this.#map.textOf(range) ?? stmt.type.slice(0, -'Stmt'.length);
  }

  #constantLast(mapped: MappedStatement, a: Operand, b: Operand): readonly [Operand, Operand] {
    return this.#isConstant(mapped, a) ? [b, a] : [a, b];
  }

  #isConstant(mapped: MappedStatement, operand: Operand): boolean {
    if (operand.type !== 'local') return true;
    const made = this.#definitionsOf(mapped).get(operand.value)?.type;
    return made === 'MakeNumberIntStmt' || made === 'MakeNumberRefStmt' || made === 'MakeNullStmt';
  }

  #told(mapped: MappedStatement, operand: Operand, locals: Locals): string {
    return `${this.#name(mapped, operand)} is ${this.#value(operand, locals)}`;
  }

  #value(operand: Operand, locals: Locals): string {
    return shown(this.#valueOf(operand, locals));
  }

  #valueOf(operand: Operand, locals: Locals): Value | undefined {
    if (operand.type === 'local') return locals.get(operand.value);
    return operand.type === 'bool' ? operand.value : this.#strings[operand.value];
  }

  /** The author's name of an operand, or what it was looked up by: `input.user.role`. */
  #name(mapped: MappedStatement, operand: Operand): string {
    if (operand.type !== 'local') return operand.type === 'bool' ? String(operand.value) : JSON.stringify(this.#strings[operand.value]);
    if (operand.value < 2) return operand.value === 0 ? 'input' : 'data';
    for (const [name, number] of this.#map.namesAt(mapped.address)) if (number === operand.value) return name;
    const made = this.#definitionsOf(mapped).get(operand.value);
    if (made?.type === 'DotStmt') return this.#path(this.#map.of(made), made.stmt.source, made.stmt.key, undefined);
    const place = made && this.#placeText(made);
    return place ?? `l${operand.value}`;
  }

  #path(mapped: MappedStatement, source: Operand, key: Operand, locals: Locals | undefined): string {
    const base = this.#name(mapped, source);
    if (key.type !== 'string_index') {
      const name = this.#name(mapped, key);
      const value = locals && this.#valueOf(key, locals);
      return `${base}[${/^l\d+$/.test(name) && value !== undefined ? shown(value) : name}]`;
    }
    const text = this.#strings[key.value]!;
    return /^[A-Za-z_]\w*$/.test(text) ? `${base}.${text}` : `${base}[${JSON.stringify(text)}]`;
  }

  /** The source text of a call. */
  #placeText(made: Stmt): string | undefined {
    if (made.type !== 'CallStmt') return undefined;
    const { file } = this.#map.of(made).range ?? { file: undefined };
    const { row, col, end_row, end_col } = made.stmt;
    return file === undefined ? undefined : this.#map.textOf({ file, row, col, endRow: end_row, endCol: end_col });
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
      const target = 'target' in stmt ? stmt.target : 'result' in stmt ? stmt.result : undefined;
      if (target === undefined) continue;
      if (written.has(target)) several.add(target);
      written.set(target, node);
    }
    for (const target of several) written.delete(target);
    this.#definitions.set(owner, (found = written));
    return found;
  }
}

function local(value: number): Operand {
  return { type: 'local', value };
}

function shown(value: Value | undefined): string {
  return value === undefined ? 'undefined' : shortText(value, longestValue);
}
