/**
 * The comparisons with constants at the start of a rule: where one fails, the rule has no effect.
 */
import type { Block, Func, Operand, Stmt } from '../../../ir-schema/plan.js';
import { scalarConstant } from '../../../ir-schema/scalar-constant.js';
import { RegoObject } from '../../../values/object.js';
import { isObject, type Value } from '../../../values/value.js';
import { type DispatchConstant, dispatchKey } from '../../operations/dispatch-key.js';
import type { SilentCalls } from '../calls/silent-calls.js';
import { CalledBodies } from '../scans/called-body.js';

/** A parameter, or the result of a silent call: its operands are constants and parts of others. */
type Root =
  | { readonly kind: 'param'; readonly local: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly (Part | DispatchConstant)[] };

/** What is at a path of strings, and of positions in arrays. */
export interface Part {
  readonly root: Root;
  readonly path: readonly (string | number)[];
  /** A text that the same part of the same root has, too. */
  readonly key: string;
}

/** A comparison of a part with a constant. */
export interface Guard {
  readonly part: Part;
  readonly constant: DispatchConstant;
  /** Whether calls come before it, whose errors may be looked for. */
  readonly isBehindCalls: boolean;
  /** Whether to leave it out, with all that comes before it, leaves out no work that is counted. */
  readonly isFree: boolean;
}

/** What is known of a plan. */
export interface GuardTables {
  readonly string: (index: number) => string;
  readonly constants: readonly Value[];
  /** Indexes of the constants that functions return. */
  readonly constantFunctions: ReadonlyMap<string, number>;
  readonly funcs: ReadonlyMap<string, Func>;
  readonly silent: SilentCalls;
}

interface BlockGuards {
  /** By the key of the part, in the order of the comparisons. */
  readonly guards: ReadonlyMap<string, Guard>;
  /** Locals that the block writes before the last of the comparisons. */
  readonly written: ReadonlySet<number>;
  /** The local that the first statement resets, if the comparisons leave it so. */
  readonly reset: number | undefined;
}

/**
 * The comparisons with constants at the start of a block, up to the first statement that does more
 * than to look up, compare, test or call silently. Its other comparisons may end the block, too.
 */
export function guardsOf(block: Block, roots: ReadonlySet<number>, tables: GuardTables): BlockGuards {
  const reader = new GuardReader(roots, tables);
  reader.read(block.stmts);
  return reader;
}

/** The comparisons of so many elements of one literal are enough. */
const mostElements = 8;

/** Functions are read that are called this deep. */
const mostCalls = 4;

class GuardReader {
  readonly guards = new Map<string, Guard>();
  readonly written = new Set<number>();
  reset: number | undefined;
  readonly #roots: ReadonlySet<number>;
  readonly #tables: GuardTables;
  readonly #parts = new Map<number, Part>();
  readonly #constants = new Map<number, Value>();
  readonly #bodies = new CalledBodies();
  #writtenSoFar: number[] = [];
  /** Locals that are known to be arrays. */
  readonly #arrays = new Set<number>();
  #hasCalls = false;
  #hasWork = false;
  #depth = 0;

  constructor(roots: ReadonlySet<number>, tables: GuardTables) {
    this.#roots = roots;
    this.#tables = tables;
    for (const local of roots) this.#parts.set(local, { root: { kind: 'param', local }, path: [], key: `${local}` });
  }

  read(stmts: readonly Stmt[]): void {
    const [first] = stmts;
    if (first?.type === 'ResetLocalStmt') this.reset = first.stmt.target;
    for (const [i, node] of stmts.entries()) {
      // The first statement may be the reset.
      if (i === 0 && node.type === 'ResetLocalStmt' && !this.#roots.has(node.stmt.target)) this.#writtenSoFar.push(node.stmt.target);
      else if (!this.#statement(node)) break;
    }
  }

  /** Whether the block may still do without this statement where a later comparison fails. */
  #statement(node: Stmt): boolean {
    const { type, stmt } = node;
    if ('target' in stmt && this.#roots.has(stmt.target)) return false;
    const constant = scalarConstant(node, this.#tables.string);
    if (constant !== undefined) return this.#write(constant.target, undefined, constant.value);
    switch (type) {
      case 'ResetLocalStmt':
        return this.#write(stmt.target);
      case 'LenStmt':
        this.#hasWork ||= stmt.source.type !== 'local' || !this.#arrays.has(stmt.source.value);
        return this.#write(stmt.target);
      case 'IsArrayStmt':
        if (stmt.source.type === 'local') this.#arrays.add(stmt.source.value);
        return true;
      case 'NotEqualStmt':
        this.#hasWork = true;
        return true;
      case 'MakeArrayStmt':
        return this.#write(stmt.target, undefined, []);
      case 'ArrayAppendStmt':
        return this.#append(stmt.array, stmt.value);
      case 'DotStmt':
        return this.#write(stmt.target, this.#below(stmt.source, stmt.key));
      case 'AssignVarStmt': {
        const part = this.#partOf(stmt.source);
        return part !== undefined && this.#write(stmt.target, part);
      }
      case 'EqualStmt':
        this.#compare(stmt.a, stmt.b);
        return true;
      case 'CallStmt':
        return !this.#roots.has(stmt.result) && this.#call(stmt.func, stmt.args ?? [], stmt.result);
      default:
        return tests.has(type);
    }
  }

  #write(local: number, part?: Part, constant?: Value): true {
    this.#writtenSoFar.push(local);
    this.#parts.delete(local);
    this.#constants.delete(local);
    this.#arrays.delete(local);
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

  #partOf(operand: Operand): Part | undefined {
    return operand.type === 'local' ? this.#parts.get(operand.value) : undefined;
  }

  #constantOf(operand: Operand): Value | undefined {
    if (operand.type === 'local') return this.#constants.get(operand.value);
    return operand.type === 'bool' ? operand.value : this.#tables.string(operand.value);
  }

  #below(source: Operand, key: Operand): Part | undefined {
    const [part, name] = [this.#partOf(source), this.#constantOf(key)];
    if (typeof name !== 'string' && !isPosition(name)) this.#hasWork = true;
    return part !== undefined && (typeof name === 'string' || isPosition(name)) ? below(part, name) : undefined;
  }

  #compare(a: Operand, b: Operand): void {
    const part = this.#partOf(a) ?? this.#partOf(b);
    const constant = this.#constantOf(this.#partOf(a) === undefined ? a : b);
    if (part === undefined || constant === undefined || typeof constant === 'object') this.#hasWork = true;
    if (part === undefined || constant === undefined) return;
    const before = this.guards.size;
    this.#guard(part, constant);
    if (this.guards.size === before) return;
    for (const local of this.#writtenSoFar) this.written.add(local);
    this.#writtenSoFar = [];
  }

  /** The comparison holds only if those of the constant's elements do. */
  #guard(part: Part, constant: Value, isScalar = true): void {
    const key = constant === null ? undefined : dispatchKey(constant);
    if (key !== undefined) {
      if (!this.guards.has(part.key))
        this.guards.set(part.key, { part, constant: key, isBehindCalls: this.#hasCalls, isFree: isScalar && !this.#hasWork });
    } else if (Array.isArray(constant)) {
      const elements = constant as readonly Value[];
      for (const [i, element] of elements.slice(0, mostElements).entries()) this.#guard(below(part, i), element, false);
    } else if (isObject(constant) && !(constant instanceof RegoObject)) {
      for (const [name, value] of Object.entries(constant).slice(0, mostElements)) this.#guard(below(part, name), value, false);
    }
  }

  #call(name: string, args: readonly Operand[], result: number): boolean {
    const { constantFunctions, constants, funcs, silent } = this.#tables;
    const constant = constantFunctions.get(name);
    if (constant !== undefined) return this.#write(result, undefined, constants[constant]);
    const func = funcs.get(name);
    if (func !== undefined && func.params?.length !== 2 && this.#depth < mostCalls) {
      // The call is counted.
      this.#hasWork = true;
      this.#depth++;
      for (const node of this.#bodies.of(args, func) ?? []) if (!this.#statement(node)) break;
      this.#depth--;
    }
    if (!silent.has(name)) return false;
    this.#hasCalls = true;
    this.#hasWork = true;
    return this.#write(result, this.#result(name, func, args));
  }

  /** The result of a silent call as a root. */
  #result(name: string, func: Func | undefined, operands: readonly Operand[]): Part | undefined {
    if (func?.params?.length === 2 && this.#passesOn(operands)) return root(name, []);
    if (func !== undefined) return undefined;
    const args = operands.map((operand) => this.#partOf(operand) ?? this.#argument(operand));
    return args.every((arg) => arg !== undefined) ? root(name, args) : undefined;
  }

  /** A constant that is written in one way only. */
  #argument(operand: Operand): DispatchConstant | undefined {
    const constant = this.#constantOf(operand);
    return typeof constant === 'string' || typeof constant === 'boolean' || Number.isSafeInteger(constant)
      ? (constant as DispatchConstant)
      : undefined;
  }

  /** Whether a rule is called as from anywhere else: the parameters are those of the function. */
  #passesOn(operands: readonly Operand[]): boolean {
    return operands.length === 2 && operands.every(({ type, value }, i) => type === 'local' && value === i && this.#roots.has(i));
  }
}

function below({ root, path, key }: Part, name: string | number): Part {
  return { root, path: [...path, name], key: `${key}${JSON.stringify([name])}` };
}

function root(name: string, args: readonly (Part | DispatchConstant)[]): Part {
  const texts = args.map((arg) => (typeof arg === 'object' ? arg.key : JSON.stringify(arg)));
  return { root: { kind: 'call', name, args }, path: [], key: `${JSON.stringify(name)}(${texts.join()})` };
}

/** Statements that have no effect but to end the block. */
const tests: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>(['IsUndefinedStmt', 'IsDefinedStmt', 'IsObjectStmt']);

function isPosition(key: unknown): key is number {
  return typeof key === 'number' && Number.isSafeInteger(key) && key >= 0;
}
