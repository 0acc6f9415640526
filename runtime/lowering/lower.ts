/** Plan → lowered functions. The plan has passed the verifier. */
import { constantFunction } from '../../ir-schema/constant-functions.js';
import type { Func, Plan, Policy } from '../../ir-schema/plan.js';
import type { Steps } from '../values/steps.js';
import { lowerBody } from './lower-function.js';
import type { LoweredFunction } from './lowered.js';
import { firstElements } from './scans/first-element.js';
import { Tables } from './tables.js';

/** Lowers the functions of a plan one by one, in steps. */
export class Lowering {
  readonly tables: Tables;

  private constructor(tables: Tables) {
    this.tables = tables;
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
    tables.firstElements = yield* firstElements(policy, tables.string);
    return new Lowering(tables);
  }

  *func({ name, path, params, blocks }: Func): Steps<LoweredFunction> {
    const kind = params?.length === 2 ? 'rule' : 'function';
    return { name, kind, path, ...(yield* lowerBody(params ?? [], blocks ?? [], this.tables)) };
  }

  *plan({ name, blocks }: Plan): Steps<LoweredFunction> {
    return { name, kind: 'plan', path: undefined, ...(yield* lowerBody([0, 1], blocks ?? [], this.tables)) };
  }
}
