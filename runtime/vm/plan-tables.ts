/** Tables of a policy, and options: the parts of a walk over a plan beside its documents. */

import type { Block, Func, Plan, Policy, Stmt } from '../../ir-schema/index.js';
import { BaseLookups, blocksOf, countBlockStatements, fileNames } from '../../ir-schema/index.js';
import type { Value } from '../../values/index.js';
import type { PlanTracer } from './plan-trace.js';

/** The locals of a call. Collections that it makes are mutated later. */
export interface ReadLocals {
  get(local: number): Value | undefined;
}

/** A listener to each statement: before it, and after it if the block goes on. */
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
  /** Whether states are saved and restored. */
  readonly saves?: boolean;
}

/** The parts of a policy, for all walks over it. */
export class PlanTables {
  readonly strings: readonly string[];
  /** The names of the files that statements come from. */
  readonly files: readonly string[];
  readonly plans: ReadonlyMap<string, Plan>;
  readonly functions = new Map<string, Func>();
  readonly #lookups = new Map<Func | Plan, BaseLookups>();
  #entered = 0;

  constructor(policy: Policy, options: InterpretOptions = {}) {
    this.files = fileNames(policy);
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

  /** Statements of the plans and functions that were entered. */
  get entered(): number {
    return this.#entered;
  }

  lookupsOf(body: Func | Plan, dataLocal: number | undefined): BaseLookups {
    let lookups = this.#lookups.get(body);
    if (lookups === undefined) {
      this.#lookups.set(body, (lookups = new BaseLookups(body.blocks ?? [], dataLocal, this.stringAt)));
      this.#entered += countBlockStatements(body.blocks);
    }
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
