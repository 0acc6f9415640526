/**
 * The one evaluation of plans statement by statement, as docs/plan.md says, without registers,
 * jumps or shortcuts. Calls and blocks are entries of stacks of its own: so it can stop between two
 * statements, its state can be read there, saved, and restored.
 */

import type { Block, DotStmt, Func, Operand, Stmt } from '../../ir-schema/index.js';
import { isTextKey, knownConstant, ownConflictAt } from '../../ir-schema/index.js';
import type { Builtin, Value } from '../../values/index.js';
import {
  equal,
  HaltError,
  isArray,
  isObject,
  isSet,
  lookup,
  numberFromText,
  RegoObject,
  RegoSet,
} from '../../values/index.js';
import { callAny } from '../evaluation/builtin-calls.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import { type LinkedBuiltin, linkedBuiltin } from '../evaluation/linked-builtin.js';
import { baseAt } from '../operations/base-lookup.js';
import { conflict, raised, tooDeep } from './located.js';
import { MachineFrame, MachineLevel, type StackLocal } from './machine-stack.js';
import { Growth, type MachineState, restoredLevel, savedLevel } from './machine-state.js';
import type { InterpretOptions, PlanTables, ReadLocals } from './plan-tables.js';
import { tracedPath } from './plan-trace.js';
import { entriesOf, merged, planElements, planLength } from './plan-values.js';

/** The first locals are input and data. */
const documents = 2;

/** Fields that are the number of a local to read. */
const sources: ReadonlySet<string> = new Set(['source', 'array', 'set', 'object', 'a', 'b', 'value']);

/**
 * How a statement or block ended: 0 at its end, n > 0 with n blocks cut short, -1 by a return. A
 * statement whose block or call has begun has not ended.
 */
type Outcome = number;
const done = 0;
const cut = 1;
const returned = -1;
const entered = -2;

const noStatements: readonly Stmt[] = [];
const noBlocks: readonly Block[] = [];

export class PlanMachine {
  readonly #tables: PlanTables;
  readonly #strings: readonly string[];
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #linked = new Map<string, LinkedBuiltin>();
  readonly #evaluation: Evaluation;
  readonly #options: InterpretOptions;
  #frames: MachineFrame[] = [];
  /** Entries above the top are used again. */
  #levels: MachineLevel[] = [];
  #top = -1;
  /** How the last statement of the innermost block ended. */
  #outcome: Outcome = done;
  #memo = new Map<string, StackLocal>();
  #results = new RegoSet();
  /** The members of the result set in the order in which they were found. */
  #solutions: Value[] = [];
  #moves = 0;
  /** Undefined where no state is saved. */
  readonly #growth: Growth | undefined;

  constructor(
    tables: PlanTables,
    builtins: ReadonlyMap<string, Builtin>,
    evaluation: Evaluation,
    options: InterpretOptions = {},
  ) {
    this.#tables = tables;
    this.#options = options;
    this.#builtins = builtins;
    this.#evaluation = evaluation;
    this.#strings = tables.strings;
    this.#functions = tables.functions;
    this.#growth = options.saves === true ? new Growth() : undefined;
  }

  /** Stands before the first block of a plan. */
  begin(name: string, input: StackLocal, data: StackLocal): void {
    const plan = this.#tables.plans.get(name)!;
    const lookups = this.#tables.lookupsOf(plan, 1);
    const base = this.#top + 1;
    const call = { owner: plan, func: undefined, params: documents, lookups, base, result: -1, started: 0 };
    const frame = new MachineFrame(call, [input, data]);
    this.#options.tracer?.enter(name, []);
    this.#options.observer?.enter?.(plan, frame);
    this.#pushFrame(frame);
  }

  run(): void {
    while (this.#top >= 0) this.move();
  }

  /** The result set so far, equal objects once. */
  get results(): readonly Value[] {
    return this.#solutions;
  }

  /** The moves so far. The same plan with the same answers of built-ins makes the same moves. */
  get moves(): number {
    return this.#moves;
  }

  get isDone(): boolean {
    return this.#top < 0;
  }

  /** The calls, outermost first. */
  get frames(): readonly MachineFrame[] {
    return this.#frames;
  }

  /** The blocks that are being evaluated, outermost first. */
  get levels(): readonly MachineLevel[] {
    return this.#levels.slice(0, this.#top + 1);
  }

  /** The statement that the next move begins; undefined where it ends a block. */
  get next(): Stmt | undefined {
    const level = this.#levels[this.#top];
    return this.#outcome === done ? level?.stmts[level.position] : undefined;
  }

  /** Whether the last statement has failed, and the next move leaves its block for that. */
  get hasFailed(): boolean {
    return this.#outcome === cut;
  }

  /** The number of calls. */
  get depth(): number {
    return this.#frames.length;
  }

  /** The innermost call. */
  get frame(): MachineFrame | undefined {
    return this.#frames.at(-1);
  }

  /** Results of rules that are remembered in the current scope of `with`. */
  get memo(): ReadonlyMap<string, Value | undefined> {
    return this.#memo;
  }

  /** The state between two moves. Only where the options say that states are saved. */
  save(): MachineState {
    const growth = this.#growth!;
    return {
      moves: this.#moves,
      outcome: this.#outcome,
      solutions: this.#solutions,
      found: this.#solutions.length,
      memo: new Map(this.#memo),
      frames: this.#frames.map((frame) => growth.save(frame)),
      levels: this.levels.map(savedLevel),
    };
  }

  /** Goes back, or forward, to a state of the same evaluation. */
  restore(state: MachineState): void {
    this.#moves = state.moves;
    this.#outcome = state.outcome;
    this.#solutions = state.solutions.slice(0, state.found);
    this.#results = new RegoSet(this.#solutions);
    this.#memo = new Map(state.memo);
    const frames = new Map(state.frames.map((saved) => [saved.frame, this.#growth!.restored(saved)]));
    this.#frames = [...frames.values()];
    this.#levels = state.levels.map((saved) => restoredLevel(saved, frames.get(saved.level.frame)!));
    this.#top = this.#levels.length - 1;
  }

  /**
   * Evaluates a statement up to its end or to the beginning of its block or call, or ends a block.
   * An error changes nothing: the same move can be made again.
   */
  move(): void {
    const level = this.#levels[this.#top]!;
    if (this.#outcome === done && level.position < level.stmts.length) this.#execute(level);
    else this.#end(level);
    this.#moves++;
  }

  #execute(level: MachineLevel): void {
    const stmt = level.stmts[level.position]!;
    const { meter } = this.#evaluation;
    if (--meter.left < 0) meter.refill();
    this.#options.observer?.before(stmt, level.frame);
    if (stmt.type === 'AssignVarOnceStmt') {
      const text = ownConflictAt(level, level.position);
      if (text !== undefined) throw raised(this.#strings[text]!);
    }
    const outcome = this.#stmt(stmt, level.frame);
    if (outcome !== entered) this.#finish(level, outcome, outcome === cut && stmt.type !== 'BreakStmt');
  }

  /**
   * The statement at the position of a level has ended.
   * @param hasFailed whether it is the cause, and not a statement inside it, that its block ends
   */
  #finish(level: MachineLevel, outcome: Outcome, hasFailed: boolean): void {
    this.#outcome = outcome;
    const { observer, tracer } = this.#options;
    if (outcome === done) {
      if (observer !== undefined) observer.passed(level.stmts[level.position]!, level.frame);
      level.position++;
      return;
    }
    if (observer === undefined && tracer === undefined) return;
    const stmt = level.stmts[level.position]!;
    observer?.ended?.(stmt, hasFailed ? 'failed' : 'left');
    if (hasFailed) tracer?.fail(stmt, this.operands(stmt, level.frame));
  }

  /** The innermost block has ended: goes on with the next block or element, or ends its holder. */
  #end(level: MachineLevel): void {
    const outcome = this.#outcome;
    const isWithin = outcome === done || outcome === cut;
    const { holder, frame } = level;
    switch (holder?.type) {
      case undefined:
        if ((outcome !== returned || frame.func === undefined) && level.next < level.blocks.length)
          this.#nextBlock(level);
        else this.#endCall(frame);
        return;
      case 'BlockStmt':
        if (isWithin && level.next < level.blocks.length) this.#nextBlock(level);
        else this.#pop(isWithin ? done : outer(outcome));
        return;
      case 'NotStmt':
        this.#pop(outcome === done ? cut : outcome === cut ? done : outer(outcome), outcome === done);
        return;
      case 'ScanStmt':
        if (isWithin && level.next < level.elements.length)
          this.#nextElement(level, holder.stmt.key, holder.stmt.value);
        else this.#pop(isWithin ? done : outer(outcome));
        return;
      case 'WithStmt':
        this.#memo = level.memo!;
        frame.locals[holder.stmt.local] = level.replaced;
        this.#pop(outcome > cut ? outer(outcome) : outcome);
    }
  }

  #nextBlock(level: MachineLevel): void {
    level.stmts = level.blocks[level.next++]!.stmts;
    level.position = 0;
    this.#outcome = done;
  }

  #nextElement(level: MachineLevel, key: number, value: number): void {
    const { locals } = level.frame;
    const at = level.next++;
    locals[key] = level.keys === undefined ? at : level.keys[at];
    locals[value] = level.elements[at];
    level.position = 0;
    this.#outcome = done;
  }

  #push(holder: Stmt | undefined, frame: MachineFrame, blocks: readonly Block[], stmts: readonly Stmt[]): MachineLevel {
    const level = (this.#levels[++this.#top] ??= new MachineLevel());
    level.begin(holder, frame, blocks, stmts, this.#moves);
    this.#outcome = done;
    return level;
  }

  #pop(outcome: Outcome, hasFailed = false): void {
    this.#levels[this.#top--]!.drop();
    this.#finish(this.#levels[this.#top]!, outcome, hasFailed);
  }

  #pushFrame(frame: MachineFrame): void {
    this.#frames.push(frame);
    this.#push(undefined, frame, frame.owner.blocks ?? noBlocks, noStatements);
  }

  #endCall(frame: MachineFrame): void {
    const { tracer, observer } = this.#options;
    const isPlan = frame.func === undefined;
    const [solution] = isPlan ? this.#results : [];
    const value = isPlan ? solution : frame.returned;
    tracer?.exit(value);
    observer?.exit?.(frame.owner, value);
    this.#levels[this.#top--]!.drop();
    this.#frames.pop();
    this.#outcome = done;
    if (isPlan) return;
    if (frame.params === documents) this.#memo.set(frame.owner.name, value);
    const level = this.#levels[this.#top]!;
    const outcome = assign(level.frame, frame.result, value);
    this.#finish(level, outcome, outcome === cut);
  }

  #isBaseLookup({ source, key }: DotStmt, { lookups }: MachineFrame): boolean {
    return source.type === 'local' && lookups.has(source.value) && isTextKey(key, this.#tables.stringAt);
  }

  #enter(func: Func, args: StackLocal[], caller: MachineFrame, result: number): Outcome {
    if (args.length === documents && this.#memo.has(func.name))
      return assign(caller, result, this.#memo.get(func.name));
    const { tracer, observer, copies } = this.#options;
    if (tracer === undefined && copies !== true) {
      const constant = knownConstant(func);
      if (constant !== undefined) return assign(caller, result, constant);
    }
    if (this.#frames.length > this.#evaluation.callDepth) throw tooDeep(this.#evaluation.callDepth);
    const params = func.params ?? [];
    const locals: StackLocal[] = [];
    for (let i = 0; i < params.length; i++) locals[params[i]!] = args[i];
    const lookups = this.#tables.lookupsOf(func, params[1]);
    const base = this.#top + 1;
    const frame = new MachineFrame(
      { owner: func, func, params: args.length, lookups, base, result, started: this.#moves },
      locals,
    );
    tracer?.enter(func.name, tracedPath(func));
    observer?.enter?.(func, frame);
    this.#pushFrame(frame);
    return entered;
  }

  #stmt(node: Stmt, frame: MachineFrame): Outcome {
    const { type, stmt } = node;
    const { locals } = frame;
    switch (type) {
      case 'NopStmt':
        return done;
      case 'MakeNullStmt':
        return assign(frame, stmt.target, null);
      case 'MakeNumberIntStmt':
      case 'AssignIntStmt':
        return assign(frame, stmt.target, stmt.value);
      case 'MakeNumberRefStmt':
        return assign(frame, stmt.target, numberFromText(this.#strings[stmt.index]!));
      case 'MakeArrayStmt':
        return make(frame, stmt.target, []);
      case 'MakeObjectStmt':
        return make(frame, stmt.target, new RegoObject());
      case 'MakeSetStmt':
        return make(frame, stmt.target, new RegoSet());
      case 'ResetLocalStmt':
        locals[stmt.target] = undefined;
        return done;
      case 'AssignVarStmt':
        locals[stmt.target] = this.#value(stmt.source, frame);
        return done;
      case 'AssignVarOnceStmt': {
        const value = this.#value(stmt.source, frame);
        const old = locals[stmt.target];
        if (value === undefined) return done;
        if (old !== undefined && !equal(old, value)) throw conflict(frame.params);
        return old === undefined ? assign(frame, stmt.target, value) : done;
      }
      case 'ArrayAppendStmt': {
        this.#toMutate(stmt.array, frame);
        const array = locals[stmt.array];
        const value = this.#value(stmt.value, frame);
        if (value === undefined || array === undefined || !isArray(array)) return cut;
        (array as Value[]).push(value);
        return done;
      }
      case 'SetAddStmt': {
        this.#toMutate(stmt.set, frame);
        this.#escapes(stmt.value, frame);
        const set = locals[stmt.set];
        const value = this.#value(stmt.value, frame);
        if (value === undefined || set === undefined || !isSet(set)) return cut;
        const { size } = set;
        set.add(value);
        if (this.#growth !== undefined && set.size !== size) this.#growth.added(set, value);
        return done;
      }
      case 'ObjectInsertStmt':
      case 'ObjectInsertOnceStmt': {
        this.#toMutate(stmt.object, frame);
        this.#escapes(stmt.key, frame);
        const object = locals[stmt.object];
        const key = this.#value(stmt.key, frame);
        const value = this.#value(stmt.value, frame);
        if (key === undefined || value === undefined || !(object instanceof RegoObject)) return cut;
        const old = object.get(key);
        if (type === 'ObjectInsertOnceStmt' && old !== undefined && !equal(old, value))
          throw new HaltError('eval_conflict_error', 'object keys must be unique');
        (old === undefined ? object : this.#overwritable(object, stmt.object, frame)).set(key, value);
        return done;
      }
      case 'ObjectMergeStmt': {
        const a = locals[stmt.a];
        const b = locals[stmt.b];
        disown(a, frame.own);
        disown(b, frame.own);
        if (a === undefined || b === undefined || !isObject(a) || !isObject(b)) return cut;
        this.#count(a);
        this.#count(b);
        return make(frame, stmt.target, merged(a, b));
      }
      case 'DotStmt': {
        const source = this.#value(stmt.source, frame);
        const key = this.#value(stmt.key, frame);
        return source === undefined || key === undefined
          ? cut
          : assign(frame, stmt.target, this.#isBaseLookup(stmt, frame) ? baseAt(source, key) : lookup(source, key));
      }
      case 'EqualStmt':
      case 'NotEqualStmt': {
        const a = this.#value(stmt.a, frame);
        const b = this.#value(stmt.b, frame);
        return a !== undefined && b !== undefined && equal(a, b) === (type === 'EqualStmt') ? done : cut;
      }
      case 'IsArrayStmt':
        return is(isArray, this.#value(stmt.source, frame));
      case 'IsObjectStmt':
        return is(isObject, this.#value(stmt.source, frame));
      case 'IsSetStmt':
        return is(isSet, this.#value(stmt.source, frame));
      case 'IsDefinedStmt':
        return locals[stmt.source] === undefined ? cut : done;
      case 'IsUndefinedStmt':
        return locals[stmt.source] === undefined ? done : cut;
      case 'LenStmt':
        return assign(frame, stmt.target, planLength(this.#value(stmt.source, frame)));
      case 'ReturnLocalStmt':
        frame.returned = locals[stmt.source];
        return returned;
      case 'ResultSetAddStmt': {
        const value = locals[stmt.value];
        disown(value, frame.own);
        if (value === undefined) return cut;
        const { size } = this.#results;
        if (this.#results.add(value).size !== size) this.#solutions.push(value);
        return done;
      }
      case 'BreakStmt':
        return stmt.index + 1;
      case 'CallStmt': {
        const args: StackLocal[] = [];
        for (const operand of stmt.args ?? []) {
          this.#escapes(operand, frame);
          args.push(this.#value(operand, frame));
        }
        const func = this.#functions.get(stmt.func);
        return func === undefined
          ? assign(frame, stmt.result, this.#callBuiltin(stmt, args))
          : this.#enter(func, args, frame, stmt.result);
      }
      case 'CallDynamicStmt': {
        const args: StackLocal[] = [];
        for (const local of stmt.args ?? []) {
          disown(locals[local], frame.own);
          args.push(locals[local]);
        }
        const path = (stmt.path ?? []).map((operand) => this.#value(operand, frame));
        this.#evaluation.tick(this.#functions.size);
        const func = this.#visibleFrom(frame).find((one) => samePath(one.path, path));
        return func === undefined || func.params?.length !== args.length
          ? cut
          : this.#enter(func, args, frame, stmt.result);
      }
      case 'BlockStmt':
        this.#push(node, frame, stmt.blocks ?? noBlocks, noStatements);
        return entered;
      case 'NotStmt':
        this.#push(node, frame, noBlocks, stmt.block?.stmts ?? noStatements);
        return entered;
      case 'ScanStmt': {
        const source = this.#value(stmt.source, frame);
        this.#count(source);
        const found = planElements(source);
        if (found === undefined) return cut;
        const { elements, keys } = found;
        if (elements.length === 0) return done;
        const level = this.#push(node, frame, noBlocks, stmt.block?.stmts ?? noStatements);
        level.elements = elements;
        level.keys = keys;
        this.#nextElement(level, stmt.key, stmt.value);
        return entered;
      }
      case 'WithStmt': {
        this.#escapes(stmt.value, frame);
        const old = locals[stmt.local];
        disown(old, frame.own);
        const path = (stmt.path ?? []).map((index) => this.#strings[index]!);
        const value = this.#replaced(old, path, this.#value(stmt.value, frame));
        const level = this.#push(node, frame, noBlocks, stmt.block?.stmts ?? noStatements);
        level.replaced = old;
        level.memo = this.#memo;
        locals[stmt.local] = value;
        this.#memo = new Map();
        return entered;
      }
    }
  }

  #value(operand: Operand | number, frame: ReadLocals): StackLocal {
    if (typeof operand === 'number') return frame.get(operand);
    if (operand.type === 'local') return frame.get(operand.value);
    return operand.type === 'bool' ? operand.value : this.#strings[operand.value]!;
  }

  /** A collection that is mutated must be the function's own, or is copied first. */
  #toMutate(local: number, { locals, own }: MachineFrame): void {
    const value = locals[local];
    if (value === undefined || (!isArray(value) && !isSet(value) && !isObject(value))) return;
    if (own.has(value) && this.#options.copies !== true) return;
    this.#count(value);
    const copy = isArray(value) ? [...value] : isSet(value) ? new RegoSet(value) : new RegoObject(entriesOf(value));
    own.add(copy);
    locals[local] = copy;
    this.#options.onCopy?.();
  }

  /** An object whose keys may get other values: a state must not see that. */
  #overwritable(object: RegoObject, local: number, { locals, own }: MachineFrame): RegoObject {
    if (this.#growth?.isSaved(object) !== true) return object;
    const copy = new RegoObject(entriesOf(object));
    own.add(copy);
    locals[local] = copy;
    return copy;
  }

  /** A value that others see from now on is the function's own no more. */
  #escapes(operand: Operand, { locals, own }: MachineFrame): void {
    if (operand.type === 'local') disown(locals[operand.value], own);
  }

  /**
   * The defined operands of a statement, by their names in the format. Input and data as a whole
   * say nothing.
   */
  operands({ stmt }: Stmt, frame: ReadLocals): ReadonlyMap<string, Value> {
    const found = new Map<string, Value>();
    const add = (name: string, operand: unknown): void => {
      if (typeof operand !== 'object' || operand === null || !('type' in operand)) return;
      const { type, value: local } = operand as Operand;
      const value = type === 'local' && local < documents ? undefined : this.#value(operand as Operand, frame);
      if (value !== undefined) found.set(name, value);
    };
    for (const [name, field] of Object.entries(stmt)) {
      if (Array.isArray(field)) for (const [i, item] of field.entries()) add(`${name}[${i}]`, item);
      else if (typeof field === 'number' && sources.has(name)) {
        const value = frame.get(field);
        if (value !== undefined) found.set(name, value);
      } else add(name, field);
    }
    return found;
  }

  /** A document with another value at a path. */
  #replaced(document: StackLocal, [key, ...rest]: readonly string[], value: StackLocal): StackLocal {
    if (key === undefined) return value;
    this.#count(document);
    const entries = document !== undefined && isObject(document) ? entriesOf(document) : [];
    const inner = this.#replaced(entries.find(([name]) => name === key)?.[1], rest, value);
    const others = entries.filter(([name]) => name !== key);
    return new RegoObject(inner === undefined ? others : [...others, [key, inner]]);
  }

  /** Counts the members of a collection as work: all of them are copied next. */
  #count(value: StackLocal): void {
    if (typeof value === 'object') this.#evaluation.tick(planLength(value) ?? 0);
  }

  /** Functions that a dynamic call can find. */
  #visibleFrom({ func }: MachineFrame): readonly Func[] {
    const all = [...this.#functions.values()];
    return this.#options.calleesFirst === true && func !== undefined ? all.slice(0, all.indexOf(func)) : all;
  }

  #callBuiltin(
    { func: name, file, row }: (Stmt & { readonly type: 'CallStmt' })['stmt'],
    args: readonly StackLocal[],
  ): StackLocal {
    if (!args.every((value) => value !== undefined)) return undefined;
    let linked = this.#linked.get(name);
    if (linked === undefined) this.#linked.set(name, (linked = linkedBuiltin(this.#builtins.get(name)!)));
    const place = linked.fixed > args.length ? this.#tables.files[file] : undefined;
    const operands = (place ? [...args, `${place}:${row}`] : args) as readonly Value[];
    return callAny(linked, operands, this.#evaluation);
  }
}

/** Removes a value, and the function's own values in it, from the function's own values. */
function disown(value: StackLocal, own: WeakSet<object>): void {
  if (typeof value !== 'object' || value === null || !own.delete(value)) return;
  if (isArray(value)) for (const element of value) disown(element, own);
  else if (isObject(value)) for (const [, inner] of entriesOf(value)) disown(inner, own);
}

function assign({ locals }: MachineFrame, target: number, value: StackLocal): Outcome {
  if (value === undefined) return cut;
  locals[target] = value;
  return done;
}

/** Assigns a new value, which is the function's own. */
function make(frame: MachineFrame, target: number, value: Value & object): Outcome {
  frame.own.add(value);
  return assign(frame, target, value);
}

/** The outcome of an inner block, as the enclosing block sees it. */
function outer(outcome: Outcome): Outcome {
  return outcome === returned ? returned : outcome - 1;
}

function is(test: (value: Value) => boolean, value: StackLocal): Outcome {
  return value !== undefined && test(value) ? done : cut;
}

function samePath(path: readonly string[] | undefined, wanted: readonly StackLocal[]): boolean {
  return path !== undefined && path.length === wanted.length && path.every((key, i) => key === wanted[i]);
}
