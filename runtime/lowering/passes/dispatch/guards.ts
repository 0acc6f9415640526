/**
 * The comparisons with constants at the start of a rule: where one fails, the rule has no effect.
 */
import { type Block, type Operand, type Stmt, scalarConstant } from '../../../../ir-schema/index.js';
import { isObject, RegoObject, type Value } from '../../../../values/index.js';
import { type DispatchConstant, dispatchKey } from '../../../operations/dispatch-key.js';
import { CalledBodies } from '../../facts/called-bodies.js';
import type { PlanFacts } from '../../facts/plan-facts.js';

/** The part of a parameter at a path of strings, and of positions in arrays. */
export interface DispatchPart {
  readonly param: number;
  readonly path: readonly (string | number)[];
  /** A text that the same part of the same parameter has, too. */
  readonly key: string;
}

/** A comparison of a part with a constant. */
export interface DispatchGuard {
  readonly part: DispatchPart;
  readonly constant: DispatchConstant;
}

interface BlockGuards {
  /** Guards by the key of the part, in the order of the comparisons. */
  readonly guards: ReadonlyMap<string, DispatchGuard>;
  /** Locals that the block writes before the last of the comparisons. */
  readonly written: ReadonlySet<number>;
  /** The local that the first statement resets, if the comparisons leave it so. */
  readonly reset: number | undefined;
}

/**
 * The comparisons with constants at the start of a block, up to the first statement that does more
 * than to look up, compare or test. Its other comparisons may end the block, too.
 */
export function guardsOf(block: Block, params: ReadonlySet<number>, plan: PlanFacts): BlockGuards {
  const reader = new GuardReader(params, plan);
  reader.read(block.stmts);
  return reader;
}

/** The most elements of one literal that are compared: they are enough. */
const mostElements = 8;

/** Functions are read that are called this deep. */
const mostCalls = 4;

class GuardReader {
  readonly guards = new Map<string, DispatchGuard>();
  readonly written = new Set<number>();
  reset: number | undefined;
  readonly #params: ReadonlySet<number>;
  readonly #plan: PlanFacts;
  readonly #parts = new Map<number, DispatchPart>();
  readonly #constants = new Map<number, Value>();
  readonly #bodies = new CalledBodies();
  #writtenSoFar: number[] = [];
  #depth = 0;

  constructor(params: ReadonlySet<number>, plan: PlanFacts) {
    this.#params = params;
    this.#plan = plan;
    for (const param of params) this.#parts.set(param, { param, path: [], key: `${param}` });
  }

  read(stmts: readonly Stmt[]): void {
    const [first] = stmts;
    if (first?.type === 'ResetLocalStmt') this.reset = first.stmt.target;
    for (const [i, node] of stmts.entries()) {
      // The first statement may be the reset.
      if (i === 0 && node.type === 'ResetLocalStmt' && !this.#params.has(node.stmt.target))
        this.#writtenSoFar.push(node.stmt.target);
      else if (!this.#statement(node)) break;
    }
  }

  /** Whether the block may still do without this statement where a later comparison fails. */
  #statement(node: Stmt): boolean {
    const { type, stmt } = node;
    if ('target' in stmt && this.#params.has(stmt.target)) return false;
    const constant = scalarConstant(node, this.#plan.string);
    if (constant !== undefined) return this.#write(constant.target, undefined, constant.value);
    switch (type) {
      case 'ResetLocalStmt':
      case 'LenStmt':
        return this.#write(stmt.target);
      case 'MakeArrayStmt':
        return this.#write(stmt.target, undefined, []);
      case 'ArrayAppendStmt':
        return this.#append(stmt.array, stmt.value);
      case 'DotStmt':
        return this.#write(stmt.target, this.#below(stmt.source, stmt.key));
      case 'AssignVarStmt': {
        const value = this.#constantOf(stmt.source);
        if (value !== undefined) return this.#write(stmt.target, undefined, value);
        const part = this.#partOf(stmt.source);
        return part !== undefined && this.#write(stmt.target, part);
      }
      case 'EqualStmt':
        this.#compare(stmt.a, stmt.b);
        return true;
      case 'CallStmt':
        return !this.#params.has(stmt.result) && this.#call(stmt.func, stmt.args ?? [], stmt.result);
      default:
        return tests.has(type);
    }
  }

  #write(local: number, part?: DispatchPart, constant?: Value): true {
    this.#writtenSoFar.push(local);
    this.#parts.delete(local);
    this.#constants.delete(local);
    if (part !== undefined) this.#parts.set(local, part);
    if (constant !== undefined) this.#constants.set(local, constant);
    // If it has a value although the comparison may fail, it does not tell whether the block
    // succeeded.
    if (local === this.reset) this.reset = undefined;
    return true;
  }

  /** An array under construction is a constant as far as it has got. */
  #append(array: number, element: Operand): boolean {
    const [known, value] = [this.#constants.get(array), this.#constantOf(element)];
    if (!Array.isArray(known) || value === undefined) return false;
    return this.#write(array, undefined, [...(known as readonly Value[]), value]);
  }

  #partOf(operand: Operand): DispatchPart | undefined {
    return operand.type === 'local' ? this.#parts.get(operand.value) : undefined;
  }

  #constantOf(operand: Operand): Value | undefined {
    if (operand.type === 'local') return this.#constants.get(operand.value);
    return operand.type === 'bool' ? operand.value : this.#plan.string(operand.value);
  }

  #below(source: Operand, key: Operand): DispatchPart | undefined {
    const [part, name] = [this.#partOf(source), this.#constantOf(key)];
    return part !== undefined && (typeof name === 'string' || isPosition(name)) ? below(part, name) : undefined;
  }

  #compare(a: Operand, b: Operand): void {
    const part = this.#partOf(a) ?? this.#partOf(b);
    const constant = this.#constantOf(this.#partOf(a) === undefined ? a : b);
    if (part === undefined || constant === undefined) return;
    const before = this.guards.size;
    this.#guard(part, constant);
    if (this.guards.size === before) return;
    for (const local of this.#writtenSoFar) this.written.add(local);
    this.#writtenSoFar = [];
  }

  /** The comparison holds only if those of the constant's elements do. */
  #guard(part: DispatchPart, constant: Value): void {
    const key = constant === null ? undefined : dispatchKey(constant);
    if (key !== undefined) {
      if (!this.guards.has(part.key)) this.guards.set(part.key, { part, constant: key });
    } else if (Array.isArray(constant)) {
      const elements = constant as readonly Value[];
      for (const [i, element] of elements.slice(0, mostElements).entries()) this.#guard(below(part, i), element);
    } else if (isObject(constant) && !(constant instanceof RegoObject)) {
      for (const [name, value] of Object.entries(constant).slice(0, mostElements))
        this.#guard(below(part, name), value);
    }
  }

  /** A call whose result is a constant is none; of other functions the comparisons are read. */
  #call(name: string, args: readonly Operand[], result: number): boolean {
    const constant = this.#plan.constantOf(name);
    if (constant !== undefined) return this.#write(result, undefined, constant);
    const func = this.#plan.functions.get(name);
    if (func === undefined || func.params?.length === 2 || this.#depth >= mostCalls) return false;
    this.#depth++;
    for (const node of this.#bodies.of(args, func) ?? []) if (!this.#statement(node)) break;
    this.#depth--;
    return false;
  }
}

function below({ param, path, key }: DispatchPart, name: string | number): DispatchPart {
  return { param, path: [...path, name], key: `${key}${JSON.stringify([name])}` };
}

/** Statements that have no effect but to end the block. */
const tests: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsUndefinedStmt', 'NotEqualStmt'] as const),
]);

function isPosition(key: unknown): key is number {
  return typeof key === 'number' && Number.isSafeInteger(key) && key >= 0;
}
