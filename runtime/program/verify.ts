/**
 * The strict door before a trusting VM: what the schema cannot say of a plan. Indexes point at something, breaks stay inside, calls have as many
 * arguments as what they call, and nothing is changed in place that the plan did not make.
 */

import { effectsOf } from '../../ir-schema/effects.js';
import type { Block, Func, Policy, Stmt } from '../../ir-schema/plan.js';
import type { Builtin } from '../builtins/builtin.js';
import { parseNumber } from '../values/number.js';
import { ownLocals } from './ownership.js';
import { pathKey } from './program.js';

/** A plan that is not well made; `pointer` is a JSON pointer into it. */
export class VerifyError extends Error {
  readonly code = 'invalid_plan';
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(`${pointer}: ${message}`);
    this.name = 'VerifyError';
    this.pointer = pointer;
  }
}

/** Locals are numbered by the compiler; a number beyond this is no honest one. */
const maxLocal = 2 ** 30;

/** Throws a VerifyError at the first thing that is wrong with a plan. Linear in its size. */
export function verify(policy: Policy, builtins: ReadonlyMap<string, Builtin>): void {
  const functions = new Map<string, Func>();
  const paths = new Set<string>();
  (policy.funcs?.funcs ?? []).forEach((func, i) => {
    const pointer = `/funcs/funcs/${i}`;
    if (functions.has(func.name)) throw new VerifyError(`${pointer}/name`, `function ${func.name} is there twice`);
    functions.set(func.name, func);
    if (func.path === undefined) return;
    const path = pathKey(func.path);
    if (paths.has(path)) throw new VerifyError(`${pointer}/path`, `path ${func.path.join('/')} is there twice`);
    paths.add(path);
  });
  const verifier = new Verifier(policy, functions, builtins);
  (policy.funcs?.funcs ?? []).forEach((func, i) => {
    verifier.func(func, `/funcs/funcs/${i}`);
  });
  const names = new Set<string>();
  (policy.plans?.plans ?? []).forEach((plan, i) => {
    if (names.has(plan.name)) throw new VerifyError(`/plans/plans/${i}/name`, `plan ${plan.name} is there twice`);
    names.add(plan.name);
    verifier.body(plan.blocks ?? [], `/plans/plans/${i}/blocks`, true);
  });
}

class Verifier {
  readonly #strings: number;
  readonly #policy: Policy;
  readonly #files: number;
  readonly #functions: ReadonlyMap<string, Func>;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  #inPlan = false;

  constructor(policy: Policy, functions: ReadonlyMap<string, Func>, builtins: ReadonlyMap<string, Builtin>) {
    this.#policy = policy;
    this.#strings = policy.static?.strings?.length ?? 0;
    this.#files = policy.static?.files?.length ?? 0;
    this.#functions = functions;
    this.#builtins = builtins;
  }

  func(func: Func, pointer: string): void {
    const params = func.params ?? [];
    if (params.length < 2) throw new VerifyError(`${pointer}/params`, 'a function takes input and data at least');
    params.forEach((param, i) => {
      this.#local(param, `${pointer}/params/${i}`);
      if (params.indexOf(param) !== i) throw new VerifyError(`${pointer}/params/${i}`, `parameter ${param} is there twice`);
    });
    this.#local(func.return, `${pointer}/return`);
    this.body(func.blocks ?? [], `${pointer}/blocks`, false);
  }

  body(blocks: readonly Block[], pointer: string, inPlan: boolean): void {
    this.#inPlan = inPlan;
    blocks.forEach((block, i) => {
      this.#block(block, `${pointer}/${i}`, 1);
    });
    this.#ownership(blocks, pointer);
  }

  #block(block: Block, pointer: string, depth: number): void {
    block.stmts.forEach((stmt, i) => {
      this.#stmt(stmt, `${pointer}/stmts/${i}/stmt`, depth);
    });
  }

  #stmt(node: Stmt, pointer: string, depth: number): void {
    const { reads, writes, strings } = effectsOf(node);
    for (const local of reads) this.#local(local, pointer);
    for (const local of writes) this.#local(local, pointer);
    for (const index of strings) this.#string(index, pointer);
    const { type, stmt } = node;
    if (stmt.file < 0 || (stmt.file >= this.#files && stmt.file !== 0))
      throw new VerifyError(`${pointer}/file`, `there is no file ${stmt.file}`);
    switch (type) {
      case 'BreakStmt':
        if (stmt.index < 0 || stmt.index >= depth)
          throw new VerifyError(`${pointer}/index`, `a break out of ${stmt.index + 1} blocks stands in ${depth}`);
        return;
      case 'MakeNumberRefStmt': {
        const text = this.#policy.static!.strings![stmt.index]!.value;
        if (parseNumber(text) === undefined) throw new VerifyError(`${pointer}/index`, `${JSON.stringify(text)} is not a number`);
        return;
      }
      case 'CallStmt':
        return this.#call(stmt.func, stmt.args?.length ?? 0, pointer);
      case 'CallDynamicStmt':
        if ((stmt.args?.length ?? 0) < 2) throw new VerifyError(`${pointer}/args`, 'a function takes input and data at least');
        return;
      case 'ReturnLocalStmt':
        if (this.#inPlan) throw new VerifyError(pointer, 'only a function returns');
        return;
      case 'ResultSetAddStmt':
        if (!this.#inPlan) throw new VerifyError(pointer, 'only a plan has a result set');
        return;
      case 'BlockStmt':
        stmt.blocks?.forEach((block, i) => {
          this.#block(block, `${pointer}/blocks/${i}`, depth + 1);
        });
        return;
      case 'NotStmt':
      case 'ScanStmt':
      case 'WithStmt':
        if (stmt.block !== null) this.#block(stmt.block, `${pointer}/block`, depth + 1);
    }
  }

  #call(name: string, args: number, pointer: string): void {
    const func = this.#functions.get(name);
    if (func !== undefined) {
      const params = func.params?.length ?? 0;
      if (params !== args) throw new VerifyError(`${pointer}/args`, `function ${name} takes ${params} arguments, not ${args}`);
      return;
    }
    const builtin = this.#builtins.get(name);
    if (builtin === undefined) throw new VerifyError(`${pointer}/func`, `there is no function or built-in ${name}`);
    const fixed = builtin.args.length;
    if (builtin.variadic === undefined ? args !== fixed : args < fixed) {
      throw new VerifyError(`${pointer}/args`, `built-in ${name} takes ${fixed} arguments, not ${args}`);
    }
  }

  #local(local: number, pointer: string): void {
    if (local < 0 || local > maxLocal) throw new VerifyError(pointer, `there is no local ${local}`);
  }

  #string(index: number, pointer: string): void {
    if (index < 0 || index >= this.#strings) throw new VerifyError(pointer, `there is no string ${index}`);
  }

  /**
   * What is changed in place must be the function's own: made by it, or looked up in something it made. Input, data, arguments and what calls
   * answer are shared with others. Compilers give one number to several variables in turn, so a local passes if it may hold something made.
   */
  #ownership(blocks: readonly Block[], pointer: string): void {
    const own = ownLocals(blocks, false);
    const mutated: number[] = [];
    const visit = (block: Block): void => {
      for (const node of block.stmts) {
        const { mutates, blocks: inner } = effectsOf(node);
        mutated.push(...mutates);
        for (const one of inner) visit(one);
      }
    };
    for (const block of blocks) visit(block);
    const shared = mutated.find((local) => !own.has(local));
    if (shared !== undefined) throw new VerifyError(pointer, `local ${shared} is changed in place but holds nothing that was made here`);
  }
}
