/**
 * Finds what a block builds of constants alone: numbers, and collections put together statement by
 * statement. The program has them ready-made instead, so that a literal costs nothing however large
 * it is.
 */

import { makeObject } from '../runtime/values/compare.js';
import { numberFromText } from '../runtime/values/numbers/number.js';
import { RegoObject } from '../runtime/values/object.js';
import { RegoSet } from '../runtime/values/set.js';
import type { Value } from '../runtime/values/value.js';
import { effectsOf } from './effects.js';
import { LocalUses } from './local-uses.js';
import type { Block, Func, Operand, Stmt } from './plan.js';

export interface Constants {
  readonly values: ReadonlyMap<number, Value>;
  /** Statements that have no more to do. */
  readonly done: ReadonlySet<Stmt>;
}

interface Known {
  readonly stmts: Stmt[];
  /** Undefined for what is not put together but given. */
  readonly parts: Value[] | RegoSet | RegoObject | undefined;
  value: Value | undefined;
  /** Values in it, a part that stands in it twice counted twice. */
  size: number;
  mutations: number;
}

/**
 * Work for a block's constants, in values that are put into others. A literal takes its length
 * times its depth. An array of two equal arrays of two equal arrays and so on takes 2^n, as do
 * hashing and writing it: beyond the budget it is left to the machine, which counts.
 */
class Budget {
  #left: number;

  constructor({ stmts }: Block) {
    this.#left = 1000 + 64 * stmts.length;
  }

  spend(size: number): boolean {
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }
}

/** The constants that the statements of a block (not of blocks inside) make. */
export function constantsOf(block: Block, uses: LocalUses, stringAt: (index: number) => string): Constants {
  const known = new Map<number, Known>();
  const budget = new Budget(block);
  for (const stmt of block.stmts) {
    if (makers.has(stmt.type) && makes(stmt, known, budget, uses, stringAt)) continue;
    if (known.size > 0) readBy(stmt, known, uses);
  }
  const values = new Map<number, Value>();
  const done = new Set<Stmt>();
  for (const [local, entry] of known) {
    const value = finished(local, entry, uses);
    if (value === undefined) continue;
    values.set(local, value);
    for (const stmt of entry.stmts) done.add(stmt);
  }
  return { values, done };
}

/** The value of a function that does nothing but build and return one. */
export function constantFunction({ params, blocks }: Func, stringAt: (index: number) => string): Value | undefined {
  const [block] = blocks ?? [];
  const last = block?.stmts.at(-1);
  if (block === undefined || blocks?.length !== 1 || params?.length !== 2 || last?.type !== 'ReturnLocalStmt') return undefined;
  const { values, done } = constantsOf(block, new LocalUses(blocks, params), stringAt);
  return done.size === block.stmts.length - 1 ? values.get(last.stmt.source) : undefined;
}

/** The statements that `makes` knows. */
const makers: ReadonlySet<Stmt['type']> = new Set([
  'MakeNullStmt',
  'MakeNumberIntStmt',
  'AssignIntStmt',
  'MakeNumberRefStmt',
  'MakeArrayStmt',
  'MakeSetStmt',
  'MakeObjectStmt',
  'AssignVarStmt',
  'ArrayAppendStmt',
  'SetAddStmt',
  'ObjectInsertStmt',
]);

/** Takes a statement in that makes or extends a constant; false for any other. */
function makes(node: Stmt, known: Map<number, Known>, budget: Budget, uses: LocalUses, stringAt: (index: number) => string): boolean {
  const start = (target: number, value: Value | undefined, parts?: Value[] | RegoSet | RegoObject, size = 1): boolean => {
    if (!uses.isConstant(target)) return false;
    known.set(target, { stmts: [node], value, parts, size, mutations: 0 });
    return true;
  };
  const constantOf = (operand: Operand): Constant | undefined => {
    if (operand.type === 'bool') return { value: operand.value, size: 1 };
    if (operand.type === 'string_index') return { value: stringAt(operand.value), size: 1 };
    const entry = known.get(operand.value);
    const value = entry && finished(operand.value, entry, uses);
    return value === undefined ? undefined : { value, size: entry!.size };
  };
  const { type, stmt } = node;
  switch (type) {
    case 'MakeNullStmt':
      return start(stmt.target, null);
    case 'MakeNumberIntStmt':
    case 'AssignIntStmt':
      return start(stmt.target, stmt.value);
    case 'MakeNumberRefStmt':
      return start(stmt.target, numberFromText(stringAt(stmt.index)));
    case 'MakeArrayStmt':
      return start(stmt.target, undefined, []);
    case 'MakeSetStmt':
      return start(stmt.target, undefined, new RegoSet());
    case 'MakeObjectStmt':
      return start(stmt.target, undefined, new RegoObject());
    case 'AssignVarStmt': {
      const copied = constantOf(stmt.source);
      return copied !== undefined && start(stmt.target, copied.value, undefined, copied.size);
    }
    case 'ArrayAppendStmt':
      return extend(stmt.array, node, known, budget, [stmt.value], constantOf, (parts, [value]) => (parts as Value[]).push(value!));
    case 'SetAddStmt':
      return extend(stmt.set, node, known, budget, [stmt.value], constantOf, (parts, [value]) => (parts as RegoSet).add(value!));
    case 'ObjectInsertStmt':
      return extend(stmt.object, node, known, budget, [stmt.key, stmt.value], constantOf, (parts, [key, value]) =>
        (parts as RegoObject).set(key!, value!),
      );
    default:
      return false;
  }
}

interface Constant {
  readonly value: Value;
  readonly size: number;
}

const containers = { ArrayAppendStmt: Array, SetAddStmt: RegoSet, ObjectInsertStmt: RegoObject } as const;

function extend(
  target: number,
  node: Stmt,
  known: Map<number, Known>,
  budget: Budget,
  operands: readonly Operand[],
  constantOf: (operand: Operand) => Constant | undefined,
  add: (parts: Value[] | RegoSet | RegoObject, values: readonly Value[]) => void,
): boolean {
  const entry = known.get(target);
  const container = containers[node.type as keyof typeof containers];
  if (entry === undefined || entry.value !== undefined || !(entry.parts instanceof container)) return false;
  const added = operands.map(constantOf).filter((constant) => constant !== undefined);
  const size = added.reduce((sum, constant) => sum + constant.size, 0);
  if (added.length < operands.length || !budget.spend(size)) {
    known.delete(target);
    return false;
  }
  add(
    entry.parts,
    added.map(({ value }) => value),
  );
  entry.size += size;
  entry.stmts.push(node);
  entry.mutations++;
  return true;
}

/** The value of a constant that nothing adds to any more. */
function finished(local: number, entry: Known, uses: LocalUses): Value | undefined {
  if (entry.parts === undefined || entry.value !== undefined) return entry.value;
  if (entry.mutations !== uses.of(local).mutations) return undefined;
  const { parts } = entry;
  entry.value = parts instanceof RegoObject ? makeObject([...parts.keys()].map((key) => [key, parts.get(key)!] as const)) : parts;
  return entry.value;
}

/**
 * Whoever reads a collection that is not yet complete must find it as it is then: it is no
 * constant.
 */
function readBy(node: Stmt, known: Map<number, Known>, uses: LocalUses): void {
  const { reads, blocks } = effectsOf(node);
  for (const local of reads) {
    const entry = known.get(local);
    if (entry !== undefined && finished(local, entry, uses) === undefined) known.delete(local);
  }
  for (const block of blocks) for (const stmt of block.stmts) readBy(stmt, known, uses);
}
