/** Why a statement failed, in words of the policy. */

import { local } from '../../compiler/index.js';
import { blocksOf, type Operand, type Stmt } from '../../ir-schema/index.js';
import type { Value } from '../../values/index.js';
import { wordsIn } from './frame-expressions.js';
import { type Locals, OperandNames, shown } from './operand-names.js';
import type { MappedStatement, PlanMap } from './plan-map.js';

/** Values in a sentence. */
const mostValues = 5;

export class Reasons {
  readonly #map: PlanMap;
  readonly #operands: OperandNames;

  constructor(map: PlanMap, strings: readonly string[]) {
    this.#map = map;
    this.#operands = new OperandNames(map, strings);
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
        if (this.#operands.valueOf(stmt.source, locals) === undefined)
          return `${this.#nameOrText(mapped, stmt.source)} is undefined`;
        return `${this.#operands.path(mapped, stmt.source, stmt.key, locals) ?? this.#operands.textOf(mapped)} is undefined`;
      case 'CallStmt':
      case 'CallDynamicStmt':
        return `${this.#operands.placeText(node) ?? this.#operands.textOf(mapped)} is undefined`;
      case 'IsDefinedStmt':
        return `${this.#nameOrText(mapped, local(stmt.source))} is undefined`;
      case 'IsUndefinedStmt': {
        const name = this.#operands.name(mapped, local(stmt.source));
        return name === undefined
          ? `${this.#operands.textOf(mapped)} is false`
          : `${name} is ${this.#value(local(stmt.source), locals)}`;
      }
      case 'IsArrayStmt':
      case 'IsObjectStmt':
      case 'IsSetStmt':
        return this.#isNo(mapped, stmt.source, type.slice(2, -'Stmt'.length).toLowerCase(), locals);
      case 'ScanStmt': {
        const name = this.#operands.name(mapped, local(stmt.source));
        const value = this.#value(local(stmt.source), locals);
        return name === undefined ? `${value} has no elements` : `${name} is ${value}, which has no elements`;
      }
      case 'NotStmt':
        return this.#isFalse(mapped, locals);
      case 'BlockStmt': {
        // `every` asks first whether there is a collection.
        const source = collectionAsked(node);
        return source === undefined
          ? `${this.#operands.textOf(mapped)} is undefined`
          : this.#isNo(mapped, source, 'collection', locals);
      }
      default:
        return `${this.#operands.textOf(mapped)} fails`;
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
    const hasName = (operand: Operand) =>
      ![undefined, this.#value(operand, locals)].includes(this.#operands.name(mapped, operand));
    if (this.#operands.isConstant(mapped, b) || !hasName(b))
      return this.#isNot(mapped, a, this.#value(b, locals), locals);
    if (!hasName(a)) return this.#isNot(mapped, b, this.#value(a, locals), locals);
    return `${this.#told(mapped, a, locals)}, and ${this.#told(mapped, b, locals)}`;
  }

  /** The expression, with the values of its names and of what it looks up in documents. */
  #isFalse(mapped: MappedStatement, locals: Locals): string {
    const text = this.#operands.textOf(mapped);
    const values = new Map<string, Value | undefined>();
    const names = wordsIn(text);
    for (const [name, number] of this.#map.namesAt(mapped.address))
      if (names.has(name)) values.set(name, locals.get(number));
    for (const [name, number] of this.#operands.lookedUp(mapped))
      if (text !== name && !values.has(name)) values.set(name, locals.get(number));
    const told = [...values].slice(0, mostValues).map(([name, value]) => `${name} is ${shown(value)}`);
    return `${text} is false${told.length > 0 ? `: ${told.join(', ')}` : ''}`;
  }

  #constantLast(mapped: MappedStatement, a: Operand, b: Operand): readonly [Operand, Operand] {
    return this.#operands.isConstant(mapped, a) ? [b, a] : [a, b];
  }

  /** `input.x is 3` */
  #told(mapped: MappedStatement, operand: Operand, locals: Locals): string {
    return `${this.#nameOrText(mapped, operand)} is ${this.#value(operand, locals)}`;
  }

  /** `input.x is 3, not 4`; what has no name for the author is told by its value: `3 is not 4`. */
  #isNot(mapped: MappedStatement, operand: Operand, wanted: string, locals: Locals): string {
    const value = this.#value(operand, locals);
    const name = this.#operands.name(mapped, operand);
    return name === undefined ? `${value} is not ${wanted}` : `${name} is ${value}, not ${wanted}`;
  }

  /** `input.x is 3, no array` */
  #isNo(mapped: MappedStatement, operand: Operand, kind: string, locals: Locals): string {
    const value = this.#value(operand, locals);
    const name = this.#operands.name(mapped, operand);
    return name === undefined ? `${value} is no ${kind}` : `${name} is ${value}, no ${kind}`;
  }

  #value(operand: Operand, locals: Locals): string {
    return shown(this.#operands.valueOf(operand, locals));
  }

  #nameOrText(mapped: MappedStatement, operand: Operand): string {
    return this.#operands.name(mapped, operand) ?? this.#operands.textOf(mapped);
  }
}

/** The operand that a block asks to be an array, an object or a set. */
function collectionAsked(block: Stmt): Operand | undefined {
  for (const { stmts } of blocksOf(block)) {
    for (const inner of stmts) {
      if (inner.type === 'IsArrayStmt') return inner.stmt.source;
      if (inner.type === 'BlockStmt') return collectionAsked(inner);
    }
  }
  return undefined;
}
