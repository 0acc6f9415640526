/** One function of a plan → instructions. */

import { effectsOf } from '../../ir-schema/effects.js';
import type { Block, Operand, Stmt } from '../../ir-schema/plan.js';
import { localsWithAnyKeys } from '../lowering/any-keys.js';
import { matchableScan } from '../lowering/array-indexes.js';
import { constantsOf } from '../lowering/constants.js';
import { findDispatch, type Run } from '../lowering/dispatch.js';
import { endsWithConstant } from '../lowering/early-exit.js';
import { LocalUses } from '../lowering/effects.js';
import { ownershipOf } from '../lowering/escape-analysis.js';
import { givenAway } from '../lowering/escapes.js';
import { appends, ownLocals } from '../lowering/ownership.js';
import { operators } from '../operations/arithmetic.js';
import { relations } from '../operations/order.js';
import { numberFromText } from '../values/numbers/number.js';
import { segmentKey } from '../values/path-key.js';
import type { Steps } from '../values/steps.js';
import type { Value } from '../values/value.js';
import { CodeBuilder, type Label } from './code-builder.js';
import { Op, type Opcode } from './opcodes.js';
import { internalized, type Pool } from './pool.js';
import type { ProgramFunction } from './program.js';

/** A block that is being assembled. */
interface Enclosing {
  /** Where to go when it is cut short. */
  readonly cutShort: Label;
  /** How many `with` are open around it. */
  readonly withs: number;
  /** Where to go once its last statement has assigned a constant, if nothing else comes of the blocks around (see `endsWithConstant`). */
  readonly exit: Label | undefined;
}

type Emit = (op: Opcode, ...fields: number[]) => void;

/** A register that holds what lies at a path below a parameter. */
interface Available {
  readonly register: number;
  /** It was looked up ahead of its use and may turn out undefined. */
  readonly ahead: boolean;
}

/** What is known of all blocks of a function. */
interface Facts {
  readonly uses: LocalUses;
  readonly anyKeys: ReadonlySet<number>;
  readonly ownership: ReturnType<typeof ownershipOf>;
}

/** So many outermost blocks are assembled in a step. */
const blocksOfStep = 16;

export class FunctionAssembler {
  readonly #pool: Pool;
  readonly #blocks: readonly Block[];
  readonly #params: readonly number[];
  readonly #code = new CodeBuilder();
  readonly #uses: LocalUses;
  readonly #anyKeys: ReadonlySet<number>;
  /** Parameters that keep their value: what lies below them need be looked up only once. */
  readonly #roots: ReadonlySet<number>;
  /** Register of each local that passes values between outermost blocks, and of each local of the current one. */
  readonly #sharedRegisters = new Map<number, number>();
  #ownRegisters = new Map<number, number>();
  /** The path below a parameter that a local of the current outermost block holds. */
  #paths = new Map<number, string>();
  #available = new Map<string, Available>();
  /** Registers of locals of the current outermost block whose value was looked up before the loop that they stand in. */
  #hoisted = new Map<number, number>();
  /** Operands of locals of the current outermost block that hold constants. */
  #constants = new Map<number, number>();
  /** Statements that made these, or that an instruction of the one before them takes care of. */
  readonly #done = new Set<Stmt>();
  /** Where the function may come to change what is not its own: the register that keeps track of what is. */
  readonly #own: number | undefined;
  /** Whether collections change only before anything else names them. */
  readonly #isFresh: boolean;
  #ofData = new Set<number>();
  #ownLocals: ReadonlySet<number> | undefined;
  readonly #searched = new Set<Stmt>();
  readonly #pendingTables: { readonly table: Map<string | boolean, number[]>; readonly entries: ReadonlyMap<string | boolean, Label[]> }[] =
    [];
  #nextRegister = 0;
  #registerCount = 0;

  /** An assembler of one function, in steps: a long function is looked through several times. */
  static *over(pool: Pool, params: readonly number[], blocks: readonly Block[]): Steps<FunctionAssembler> {
    const uses = new LocalUses(blocks, params);
    yield;
    const anyKeys = localsWithAnyKeys(blocks);
    yield;
    const ownership = ownershipOf(blocks, params, uses.shared);
    yield;
    return new FunctionAssembler(pool, params, blocks, { uses, anyKeys, ownership });
  }

  private constructor(pool: Pool, params: readonly number[], blocks: readonly Block[], { uses, anyKeys, ownership }: Facts) {
    this.#pool = pool;
    this.#params = params;
    this.#blocks = blocks;
    this.#uses = uses;
    this.#anyKeys = anyKeys;
    this.#roots = new Set(params.filter((param) => this.#uses.of(param).definitions === 0 && !this.#isChanged(param)));
    for (const local of [...params, ...this.#uses.shared]) {
      if (!this.#sharedRegisters.has(local)) this.#sharedRegisters.set(local, this.#nextRegister++);
    }
    this.#isFresh = ownership === 'fresh';
    if (ownership === 'unknown') this.#own = this.#nextRegister++;
  }

  *assemble(code: number[], origins: number[]): Steps<Omit<ProgramFunction, 'name' | 'kind' | 'path'>> {
    const entry = code.length;
    const cleared = this.#sharedRegisters.size;
    if (this.#own !== undefined) this.#code.emit(Op.OwnStart, 0, this.#own);
    yield* this.#outermost();
    this.#code.emit(Op.End, 0);
    yield;
    const { positionOf } = this.#code.layOut(code, origins);
    for (const { table, entries } of this.#pendingTables) {
      for (const [value, labels] of entries) table.set(value, labels.map(positionOf));
    }
    const weight = Math.max(1, this.#code.size >> 2);
    return { entry, registers: this.#registerCount, cleared, params: this.#params.length, weight };
  }

  #register(local: number): number {
    const constant = this.#constants.get(local);
    // A constant stands in the instruction itself, except where that wants a register.
    if (constant !== undefined && !this.#ownRegisters.has(local)) {
      const register = this.#temporaries(1);
      this.#code.emit(Op.Move, 0, register, constant);
      return register;
    }
    if (this.#uses.shared.has(local)) return this.#sharedRegisters.get(local)!;
    let register = this.#ownRegisters.get(local);
    if (register === undefined) this.#ownRegisters.set(local, (register = this.#temporaries(1)));
    return register;
  }

  #temporaries(count: number): number {
    const first = this.#nextRegister;
    this.#nextRegister += count;
    this.#registerCount = Math.max(this.#registerCount, this.#nextRegister);
    return first;
  }

  #operand(operand: Operand): number {
    switch (operand.type) {
      case 'local':
        return this.#constants.get(operand.value) ?? this.#register(operand.value);
      case 'bool':
        return -1 - this.#pool.constant(operand.value);
      case 'string_index':
        return -1 - this.#pool.constant(this.#pool.string(operand.value));
    }
  }

  /** The outermost blocks one after the other; runs of rules that differ in a constant are dispatched by it. */
  *#outermost(): Steps {
    const runs = findDispatch(this.#blocks, this.#params, this.#uses, (index) => this.#pool.string(index));
    const iterators = runs.map(() => this.#temporaries(3));
    this.#registerCount = Math.max(this.#registerCount, this.#nextRegister);
    const first = this.#nextRegister;
    let at = 0;
    for (const [i, run] of [...runs, undefined].entries()) {
      for (const end = run?.start ?? this.#blocks.length; at < end; at++) {
        this.#outermostBlock(at, first);
        if (at % blocksOfStep === 0) yield;
      }
      if (run === undefined) break;
      this.#dispatch(run, iterators[i]!, first);
      at = run.end;
      yield;
    }
  }

  #outermostBlock(index: number, firstRegister: number): void {
    this.#uses.enter(index);
    this.#nextRegister = firstRegister;
    this.#ownRegisters = new Map();
    this.#paths = new Map();
    this.#available = new Map();
    this.#hoisted = new Map();
    this.#constants = new Map();
    this.#ofData = new Set();
    const block = this.#blocks[index]!;
    const next = this.#code.label();
    const exit = endsWithConstant(block, this.#uses) ? next : undefined;
    this.#block(block, [{ cutShort: next, withs: 0, exit }]);
    this.#code.place(next);
  }

  /** Units of blocks that begin by comparing one value with a constant: only those whose constant it is are run. */
  #dispatch({ root, path, units }: Run, iterator: number, firstRegister: number): void {
    const origin = this.#pool.place(this.#blocks[units[0]!.start]!.stmts[0]!);
    const end = this.#code.label();
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
      for (let i = unit.start; i < unit.end; i++) this.#outermostBlock(i, firstRegister);
      this.#code.emit(Op.Jump, origin, next);
    }
    this.#code.place(end);
    this.#pendingTables.push({ table, entries });
  }

  /** The blocks of a statement one after the other, whatever becomes of each. */
  #sequence(blocks: readonly Block[], enclosing: readonly Enclosing[], exit: Label | undefined): void {
    const { withs } = enclosing.at(-1)!;
    blocks.forEach((block, i) => {
      const next = this.#code.label();
      this.#block(block, [...enclosing, { cutShort: next, withs, exit: i === blocks.length - 1 ? exit : undefined }]);
      this.#code.place(next);
    });
  }

  /** `enclosing` ends with the block itself. What is looked up inside is known to later statements of the block only. */
  #block(block: Block, enclosing: readonly Enclosing[]): void {
    const before = this.#available;
    this.#available = new Map(before);
    // What is changed where it was found must not be a constant.
    if (this.#isFresh) {
      const { values, done } = constantsOf(block, this.#uses, (index) => this.#pool.string(index));
      for (const [local, value] of values) this.#constants.set(local, -1 - this.#pool.constant(value));
      for (const stmt of done) this.#done.add(stmt);
    }
    const last = block.stmts.length - 1;
    block.stmts.forEach((stmt, i) => {
      if (this.#done.delete(stmt)) return;
      if (this.#own !== undefined) this.#disown(stmt, this.#own);
      if (stmt.type === 'CallStmt' && this.#comparison(stmt, block.stmts[i + 1], enclosing)) this.#done.add(block.stmts[i + 1]!);
      else this.#stmt(stmt, block, enclosing, i === last ? enclosing.at(-1)!.exit : undefined);
    });
    this.#available = before;
  }

  /** Before a statement: what it changes must be the function's own, what it gives away is so no more. */
  #disown(stmt: Stmt, own: number): void {
    const origin = this.#pool.place(stmt);
    for (const local of effectsOf(stmt).mutates)
      this.#code.emit(Op.CopyUnlessOwn, origin, own, this.#register(local), this.#anyKeys.has(local) ? 1 : 0);
    for (const local of givenAway(stmt)) if (!this.#roots.has(local)) this.#code.emit(Op.GiveAway, origin, own, this.#register(local));
  }

  /** After a statement that made something. */
  #takeOwn(emit: Emit, local: number): void {
    if (this.#own !== undefined) emit(Op.Own, this.#own, this.#register(local), this.#anyKeys.has(local) ? 1 : 0);
  }

  #isChanged(local: number): boolean {
    return this.#uses.of(local).mutations > 0;
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

  /** `exit` is where to go once a statement has assigned a constant, where it is the last of its block. */
  #stmt(node: Stmt, block: Block, enclosing: readonly Enclosing[], exit: Label | undefined): void {
    const origin = this.#pool.place(node);
    const { cutShort } = enclosing.at(-1)!;
    const emit: Emit = (op, ...fields) => this.#code.emit(op, origin, ...fields);
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
        emit(Op.MakeArray, this.#register(stmt.target));
        return this.#takeOwn(emit, stmt.target);
      case 'MakeObjectStmt':
        emit(this.#anyKeys.has(stmt.target) ? Op.MakeAnyObject : Op.MakeObject, this.#register(stmt.target));
        return this.#takeOwn(emit, stmt.target);
      case 'MakeSetStmt':
        emit(Op.MakeSet, this.#register(stmt.target));
        return this.#takeOwn(emit, stmt.target);
      case 'ResetLocalStmt':
        if (this.#uses.isRead(stmt.target)) emit(Op.Reset, this.#register(stmt.target));
        return;
      case 'AssignVarStmt':
        return this.#assignVar(emit, node, block);
      case 'AssignVarOnceStmt':
        emit(Op.MoveOnce, this.#register(stmt.target), this.#operand(stmt.source));
        if (exit !== undefined && stmt.source.type !== 'local') emit(Op.Jump, exit);
        return;
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
        emit(Op.ObjectMerge, this.#register(stmt.target), this.#register(stmt.a), this.#register(stmt.b), cutShort);
        return this.#takeOwn(emit, stmt.target);
      case 'DotStmt':
        return this.#dot(emit, stmt, cutShort);
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
        return this.#return(emit, origin, stmt.source, enclosing.at(-1)!.withs);
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
        return this.#sequence(stmt.blocks ?? [], enclosing, exit);
      case 'NotStmt':
        return this.#not(origin, stmt.block, enclosing);
      case 'ScanStmt':
        return this.#scan(origin, node, enclosing, exit);
      case 'WithStmt':
        return this.#with(origin, node, enclosing);
    }
  }

  #assign(emit: Emit, target: number, value: Value): void {
    emit(Op.Move, this.#register(target), -1 - this.#pool.constant(value));
  }

  #assignVar(emit: Emit, node: Stmt & { type: 'AssignVarStmt' }, block: Block): void {
    const { source, target } = node.stmt;
    if (!this.#uses.isRead(target)) return;
    if (source.type === 'local') this.#follow(source.value, target);
    if (source.type === 'local' && this.#copies(node, target, source.value, block)) {
      this.#ownRegisters.set(target, this.#register(source.value));
      const path = this.#pathOf(source.value);
      if (path !== undefined) this.#paths.set(target, path);
      return;
    }
    emit(Op.Move, this.#register(target), this.#operand(source));
  }

  /** Whether a local is nothing but another name of a local that keeps its value for as long as this one is read. */
  #copies(node: Stmt, target: number, source: number, block: Block): boolean {
    if (!this.#isConstant(target) || this.#ownRegisters.has(target) || this.#isChanged(target) || this.#isChanged(source)) return false;
    const keeps = this.#roots.has(source) || (this.#isConstant(source) && this.#uses.writtenBefore(source, node));
    return keeps && this.#uses.readOnlyAfter(target, node, block);
  }

  /** Whether a local is assigned in one place only, and means nothing outside of the current outermost block. */
  #isConstant(local: number): boolean {
    return this.#uses.isConstant(local);
  }

  /** The path below a parameter that a local is known to hold, as a text. */
  #pathOf(local: number): string | undefined {
    return this.#roots.has(local) ? `${local}/` : this.#paths.get(local);
  }

  /** Whether a local holds a part of the base documents, which outlast the evaluation. */
  #isData(local: number): boolean {
    return this.#ofData.has(local) || (local === this.#params[1] && this.#roots.has(local));
  }

  /** Locals that may hold what this function made. */
  #mayBeOwn(): ReadonlySet<number> {
    return (this.#ownLocals ??= ownLocals(this.#blocks, true));
  }

  #follow(source: number, target: number): void {
    if (this.#isData(source) && this.#isConstant(target)) this.#ofData.add(target);
  }

  #dot(emit: Emit, { source, key, target }: (Stmt & { type: 'DotStmt' })['stmt'], cutShort: Label): void {
    if (source.type === 'local') this.#follow(source.value, target);
    // `__proto__` is the one name that a plain property look-up gets wrong without looking like it.
    if (key.type !== 'string_index' || this.#pool.string(key.value) === '__proto__') {
      return emit(Op.Dot, this.#register(target), this.#operand(source), this.#operand(key), cutShort);
    }
    const name = this.#pool.string(key.value);
    const above = source.type === 'local' ? this.#pathOf(source.value) : undefined;
    if (above === undefined || !this.#isConstant(target) || this.#isChanged(target)) {
      return emit(Op.DotConst, this.#register(target), this.#operand(source), this.#pool.constant(name), cutShort);
    }
    const path = below(above, name);
    this.#paths.set(target, path);
    const known = this.#available.get(path);
    if (known === undefined) {
      emit(Op.DotConst, this.#register(target), this.#operand(source), this.#pool.constant(name), cutShort);
      this.#available.set(path, { register: this.#register(target), ahead: false });
      return;
    }
    this.#ownRegisters.set(target, known.register);
    if (!known.ahead) return;
    emit(Op.IsDefined, known.register, cutShort);
    this.#available.set(path, { register: known.register, ahead: false });
  }

  /** Looks up, before a loop, what its rounds would each look up below parameters. */
  #hoist(origin: number, scan: Stmt & { type: 'ScanStmt' }): void {
    if (this.#searched.has(scan)) return;
    this.#searched.add(scan);
    for (const node of scan.stmt.block?.stmts ?? []) {
      if (node.type === 'ScanStmt') this.#hoist(origin, node);
      if (node.type !== 'DotStmt') continue;
      const { source, key, target } = node.stmt;
      if (source.type !== 'local' || key.type !== 'string_index' || !this.#isConstant(target) || this.#isChanged(target)) continue;
      const above = this.#pathOf(source.value);
      const name = this.#pool.string(key.value);
      if (above === undefined || name === '__proto__') continue;
      const path = below(above, name);
      this.#paths.set(target, path);
      let known = this.#available.get(path);
      if (known === undefined) {
        const from = this.#available.get(above)?.register ?? this.#register(source.value);
        known = { register: this.#temporaries(1), ahead: true };
        this.#code.emit(Op.DotAhead, origin, known.register, from, this.#pool.constant(name));
        this.#available.set(path, known);
      }
      this.#hoisted.set(target, known.register);
    }
  }

  #equality(emit: Emit, op: Opcode, constOp: Opcode, left: Operand, right: Operand, cutShort: Label): void {
    const a = this.#operand(left);
    const b = this.#operand(right);
    // Numbers have more than one form, so only other scalars are compared by identity.
    if (a >= 0 && b < 0 && this.#pool.isPlainScalar(-1 - b)) emit(constOp, a, -1 - b, cutShort);
    else if (b >= 0 && a < 0 && this.#pool.isPlainScalar(-1 - a)) emit(constOp, b, -1 - a, cutShort);
    else emit(op, a, b, cutShort);
  }

  #call(emit: Emit, name: string, args: readonly Operand[], target: number, cutShort: Label): void {
    const constant = this.#pool.constantFunctions.get(name);
    if (constant !== undefined) {
      if (this.#isFresh && this.#isConstant(target)) this.#constants.set(target, -1 - constant);
      else emit(Op.Move, this.#register(target), -1 - constant);
      return;
    }
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

  #return(emit: Emit, origin: number, source: number, withs: number): void {
    if (withs === 0) return emit(Op.Return, this.#register(source));
    // It may be the very local that a `with` puts back.
    const value = this.#temporaries(1);
    emit(Op.Move, value, this.#register(source));
    this.#leaveWiths(origin, withs, 0);
    emit(Op.Return, value);
  }

  #leaveWiths(origin: number, from: number, to: number): void {
    for (let i = from; i > to; i--) this.#code.emit(Op.WithPop, origin);
  }

  #not(origin: number, block: Block | null, enclosing: readonly Enclosing[]): void {
    const { cutShort, withs } = enclosing.at(-1)!;
    const goOn = this.#code.label();
    if (block !== null) this.#block(block, [...enclosing, { cutShort: goOn, withs, exit: undefined }]);
    this.#code.emit(Op.Jump, origin, cutShort);
    this.#code.place(goOn);
  }

  #scan(origin: number, node: Stmt & { type: 'ScanStmt' }, enclosing: readonly Enclosing[], exit: Label | undefined): void {
    const { source, key, value, block } = node.stmt;
    const { cutShort, withs } = enclosing.at(-1)!;
    const iterator = this.#temporaries(3);
    const next = this.#code.label();
    const end = this.#code.label();
    const copied = block !== null && appends(block) && this.#mayBeOwn().has(source) ? 1 : 0;
    this.#code.emit(Op.ScanStart, origin, iterator, this.#register(source), cutShort, copied);
    this.#hoist(origin, node);
    this.#follow(source, value);
    // Elements that may change in the array cannot be found by what they once were.
    const mayMatch = this.#isFresh || !this.#mayBeOwn().has(source);
    const match = mayMatch ? matchableScan(node, this.#uses, (index) => this.#pool.string(index), this.#hoisted) : undefined;
    if (match !== undefined) {
      const hoisted = match.wanted.type === 'local' ? this.#hoisted.get(match.wanted.value) : undefined;
      const lasting = this.#isData(source) ? 1 : 0;
      this.#code.emit(Op.ScanIndexed, origin, iterator, this.#pool.path(match.path), hoisted ?? this.#operand(match.wanted), lasting);
    }
    this.#code.place(next);
    const weight = Math.max(1, block === null ? 0 : block.stmts.length >> 1);
    this.#code.emit(Op.ScanNext, origin, iterator, this.#register(key), this.#register(value), end, weight);
    if (block !== null) this.#block(block, [...enclosing, { cutShort: next, withs, exit }]);
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
    if (block !== null) this.#block(block, [...enclosing, { cutShort: undo, withs: withs + 1, exit: undefined }]);
    this.#code.emit(Op.WithPop, origin);
    this.#code.emit(Op.Jump, origin, goOn);
    this.#code.place(undo);
    this.#code.emit(Op.WithPop, origin);
    this.#code.emit(Op.Jump, origin, cutShort);
    this.#code.place(goOn);
  }
}

/** The text for a path one step down. */
function below(path: string, key: string): string {
  return `${path}${segmentKey(key)}`;
}
