/**
 * The constants of a block: numbers, and collections that it builds of constants alone, statement
 * by statement. Engines have them ready before a plan runs, so that a literal costs nothing however
 * large it is.
 */

import { makeObject, RegoObject, RegoSet, type Value, valueAt } from '../values/index.js';
import { effectsOf, valueMakers } from './effects.js';
import type { LocalUses } from './local-uses.js';
import type { Block, Operand, Stmt } from './plan.js';
import { scalarConstant } from './scalar-constant.js';

interface Constants {
  /** Constants by local. */
  readonly values: ReadonlyMap<number, Value>;
  /** The statements that build them: they have no more to do. */
  readonly done: ReadonlySet<Stmt>;
}

/** The constants that the statements of a block build, those of blocks inside left out. */
export function constantsOf(block: Block, uses: LocalUses, stringAt: (index: number) => string): Constants {
  // Most blocks have none.
  if (!block.stmts.some(({ type }) => starters.has(type))) return none;
  return new BlockConstants(block, uses, stringAt).constants();
}

const none: Constants = { values: new Map(), done: new Set() };

/** The statements that may begin a constant. */
const starters: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([...valueMakers, 'AssignVarStmt']);

type Parts = Value[] | RegoSet | RegoObject;

/** A value under construction. */
interface Known {
  readonly stmts: Stmt[];
  /** Undefined for a value that no statement extends. */
  readonly parts: Parts | undefined;
  value: Value | undefined;
  /** The values in it; a part that stands in it twice counts twice. */
  size: number;
  mutations: number;
}

interface Constant {
  readonly value: Value;
  readonly size: number;
}

/** The collection that each extending statement expects. */
const extended = { ArrayAppendStmt: Array, SetAddStmt: RegoSet, ObjectInsertStmt: RegoObject } as const;

class BlockConstants {
  readonly #block: Block;
  readonly #uses: LocalUses;
  readonly #stringAt: (index: number) => string;
  readonly #known = new Map<number, Known>();
  /**
   * Values that may still be put into others. A literal takes its length times its depth. An array
   * of two equal arrays of two equal arrays and so on takes 2^n, as do hashing and writing it:
   * beyond the budget it is left to the engine, which counts its work.
   */
  #budget: number;

  constructor(block: Block, uses: LocalUses, stringAt: (index: number) => string) {
    this.#block = block;
    this.#uses = uses;
    this.#stringAt = stringAt;
    this.#budget = 1000 + 64 * block.stmts.length;
  }

  constants(): Constants {
    for (const stmt of this.#block.stmts) if (!this.#take(stmt) && this.#known.size > 0) this.#readBy(stmt);
    const values = new Map<number, Value>();
    const done = new Set<Stmt>();
    for (const [local, known] of this.#known) {
      const value = this.#finished(local, known);
      if (value === undefined) continue;
      values.set(local, value);
      for (const stmt of known.stmts) done.add(stmt);
    }
    return { values, done };
  }

  /** Takes a statement that makes or extends a constant; false for any other. */
  #take(node: Stmt): boolean {
    const scalar = scalarConstant(node, this.#stringAt);
    if (scalar !== undefined) return this.#start(scalar.target, node, { value: scalar.value });
    const { type, stmt } = node;
    switch (type) {
      case 'MakeArrayStmt':
        return this.#start(stmt.target, node, { parts: [] });
      case 'MakeSetStmt':
        return this.#start(stmt.target, node, { parts: new RegoSet() });
      case 'MakeObjectStmt':
        return this.#start(stmt.target, node, { parts: new RegoObject() });
      case 'AssignVarStmt': {
        const copied = this.#constant(stmt.source);
        return copied !== undefined && this.#start(stmt.target, node, copied);
      }
      case 'ArrayAppendStmt':
        return this.#extend(stmt.array, node, [stmt.value], (parts, value) => (parts as Value[]).push(value));
      case 'SetAddStmt':
        return this.#extend(stmt.set, node, [stmt.value], (parts, value) => (parts as RegoSet).add(value));
      case 'ObjectInsertStmt':
        return this.#extend(stmt.object, node, [stmt.key, stmt.value], (parts, key, value) =>
          (parts as RegoObject).set(key, value!),
        );
      default:
        return false;
    }
  }

  #start(
    target: number,
    node: Stmt,
    { value, parts, size = 1 }: { value?: Value; parts?: Parts; size?: number },
  ): boolean {
    if (!this.#uses.isAssignedOnce(target)) return false;
    this.#known.set(target, { stmts: [node], value, parts, size, mutations: 0 });
    return true;
  }

  #constant(operand: Operand): Constant | undefined {
    if (operand.type === 'bool') return { value: operand.value, size: 1 };
    if (operand.type === 'string_index') return { value: this.#stringAt(operand.value), size: 1 };
    const known = this.#known.get(operand.value);
    if (known === undefined) return undefined;
    const value = this.#finished(operand.value, known);
    return value === undefined ? undefined : { value, size: known.size };
  }

  #extend(
    target: number,
    node: Stmt,
    operands: readonly Operand[],
    add: (parts: Parts, first: Value, second?: Value) => void,
  ): boolean {
    const known = this.#known.get(target);
    const container = extended[node.type as keyof typeof extended];
    if (known === undefined || known.value !== undefined || !(known.parts instanceof container)) return false;
    const added = operands.map((operand) => this.#constant(operand)).filter((constant) => constant !== undefined);
    const size = added.reduce((sum, constant) => sum + constant.size, 0);
    if (added.length < operands.length || size > this.#budget) {
      this.#known.delete(target);
      return false;
    }
    this.#budget -= size;
    // Each statement has an operand, and an insertion has two.
    add(known.parts, added[0]!.value, added[1]?.value);
    known.size += size;
    known.stmts.push(node);
    known.mutations++;
    return true;
  }

  /** The value of a constant that no later statement extends. */
  #finished(local: number, known: Known): Value | undefined {
    if (known.parts === undefined || known.value !== undefined) return known.value;
    if (known.mutations !== this.#uses.of(local).mutations) return undefined;
    const { parts } = known;
    known.value =
      parts instanceof RegoObject
        ? makeObject([...parts.keys()].map((key) => [key, valueAt(parts, key)] as const))
        : parts;
    return known.value;
  }

  /** A collection that is read before it is complete is no constant. */
  #readBy(node: Stmt): void {
    const { reads, blocks } = effectsOf(node);
    for (const local of reads) {
      const known = this.#known.get(local);
      if (known !== undefined && this.#finished(local, known) === undefined) this.#known.delete(local);
    }
    for (const block of blocks) for (const stmt of block.stmts) this.#readBy(stmt);
  }
}
