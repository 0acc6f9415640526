/** Plan → lowered functions. The plan has passed the verifier. */
import { constantFunction, knownConstant } from '../../ir-schema/constant-functions.js';
import type { Func, Plan, Policy } from '../../ir-schema/plan.js';
import type { Steps } from '../../values/steps.js';
import { lowerBody } from './lower-function.js';
import type { LoweredBlock, LoweredFunction, Operand } from './lowered.js';
import { firstElementRules } from './scans/first-element.js';
import { Tables } from './tables.js';

/** Lowers the functions of a plan one by one, in steps: of one with `withoutKnownBodies`. */
export class Lowering {
  readonly tables: Tables;
  /** Whether nothing is analysed. */
  readonly #isCold: boolean;

  private constructor(tables: Tables, isCold: boolean) {
    this.tables = tables;
    this.#isCold = isCold;
  }

  /** Statement by statement, without any analysis: for plans of which most run once. */
  static cold(policy: Policy): Lowering {
    const tables = new Tables(policy);
    for (const [i, func] of (policy.funcs?.funcs ?? []).entries()) {
      tables.functions.set(func.name, i);
      const constant = knownConstant(func);
      if (constant !== undefined) tables.constantFunctions.set(func.name, tables.constant(constant));
    }
    return new Lowering(tables, true);
  }

  static *over(policy: Policy): Steps<Lowering> {
    const tables = new Tables(policy);
    for (const [i, func] of (policy.funcs?.funcs ?? []).entries()) {
      tables.functions.set(func.name, i);
      const constant = constantFunction(func, tables.string);
      if (constant !== undefined) tables.constantFunctions.set(func.name, tables.constant(constant));
      tables.searched.add(func.blocks ?? []);
      yield;
    }
    tables.firstElementRules = yield* firstElementRules(policy, tables.string);
    return new Lowering(tables, false);
  }

  *func(func: Func): Steps<LoweredFunction> {
    const { name, path, params, blocks } = func;
    const kind = params?.length === 2 ? 'rule' : 'function';
    const constant = knownConstant(func);
    if (constant !== undefined) return { name, kind, path, ...returning(this.tables.constantOperand(constant)) };
    const body = { name, params: params ?? [], blocks: blocks ?? [] };
    return { name, kind, path, ...(yield* lowerBody(body, this.tables, this.#isCold)) };
  }

  *plan({ name, blocks }: Plan): Steps<LoweredFunction> {
    const body = { name: undefined, params: [0, 1], blocks: blocks ?? [] };
    return { name, kind: 'plan', path: undefined, ...(yield* lowerBody(body, this.tables, this.#isCold)) };
  }
}

/** The body of a function that returns a constant. */
function returning(constant: Operand): Pick<LoweredFunction, 'params' | 'registers' | 'cleared' | 'tracker' | 'isQuick' | 'body'> {
  const target = 2;
  const block: LoweredBlock = [
    { kind: 'move', origin: 0, target, source: constant },
    { kind: 'return', origin: 0, source: target, withs: 0 },
  ];
  return { params: 2, registers: 3, cleared: 3, tracker: undefined, isQuick: false, body: [{ kind: 'block', block }] };
}
