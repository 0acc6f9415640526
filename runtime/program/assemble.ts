/** Plan → program. The plan has passed the verifier: locals, indexes, break depths and calls are known to be right. */
import type { Block, Operand, Policy, Stmt } from '../../ir-schema/plan.js';
import { numberFromText } from '../values/number.js';
import type { Value } from '../values/value.js';
import { CodeBuilder, type Label } from './code-builder.js';
import { findDispatch, type Unit } from './dispatch.js';
import { effectsOf, LocalUses } from './effects.js';
import { matchableScan } from './matches.js';
import { Op, type Opcode } from './opcodes.js';
import { type Program, type ProgramFunction, pathSeparator } from './program.js';

/** Assembles a verified plan. Linear in its size. */
export function assemble(policy: Policy): Program {
  const pool = new Pool(policy);
  const functions: ProgramFunction[] = [];
  const code: number[] = [];
  const origins: number[] = [];
  const funcs = policy.funcs?.funcs ?? [];
  const plans = policy.plans?.plans ?? [];
  funcs.forEach((func, i) => {
    pool.functions.set(func.name, i);
  });
  for (const func of funcs) {
    const kind = func.params?.length === 2 ? 'rule' : 'function';
    const body = new FunctionAssembler(pool, func.params ?? [], func.blocks ?? []).assemble(code, origins);
    functions.push({ name: func.name, kind, path: func.path, ...body });
  }
  const entrypoints = new Map<string, number>();
  for (const plan of plans) {
    entrypoints.set(plan.name, functions.length);
    const body = new FunctionAssembler(pool, [0, 1], plan.blocks ?? []).assemble(code, origins);
    functions.push({ name: plan.name, kind: 'plan', path: undefined, ...body });
  }
  const paths = new Map<string, number>();
  functions.forEach(({ path }, i) => {
    if (path !== undefined) paths.set(path.join(pathSeparator), i);
  });
  return {
    code: Int32Array.from(code),
    constants: pool.constants,
    functions,
    plans: entrypoints,
    paths,
    builtins: pool.builtins,
    documentPaths: pool.documentPaths,
    tables: pool.tables,
    files: (policy.static?.files ?? []).map(({ value }) => value),
    origins: Int32Array.from({ length: code.length }, (_, at) => origins[at] ?? 0),
    places: Int32Array.from(pool.places),
  };
}

/** What the functions of a program share. */
class Pool {
  readonly constants: Value[] = [];
  readonly builtins: string[] = [];
  readonly documentPaths: string[][] = [];
  readonly tables: ReadonlyMap<string | boolean, readonly number[]>[] = [];
  readonly places: number[] = [0, 0, 0];
  readonly functions = new Map<string, number>();
  readonly #constantIndexes = new Map<unknown, number>();
  readonly #builtinIndexes = new Map<string, number>();
  readonly #placeIndexes = new Map<string, number>();
  readonly #strings: readonly string[];

  constructor(policy: Policy) {
    this.#strings = (policy.static?.strings ?? []).map(({ value }) => internalized(value));
  }

  string(index: number): string {
    return this.#strings[index]!;
  }

  constant(value: Value): number {
    let index = this.#constantIndexes.get(value);
    if (index === undefined) {
      index = this.constants.push(value) - 1;
      this.#constantIndexes.set(value, index);
    }
    return index;
  }

  builtin(name: string): number {
    let index = this.#builtinIndexes.get(name);
    if (index === undefined) {
      index = this.builtins.push(name) - 1;
      this.#builtinIndexes.set(name, index);
    }
    return index;
  }

  path(keys: string[]): number {
    return this.documentPaths.push(keys) - 1;
  }

  place({ stmt }: Stmt): number {
    const key = `${stmt.file}:${stmt.row}:${stmt.col}`;
    let index = this.#placeIndexes.get(key);
    if (index === undefined) {
      index = this.places.push(stmt.file, stmt.row, stmt.col) / 3 - 1;
      this.#placeIndexes.set(key, index);
    }
    return index;
  }
}

/** A string that is a property name finds properties faster than an equal one that is not. */
function internalized(text: string): string {
  return Object.keys({ [text]: 0 })[0]!;
}

/** Relations of `Op.Compare` by the built-in that stands for them. */
const relations: ReadonlyMap<string, number> = new Map([
  ['lt', 0],
  ['lte', 1],
  ['gt', 2],
  ['gte', 3],
  ['equal', 4],
  ['neq', 5],
]);

const operators: ReadonlyMap<string, number> = new Map([
  ['plus', 0],
  ['minus', 1],
  ['mul', 2],
]);

/** A block that is being assembled: where to go when it is cut short, and how many `with` are open around it. */
interface Enclosing {
  readonly cutShort: Label;
  readonly withs: number;
}

class FunctionAssembler {
  readonly #pool: Pool;
  readonly #blocks: readonly Block[];
  readonly #params: readonly number[];
  readonly #code = new CodeBuilder();
  readonly #uses: LocalUses;
  /** Register of each local; a local that only copies another shares its register. */
  readonly #registers = new Map<number, number>();
  readonly #anyKeys: ReadonlySet<number>;
  readonly #pendingTables: { readonly table: Map<string | boolean, number[]>; readonly entries: ReadonlyMap<string | boolean, Label[]> }[] = [];
  #registerCount = 0;

  constructor(pool: Pool, params: readonly number[], blocks: readonly Block[]) {
    this.#pool = pool;
    this.#params = params;
    this.#blocks = blocks;
    this.#uses = new LocalUses(blocks);
    this.#anyKeys = localsWithAnyKeys(blocks);
    for (const local of params) this.#register(local);
  }

  assemble(code: number[], origins: number[]): Omit<ProgramFunction, 'name' | 'kind' | 'path'> {
    const entry = code.length;
    this.#sequence(this.#blocks, [], 0);
    this.#code.emit(Op.End, 0);
    const { positionOf } = this.#code.layOut(code, origins);
    for (const { table, entries } of this.#pendingTables) {
      for (const [value, labels] of entries) table.set(value, labels.map(positionOf));
    }
    return { entry, registers: this.#registerCount, params: this.#params.length, weight: Math.max(1, this.#code.size >> 2) };
  }

  #register(local: number): number {
    let register = this.#registers.get(local);
    if (register === undefined) this.#registers.set(local, (register = this.#registerCount++));
    return register;
  }

  #temporaries(count: number): number {
    const first = this.#registerCount;
    this.#registerCount += count;
    return first;
  }

  #operand(operand: Operand): number {
    switch (operand.type) {
      case 'local':
        return this.#register(operand.value);
      case 'bool':
        return -1 - this.#pool.constant(operand.value);
      case 'string_index':
        return -1 - this.#pool.constant(this.#pool.string(operand.value));
    }
  }

  /** Blocks one after the other, whatever becomes of each. */
  #sequence(blocks: readonly Block[], enclosing: readonly Enclosing[], withs: number): void {
    const outermost = blocks === this.#blocks;
    const runs = outermost ? findDispatch(blocks, this.#params, this.#uses, (index) => this.#pool.string(index)) : [];
    let at = 0;
    for (const run of runs) {
      for (; at < run.start; at++) this.#inSequence(blocks[at]!, enclosing, withs);
      this.#dispatch(run.path, run.root, run.units, blocks, enclosing, withs);
      at = run.end;
    }
    for (; at < blocks.length; at++) this.#inSequence(blocks[at]!, enclosing, withs);
  }

  #inSequence(block: Block, enclosing: readonly Enclosing[], withs: number): void {
    const next = this.#code.label();
    this.#block(block, [...enclosing, { cutShort: next, withs }]);
    this.#code.place(next);
  }

  /** Units of blocks that begin by comparing one value with a constant: only those whose constant it is are run. */
  #dispatch(
    path: readonly string[],
    root: number,
    units: readonly Unit[],
    blocks: readonly Block[],
    enclosing: readonly Enclosing[],
    withs: number,
  ): void {
    const origin = this.#pool.place(blocks[units[0]!.start]!.stmts[0]!);
    const end = this.#code.label();
    const iterator = this.#temporaries(3);
    let value = this.#register(root);
    for (const key of path) {
      this.#code.emit(Op.DotConst, origin, iterator + 2, value, this.#pool.constant(internalized(key)), end);
      value = iterator + 2;
    }
    const table = new Map<string | boolean, number[]>();
    const entries = new Map<string | boolean, Label[]>();
    this.#code.emit(Op.Dispatch, origin, iterator, value, this.#pool.tables.push(table) - 1, end);
    const next = this.#code.label();
    this.#code.place(next);
    this.#code.emit(Op.DispatchNext, origin, iterator, end);
    for (const unit of units) {
      const label = this.#code.label();
      this.#code.place(label);
      this.#code.keep(label);
      const labels = entries.get(unit.constant);
      if (labels === undefined) entries.set(unit.constant, [label]);
      else labels.push(label);
      for (let i = unit.start; i < unit.end; i++) this.#inSequence(blocks[i]!, enclosing, withs);
      this.#code.emit(Op.Jump, origin, next);
    }
    this.#code.place(end);
    this.#pendingTables.push({ table, entries });
  }

  /** `enclosing` ends with the block itself. */
  #block(block: Block, enclosing: readonly Enclosing[], from = 0): void {
    for (let i = from; i < block.stmts.length; i++) {
      const stmt = block.stmts[i]!;
      if (stmt.type === 'CallStmt' && this.#comparison(stmt, block.stmts[i + 1], enclosing)) i++;
      else this.#stmt(stmt, block, enclosing);
    }
  }

  /** A comparison whose only use is the test that it is not false. */
  #comparison(call: Stmt & { type: 'CallStmt' }, test: Stmt | undefined, enclosing: readonly Enclosing[]): boolean {
    const { func, args, result } = call.stmt;
    const relation = relations.get(func);
    if (test?.type !== 'NotEqualStmt' || this.#pool.functions.has(func)) return false;
    const { a, b } = test.stmt;
    if (a.type !== 'local' || a.value !== result || b.type !== 'bool' || b.value) return false;
    const use = this.#uses.of(result);
    const at = this.#uses.positions.get(test)!;
    if (use.firstRead !== at || use.lastRead !== at) return false;
    const [first, second] = args ?? [];
    const origin = this.#pool.place(call);
    const cutShort = enclosing.at(-1)!.cutShort;
    if (relation !== undefined) this.#code.emit(Op.CompareTest, origin, relation, this.#operand(first!), this.#operand(second!), cutShort);
    else if (func === 'internal.member_2') this.#code.emit(Op.Member, origin, this.#operand(first!), this.#operand(second!), cutShort);
    else return false;
    return true;
  }

  #stmt(node: Stmt, block: Block, enclosing: readonly Enclosing[]): void {
    const origin = this.#pool.place(node);
    const { cutShort } = enclosing.at(-1)!;
    const emit = (op: Opcode, ...fields: number[]) => this.#code.emit(op, origin, ...fields);
    const { type, stmt } = node;
    switch (type) {
      case 'NopStmt':
        return;
      case 'MakeNullStmt':
        return this.#assign(emit, stmt.target, null);
      case 'MakeNumberIntStmt':
      case 'AssignIntStmt':
        return this.#assign(emit, stmt.target, stmt.value);
      case 'MakeNumberRefStmt':
        return this.#assign(emit, stmt.target, numberFromText(this.#pool.string(stmt.index)));
      case 'MakeArrayStmt':
        return emit(Op.MakeArray, this.#register(stmt.target));
      case 'MakeObjectStmt':
        return emit(this.#anyKeys.has(stmt.target) ? Op.MakeAnyObject : Op.MakeObject, this.#register(stmt.target));
      case 'MakeSetStmt':
        return emit(Op.MakeSet, this.#register(stmt.target));
      case 'ResetLocalStmt':
        if (this.#uses.isRead(stmt.target)) emit(Op.Reset, this.#register(stmt.target));
        return;
      case 'AssignVarStmt':
        return this.#assignVar(emit, node, block);
      case 'AssignVarOnceStmt':
        return emit(Op.MoveOnce, this.#register(stmt.target), this.#operand(stmt.source));
      case 'ArrayAppendStmt':
        return emit(Op.ArrayAppend, this.#register(stmt.array), this.#operand(stmt.value), cutShort);
      case 'SetAddStmt':
        return emit(Op.SetAdd, this.#register(stmt.set), this.#operand(stmt.value), cutShort);
      case 'ObjectInsertStmt':
      case 'ObjectInsertOnceStmt': {
        const op = type === 'ObjectInsertStmt' ? Op.ObjectInsert : Op.ObjectInsertOnce;
        return emit(op, this.#register(stmt.object), this.#operand(stmt.key), this.#operand(stmt.value), cutShort);
      }
      case 'ObjectMergeStmt':
        return emit(Op.ObjectMerge, this.#register(stmt.target), this.#register(stmt.a), this.#register(stmt.b), cutShort);
      case 'DotStmt':
        return this.#dot(emit, stmt.target, this.#operand(stmt.source), stmt.key, cutShort);
      case 'EqualStmt':
        return this.#equality(emit, Op.Equal, Op.EqualConst, stmt.a, stmt.b, cutShort);
      case 'NotEqualStmt':
        return this.#equality(emit, Op.NotEqual, Op.NotEqualConst, stmt.a, stmt.b, cutShort);
      case 'IsArrayStmt':
        return emit(Op.IsArray, this.#operand(stmt.source), cutShort);
      case 'IsObjectStmt':
        return emit(Op.IsObject, this.#operand(stmt.source), cutShort);
      case 'IsSetStmt':
        return emit(Op.IsSet, this.#operand(stmt.source), cutShort);
      case 'IsDefinedStmt':
        return emit(Op.IsDefined, this.#register(stmt.source), cutShort);
      case 'IsUndefinedStmt':
        return emit(Op.IsUndefined, this.#register(stmt.source), cutShort);
      case 'LenStmt':
        return emit(Op.Len, this.#register(stmt.target), this.#operand(stmt.source), cutShort);
      case 'ReturnLocalStmt':
        this.#leaveWiths(origin, enclosing.at(-1)!.withs, 0);
        return emit(Op.Return, this.#register(stmt.source));
      case 'ResultSetAddStmt':
        return emit(Op.ResultAdd, this.#register(stmt.value), cutShort);
      case 'BreakStmt': {
        const target = enclosing[enclosing.length - 1 - stmt.index]!;
        this.#leaveWiths(origin, enclosing.at(-1)!.withs, target.withs);
        return emit(Op.Jump, target.cutShort);
      }
      case 'CallStmt':
        return this.#call(emit, stmt.func, stmt.args ?? [], stmt.result, cutShort);
      case 'CallDynamicStmt': {
        const path = (stmt.path ?? []).map((operand) => this.#operand(operand));
        const args = (stmt.args ?? []).map((local) => this.#register(local));
        return emit(Op.CallDynamic, this.#register(stmt.result), cutShort, path.length, ...path, args.length, ...args);
      }
      case 'BlockStmt':
        return this.#sequence(stmt.blocks ?? [], enclosing, enclosing.at(-1)!.withs);
      case 'NotStmt':
        return this.#not(origin, stmt.block, enclosing);
      case 'ScanStmt':
        return this.#scan(origin, node, enclosing);
      case 'WithStmt':
        return this.#with(origin, node, enclosing);
    }
  }

  #assign(emit: (op: Opcode, ...fields: number[]) => void, target: number, value: Value): void {
    emit(Op.Move, this.#register(target), -1 - this.#pool.constant(value));
  }

  #assignVar(emit: (op: Opcode, ...fields: number[]) => void, node: Stmt & { type: 'AssignVarStmt' }, block: Block): void {
    const { source, target } = node.stmt;
    if (!this.#uses.isRead(target) && !this.#params.includes(target)) return;
    if (source.type === 'local' && this.#copies(node, target, source.value, block)) {
      this.#registers.set(target, this.#register(source.value));
      return;
    }
    emit(Op.Move, this.#register(target), this.#operand(source));
  }

  /** Whether a local is nothing but another name of a local that keeps its value for as long as this one is read. */
  #copies(node: Stmt, target: number, source: number, block: Block): boolean {
    if (this.#uses.of(target).definitions !== 1 || this.#registers.has(target) || this.#params.includes(target)) return false;
    const definitions = this.#uses.of(source).definitions + (this.#params.includes(source) ? 1 : 0);
    return definitions === 1 && this.#uses.readOnlyAfter(target, node, block);
  }

  #dot(emit: (op: Opcode, ...fields: number[]) => void, target: number, source: number, key: Operand, cutShort: Label): void {
    // `__proto__` is the one name that a plain property look-up gets wrong without looking like it.
    if (key.type === 'string_index' && this.#pool.string(key.value) !== '__proto__') {
      emit(Op.DotConst, this.#register(target), source, this.#pool.constant(this.#pool.string(key.value)), cutShort);
    } else emit(Op.Dot, this.#register(target), source, this.#operand(key), cutShort);
  }

  #equality(emit: (op: Opcode, ...fields: number[]) => void, op: Opcode, constOp: Opcode, a: Operand, b: Operand, cutShort: Label): void {
    if (a.type === 'local' && b.type !== 'local') emit(constOp, this.#register(a.value), -1 - this.#operand(b), cutShort);
    else if (b.type === 'local' && a.type !== 'local') emit(constOp, this.#register(b.value), -1 - this.#operand(a), cutShort);
    else emit(op, this.#operand(a), this.#operand(b), cutShort);
  }

  #call(emit: (op: Opcode, ...fields: number[]) => void, name: string, args: readonly Operand[], target: number, cutShort: Label): void {
    const operands = args.map((operand) => this.#operand(operand));
    const result = this.#register(target);
    const index = this.#pool.functions.get(name);
    if (index !== undefined) return emit(Op.Call, index, result, cutShort, operands.length, ...operands);
    const relation = relations.get(name);
    if (relation !== undefined) return emit(Op.Compare, result, relation, operands[0]!, operands[1]!, cutShort);
    const builtin = this.#pool.builtin(name);
    const operator = operators.get(name);
    if (operator !== undefined) return emit(Op.Arithmetic, builtin, result, cutShort, operator, operands[0]!, operands[1]!);
    if (operands.length === 1) return emit(Op.Builtin1, builtin, result, cutShort, operands[0]!);
    if (operands.length === 2) return emit(Op.Builtin2, builtin, result, cutShort, operands[0]!, operands[1]!);
    emit(Op.Builtin, builtin, result, cutShort, operands.length, ...operands);
  }

  #leaveWiths(origin: number, from: number, to: number): void {
    for (let i = from; i > to; i--) this.#code.emit(Op.WithPop, origin);
  }

  #not(origin: number, block: Block | null, enclosing: readonly Enclosing[]): void {
    const { cutShort, withs } = enclosing.at(-1)!;
    const goOn = this.#code.label();
    if (block !== null) this.#block(block, [...enclosing, { cutShort: goOn, withs }]);
    this.#code.emit(Op.Jump, origin, cutShort);
    this.#code.place(goOn);
  }

  #scan(origin: number, node: Stmt & { type: 'ScanStmt' }, enclosing: readonly Enclosing[]): void {
    const { source, key, value, block } = node.stmt;
    const { cutShort, withs } = enclosing.at(-1)!;
    const iterator = this.#temporaries(3);
    const next = this.#code.label();
    const end = this.#code.label();
    this.#code.emit(Op.ScanStart, origin, iterator, this.#register(source), cutShort);
    const match = block === null ? undefined : matchableScan(node, this.#uses, (index) => this.#pool.string(index));
    if (match !== undefined) this.#code.emit(Op.ScanMatches, origin, iterator, this.#pool.path(match.path), this.#operand(match.wanted));
    this.#code.place(next);
    const weight = Math.max(1, block === null ? 0 : block.stmts.length >> 1);
    this.#code.emit(Op.ScanNext, origin, iterator, this.#register(key), this.#register(value), end, weight);
    if (block !== null) this.#block(block, [...enclosing, { cutShort: next, withs }]);
    this.#code.emit(Op.Jump, origin, next);
    this.#code.place(end);
  }

  #with(origin: number, node: Stmt & { type: 'WithStmt' }, enclosing: readonly Enclosing[]): void {
    const { local, path, value, block } = node.stmt;
    const { cutShort, withs } = enclosing.at(-1)!;
    const undo = this.#code.label();
    const goOn = this.#code.label();
    const keys = (path ?? []).map((index) => this.#pool.string(index));
    this.#code.emit(Op.WithPush, origin, this.#register(local), this.#pool.path(keys), this.#operand(value));
    if (block !== null) this.#block(block, [...enclosing, { cutShort: undo, withs: withs + 1 }]);
    this.#code.emit(Op.WithPop, origin);
    this.#code.emit(Op.Jump, origin, goOn);
    this.#code.place(undo);
    this.#code.emit(Op.WithPop, origin);
    this.#code.emit(Op.Jump, origin, cutShort);
    this.#code.place(goOn);
  }
}

/**
 * Locals whose objects may get keys other than constant strings. An object made for one of them can take any key; the others are plain.
 * What is looked up in such a local, or copied or put into one, may be the same object, so all locals that values pass between go together.
 */
function localsWithAnyKeys(blocks: readonly Block[]): ReadonlySet<number> {
  const groups = new Map<number, number>();
  const find = (local: number): number => {
    let root = local;
    for (let parent = groups.get(root); parent !== undefined && parent !== root; parent = groups.get(root)) root = parent;
    for (let at = local; at !== root; ) {
      const parent = groups.get(at)!;
      groups.set(at, root);
      at = parent;
    }
    return root;
  };
  const join = (a: number, b: Operand) => {
    if (b.type === 'local') groups.set(find(a), find(b.value));
  };
  const inserted: number[] = [];
  const visit = (block: Block): void => {
    for (const node of block.stmts) {
      if (node.type === 'ObjectInsertStmt' || node.type === 'ObjectInsertOnceStmt') {
        join(node.stmt.object, node.stmt.value);
        if (node.stmt.key.type !== 'string_index') inserted.push(node.stmt.object);
      } else if (node.type === 'DotStmt' || node.type === 'AssignVarStmt' || node.type === 'AssignVarOnceStmt') {
        join(node.stmt.target, node.stmt.source);
      }
      for (const inner of effectsOf(node).blocks) visit(inner);
    }
  };
  for (const block of blocks) visit(block);
  const roots = new Set(inserted.map(find));
  const all = new Set<number>(inserted);
  for (const local of groups.keys()) if (roots.has(find(local))) all.add(local);
  return all;
}
