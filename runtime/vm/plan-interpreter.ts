/**
 * Plans, run the plainest way: a walk over the tree, statement by statement, as docs/plan.md
 * says, without registers, jumps or shortcuts. Traces of plans and short decisions of commands are
 * made here, and tests compare the VM with it.
 */

import type { Builtin } from '../../builtins/builtin.js';
import { HaltError } from '../../builtins/builtin-errors.js';
import { BaseLookups, isTextKey } from '../../ir-schema/base-lookups.js';
import { knownConstant } from '../../ir-schema/constant-functions.js';
import { ownConflictAt } from '../../ir-schema/own-conflicts.js';
import type { Block, DotStmt, Func, Operand, Plan, Policy, Stmt } from '../../ir-schema/plan.js';
import { blocksOf } from '../../ir-schema/walk.js';
import { lookup, objectGet, objectKeys, sortedKeys, sortedMembers } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import { isArray, isObject, isSet, type ObjectValue, type Value } from '../../values/value.js';
import { callAny } from '../evaluation/builtin-calls.js';
import type { Evaluation } from '../evaluation/evaluation.js';
import { linkedBuiltin } from '../evaluation/linked-builtin.js';
import { baseAt } from '../operations/base-lookup.js';
import { raised } from './located.js';
import { type PlanTracer, pathOf } from './plan-trace.js';

type Local = Value | undefined;

/** Statements that fail where one in their block did, or that leave a block. */
const passesOn: ReadonlySet<Stmt['type']> = new Set(['BlockStmt', 'BreakStmt', 'WithStmt']);

/** Statements that mutate a value, or let others see one. */
const passesValues: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['ArrayAppendStmt', 'CallDynamicStmt', 'CallStmt', 'ObjectInsertOnceStmt', 'ObjectInsertStmt', 'ObjectMergeStmt'] as const),
  ...(['ResultSetAddStmt', 'SetAddStmt', 'WithStmt'] as const),
]);

/** The first locals are input and data. */
const documents = 2;

/** Fields that are the number of a local to read. */
const sources: ReadonlySet<string> = new Set(['source', 'array', 'set', 'object', 'a', 'b', 'value']);

interface Frame {
  readonly locals: Map<number, Local>;
  readonly params: number;
  returned: Local;
  /** Collections that the function made and that have not escaped. */
  readonly own: WeakSet<object>;
  /** Undefined in a plan. */
  readonly func: Func | undefined;
  readonly lookups: BaseLookups;
}

/** How a block or statement ended: 0 at its end, n > 0 with n blocks cut short, -1 by a return. */
type Outcome = number;
const done = 0;
const cut = 1;
const returned = -1;

/** The locals of a call. Collections that it makes are mutated later. */
interface ReadLocals {
  get(local: number): Value | undefined;
}

/** Told of each statement: before it, and after it if the block goes on. */
export interface StatementObserver {
  before(stmt: Stmt, locals: ReadLocals): void;
  passed(stmt: Stmt, locals: ReadLocals): void;
  /** The block ends with the statement: it failed, or control left the block. */
  ended?(stmt: Stmt, how: 'failed' | 'left'): void;
  /** A plan or function begins. Calls with a remembered or constant result have no beginning. */
  enter?(owner: Plan | Func, locals: ReadLocals): void;
  /** It ends, with its result; not told where an error ends the evaluation. */
  exit?(owner: Plan | Func, result: Value | undefined): void;
}

/** Options for a walk like that of another engine. */
export interface InterpretOptions {
  readonly tracer?: PlanTracer;
  readonly observer?: StatementObserver;
  /** Called when a value is copied because it is mutated and not the function's own. */
  readonly onCopy?: () => void;
  /**
   * Every statement that stores a value stores a copy: a mutation shows in one local only, and in
   * no collection.
   */
  readonly copies?: boolean;
  /**
   * Functions are defined in their order, and each may call earlier ones only: other calls are an
   * error, run or not.
   */
  readonly calleesFirst?: boolean;
}

/** The strictest that a plan of ours must work with. */
export const otherEngine: InterpretOptions = { copies: true, calleesFirst: true };

/**
 * The result set of a plan, equal objects once. Throws HaltErrors, and BuiltinErrors where errors
 * are strict.
 */
export function interpretPlan(
  policy: Policy,
  plan: string,
  input: Local,
  data: Local,
  builtins: ReadonlyMap<string, Builtin>,
  evaluation: Evaluation,
  options: InterpretOptions = {},
): readonly Value[] {
  return interpretTables(new PlanTables(policy, options), plan, input, data, builtins, evaluation, options);
}

/** As `interpretPlan`, for a plan that is walked several times. */
export function interpretTables(
  tables: PlanTables,
  plan: string,
  input: Local,
  data: Local,
  builtins: ReadonlyMap<string, Builtin>,
  evaluation: Evaluation,
  options: InterpretOptions = {},
): readonly Value[] {
  return [...new Interpreter(tables, builtins, evaluation, options).plan(plan, input, data)];
}

/** The parts of a policy, for all walks over it. */
export class PlanTables {
  readonly strings: readonly string[];
  readonly plans: ReadonlyMap<string, Plan>;
  readonly functions = new Map<string, Func>();
  readonly #lookups = new Map<Func | Plan, BaseLookups>();

  constructor(policy: Policy, options: InterpretOptions = {}) {
    this.strings = (policy.static?.strings ?? []).map(({ value }) => value);
    this.plans = new Map((policy.plans?.plans ?? []).map((plan) => [plan.name, plan]));
    const funcs = policy.funcs?.funcs ?? [];
    const names = new Set(funcs.map(({ name }) => name));
    for (const func of funcs) {
      if (options.calleesFirst === true) for (const block of func.blocks ?? []) this.#checkCalls(block, func, names);
      this.functions.set(func.name, func);
    }
  }

  readonly stringAt = (index: number): string => this.strings[index]!;

  lookupsOf(body: Func | Plan, dataLocal: number | undefined): BaseLookups {
    let lookups = this.#lookups.get(body);
    if (lookups === undefined) this.#lookups.set(body, (lookups = new BaseLookups(body.blocks ?? [], dataLocal, this.stringAt)));
    return lookups;
  }

  /** All functions that a block calls by name must be known by now. */
  #checkCalls(block: Block, caller: Func, names: ReadonlySet<string>): void {
    for (const stmt of block.stmts) {
      const isUnknown = stmt.type === 'CallStmt' && names.has(stmt.stmt.func) && !this.functions.has(stmt.stmt.func);
      if (isUnknown) throw new Error(`${caller.name} calls ${stmt.stmt.func}, which is not defined before it`);
      for (const inner of blocksOf(stmt)) this.#checkCalls(inner, caller, names);
    }
  }
}

class Interpreter {
  readonly #tables: PlanTables;
  readonly #strings: readonly string[];
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #evaluation: Evaluation;
  readonly #results = new RegoSet();
  readonly #options: InterpretOptions;
  #memo = new Map<string, Local>();
  #depth = 0;

  constructor(tables: PlanTables, builtins: ReadonlyMap<string, Builtin>, evaluation: Evaluation, options: InterpretOptions) {
    this.#tables = tables;
    this.#options = options;
    this.#builtins = builtins;
    this.#evaluation = evaluation;
    this.#strings = tables.strings;
    this.#functions = tables.functions;
  }

  plan(name: string, input: Local, data: Local): RegoSet {
    const plan = this.#tables.plans.get(name)!;
    const locals = new Map<number, Local>();
    locals.set(0, input).set(1, data);
    const frame: Frame = {
      locals,
      params: 2,
      returned: undefined,
      own: new WeakSet(),
      func: undefined,
      lookups: this.#tables.lookupsOf(plan, 1),
    };
    const { tracer, observer } = this.#options;
    tracer?.enter(name, []);
    observer?.enter?.(plan, locals);
    for (const block of plan.blocks ?? []) this.#block(block, frame);
    const [solution] = this.#results;
    tracer?.exit(solution);
    observer?.exit?.(plan, solution);
    return this.#results;
  }

  #isBaseLookup({ source, key }: DotStmt, { lookups }: Frame): boolean {
    return source.type === 'local' && lookups.has(source.value) && isTextKey(key, this.#tables.stringAt);
  }

  #function(func: Func, args: readonly Local[]): Local {
    const remembered = args.length === 2;
    if (remembered && this.#memo.has(func.name)) return this.#memo.get(func.name);
    const { tracer, observer, copies } = this.#options;
    if (tracer === undefined && copies !== true) {
      const constant = knownConstant(func);
      if (constant !== undefined) return constant;
    }
    const locals = new Map<number, Local>();
    for (const [i, param] of (func.params ?? []).entries()) locals.set(param, args[i]);
    const frame: Frame = {
      locals,
      params: args.length,
      returned: undefined,
      own: new WeakSet(),
      func,
      lookups: this.#tables.lookupsOf(func, func.params?.[1]),
    };
    const memo = this.#memo;
    if (++this.#depth > this.#evaluation.callDepth) throw new HaltError('eval_cancel_error', 'too deep');
    tracer?.enter(func.name, pathOf(func));
    observer?.enter?.(func, locals);
    for (const block of func.blocks ?? []) if (this.#block(block, frame) === returned) break;
    tracer?.exit(frame.returned);
    observer?.exit?.(func, frame.returned);
    this.#depth--;
    if (remembered) memo.set(func.name, frame.returned);
    return frame.returned;
  }

  #block(block: Block, frame: Frame): Outcome {
    const { stmts } = block;
    const { meter } = this.#evaluation;
    for (let i = 0; i < stmts.length; i++) {
      const stmt = stmts[i]!;
      if (--meter.left < 0) meter.refill();
      if (passesValues.has(stmt.type)) this.#beforehand(stmt, frame);
      const text = ownConflictAt(block, i);
      if (text !== undefined) throw raised(this.#strings[text]!);
      this.#options.observer?.before(stmt, frame.locals);
      const outcome = this.#stmt(stmt, frame);
      if (outcome === done) {
        this.#options.observer?.passed(stmt, frame.locals);
        continue;
      }
      const hasFailed = outcome === cut && !passesOn.has(stmt.type);
      this.#options.observer?.ended?.(stmt, hasFailed ? 'failed' : 'left');
      if (hasFailed) this.#options.tracer?.fail(stmt, this.#operands(stmt, frame));
      return outcome;
    }
    return done;
  }

  /**
   * A mutated value must be the function's own, or is copied first; a value that escapes is its
   * own no more.
   */
  #beforehand({ type, stmt }: Stmt, { locals, own }: Frame): void {
    const change = (local: number): void => {
      const value = locals.get(local);
      if (value === undefined || (!isArray(value) && !isSet(value) && !isObject(value))) return;
      if (own.has(value) && this.#options.copies !== true) return;
      this.#count(value);
      const copy = isArray(value) ? [...value] : isSet(value) ? new RegoSet(value) : new RegoObject(entriesOf(value));
      own.add(copy);
      locals.set(local, copy);
      this.#options.onCopy?.();
    };
    const give = (...operands: readonly (Operand | number)[]): void => {
      for (const operand of operands) {
        if (typeof operand === 'number') disown(locals.get(operand), own);
        else if (operand.type === 'local') disown(locals.get(operand.value), own);
      }
    };
    if (type === 'ArrayAppendStmt') change(stmt.array);
    else if (type === 'SetAddStmt') {
      change(stmt.set);
      give(stmt.value);
    } else if (type === 'ObjectInsertStmt' || type === 'ObjectInsertOnceStmt') {
      change(stmt.object);
      give(stmt.key);
    } else if (type === 'ObjectMergeStmt') give(stmt.a, stmt.b);
    else if (type === 'CallStmt' || type === 'CallDynamicStmt') give(...(stmt.args ?? []));
    else if (type === 'ResultSetAddStmt') give(stmt.value);
    else if (type === 'WithStmt') give(stmt.value, stmt.local);
  }

  /**
   * The defined operands of a statement, by their names in the format. Input and data as a whole
   * say nothing.
   */
  #operands({ stmt }: Stmt, frame: Frame): ReadonlyMap<string, Value> {
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
        const value = frame.locals.get(field);
        if (value !== undefined) found.set(name, value);
      } else add(name, field);
    }
    return found;
  }

  #value(operand: Operand | number, frame: Frame): Local {
    if (typeof operand === 'number') return frame.locals.get(operand);
    if (operand.type === 'local') return frame.locals.get(operand.value);
    return operand.type === 'bool' ? operand.value : this.#strings[operand.value]!;
  }

  #stmt({ type, stmt }: Stmt, frame: Frame): Outcome {
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
        locals.delete(stmt.target);
        return done;
      case 'AssignVarStmt':
        locals.set(stmt.target, this.#value(stmt.source, frame));
        return done;
      case 'AssignVarOnceStmt': {
        const value = this.#value(stmt.source, frame);
        const old = locals.get(stmt.target);
        if (value === undefined) return done;
        if (old !== undefined && !equal(old, value)) throw conflict(frame.params);
        return old === undefined ? assign(frame, stmt.target, value) : done;
      }
      case 'ArrayAppendStmt': {
        const array = this.#value(stmt.array, frame);
        const value = this.#value(stmt.value, frame);
        if (value === undefined || array === undefined || !isArray(array)) return cut;
        (array as Value[]).push(value);
        return done;
      }
      case 'SetAddStmt': {
        const set = this.#value(stmt.set, frame);
        const value = this.#value(stmt.value, frame);
        if (value === undefined || set === undefined || !isSet(set)) return cut;
        set.add(value);
        return done;
      }
      case 'ObjectInsertStmt':
      case 'ObjectInsertOnceStmt': {
        const object = this.#value(stmt.object, frame);
        const key = this.#value(stmt.key, frame);
        const value = this.#value(stmt.value, frame);
        if (key === undefined || value === undefined || !(object instanceof RegoObject)) return cut;
        const old = object.get(key);
        if (type === 'ObjectInsertOnceStmt' && old !== undefined && !equal(old, value))
          throw new HaltError('eval_conflict_error', 'object keys must be unique');
        object.set(key, value);
        return done;
      }
      case 'ObjectMergeStmt': {
        const a = this.#value(stmt.a, frame);
        const b = this.#value(stmt.b, frame);
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
        return this.#value(stmt.source, frame) === undefined ? cut : done;
      case 'IsUndefinedStmt':
        return this.#value(stmt.source, frame) === undefined ? done : cut;
      case 'LenStmt':
        return assign(frame, stmt.target, length(this.#value(stmt.source, frame)));
      case 'ReturnLocalStmt':
        frame.returned = this.#value(stmt.source, frame);
        return returned;
      case 'ResultSetAddStmt': {
        const value = this.#value(stmt.value, frame);
        if (value === undefined) return cut;
        this.#results.add(value);
        return done;
      }
      case 'BreakStmt':
        return stmt.index + 1;
      case 'CallStmt':
        return assign(
          frame,
          stmt.result,
          this.#call(
            stmt.func,
            (stmt.args ?? []).map((operand) => this.#value(operand, frame)),
          ),
        );
      case 'CallDynamicStmt': {
        const path = (stmt.path ?? []).map((operand) => this.#value(operand, frame));
        const args = (stmt.args ?? []).map((operand) => this.#value(operand, frame));
        this.#evaluation.tick(this.#functions.size);
        const func = this.#visibleFrom(frame).find((one) => samePath(one.path, path));
        return func === undefined || func.params?.length !== args.length ? cut : assign(frame, stmt.result, this.#function(func, args));
      }
      case 'BlockStmt':
        for (const block of stmt.blocks ?? []) {
          const outcome = this.#block(block, frame);
          if (outcome === returned || outcome > cut) return outer(outcome);
        }
        return done;
      case 'NotStmt': {
        const outcome = stmt.block === null ? done : this.#block(stmt.block, frame);
        return outcome === done ? cut : outcome === cut ? done : outer(outcome);
      }
      case 'ScanStmt': {
        const source = this.#value(stmt.source, frame);
        this.#count(source);
        const elements = elementsOf(source);
        if (elements === undefined) return cut;
        for (const [key, value] of elements) {
          locals.set(stmt.key, key);
          locals.set(stmt.value, value);
          const outcome = stmt.block === null ? done : this.#block(stmt.block, frame);
          if (outcome === returned || outcome > cut) return outer(outcome);
        }
        return done;
      }
      case 'WithStmt': {
        const old = locals.get(stmt.local);
        const memo = this.#memo;
        const path = (stmt.path ?? []).map((index) => this.#strings[index]!);
        locals.set(stmt.local, this.#replaced(old, path, this.#value(stmt.value, frame)));
        this.#memo = new Map();
        const outcome = stmt.block === null ? done : this.#block(stmt.block, frame);
        this.#memo = memo;
        locals.set(stmt.local, old);
        return outcome > cut ? outer(outcome) : outcome;
      }
    }
  }

  /** A document with another value at a path. */
  #replaced(document: Local, [key, ...rest]: readonly string[], value: Local): Local {
    if (key === undefined) return value;
    this.#count(document);
    const entries = document !== undefined && isObject(document) ? entriesOf(document) : [];
    const inner = this.#replaced(entries.find(([name]) => name === key)?.[1], rest, value);
    const others = entries.filter(([name]) => name !== key);
    return new RegoObject(inner === undefined ? others : [...others, [key, inner]]);
  }

  /** Counts the members of a collection as work: all of them are copied next. */
  #count(value: Local): void {
    if (typeof value === 'object') this.#evaluation.tick(length(value) ?? 0);
  }

  /** Functions that a dynamic call can find. */
  #visibleFrom({ func }: Frame): readonly Func[] {
    const all = [...this.#functions.values()];
    return this.#options.calleesFirst === true && func !== undefined ? all.slice(0, all.indexOf(func)) : all;
  }

  #call(name: string, args: readonly Local[]): Local {
    const func = this.#functions.get(name);
    if (func !== undefined) return this.#function(func, args);
    if (!args.every((value) => value !== undefined)) return undefined;
    return callAny(linkedBuiltin(this.#builtins.get(name)!), args as readonly Value[], this.#evaluation);
  }
}

/** Removes a value, and the function's own values in it, from the function's own values. */
function disown(value: Local, own: WeakSet<object>): void {
  if (typeof value !== 'object' || value === null || !own.delete(value)) return;
  if (isArray(value)) for (const element of value) disown(element, own);
  else if (isObject(value)) for (const [, inner] of entriesOf(value)) disown(inner, own);
}

function assign({ locals }: Frame, target: number, value: Local): Outcome {
  if (value === undefined) return cut;
  locals.set(target, value);
  return done;
}

/** Assigns a new value, which is the function's own. */
function make(frame: Frame, target: number, value: Value & object): Outcome {
  frame.own.add(value);
  return assign(frame, target, value);
}

/** The outcome of an inner block, as the enclosing block sees it. */
function outer(outcome: Outcome): Outcome {
  return outcome === returned ? returned : outcome - 1;
}

function is(test: (value: Value) => boolean, value: Local): Outcome {
  return value !== undefined && test(value) ? done : cut;
}

function conflict(params: number): HaltError {
  const what =
    params === 2 ? 'complete rules must not produce multiple outputs' : 'functions must not produce multiple outputs for same inputs';
  return new HaltError('eval_conflict_error', what);
}

function samePath(path: readonly string[] | undefined, wanted: readonly Local[]): boolean {
  return path !== undefined && path.length === wanted.length && path.every((key, i) => key === wanted[i]);
}

function length(value: Local): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (value === undefined) return undefined;
  if (isArray(value)) return value.length;
  if (isSet(value)) return value.size;
  return isObject(value) ? [...objectKeys(value)].length : undefined;
}

/** Keys and values as they are when the loop begins. */
function elementsOf(source: Local): readonly (readonly [Value, Value])[] | undefined {
  if (source === undefined) return undefined;
  if (isArray(source)) return source.map((element, i) => [i, element] as const);
  if (isSet(source)) return sortedMembers(source).map((member) => [member, member] as const);
  return isObject(source) ? sortedKeys(source).map((key) => [key, objectGet(source, key)!] as const) : undefined;
}

function entriesOf(object: ObjectValue): [Value, Value][] {
  return [...objectKeys(object)].map((key) => [key, objectGet(object, key)!]);
}

function merged(a: ObjectValue, b: ObjectValue): ObjectValue {
  const result = new RegoObject(entriesOf(b));
  for (const [key, value] of entriesOf(a)) {
    const other = result.get(key);
    result.set(key, other !== undefined && isObject(value) && isObject(other) ? merged(value, other) : value);
  }
  return result;
}
