/** Plan → lowered functions. The plan has passed the verifier. */

import { type Func, knownConstant, type Plan, type Policy } from '../../../ir-schema/index.js';
import type { Steps } from '../../../values/index.js';
import { type FunctionBody, FunctionFacts } from '../facts/function-facts.js';
import { PlanFacts } from '../facts/plan-facts.js';
import type { LoweredBlock, LoweredFunction, LoweredOperand } from '../lowered.js';
import { DataRules } from '../passes/data-rules.js';
import { type LoweredBody, lowerBody } from './lower-function.js';
import { Tables } from './tables.js';

/** Lowers the functions of a plan one by one, in steps: of one with `withoutKnownBodies`. */
export class Lowering {
  readonly tables: Tables;
  readonly #facts: PlanFacts;
  readonly #dataRules: DataRules;
  /** Whether nothing is analysed. */
  readonly #isCold: boolean;

  private constructor(tables: Tables, facts: PlanFacts, isCold: boolean) {
    this.tables = tables;
    this.#facts = facts;
    this.#dataRules = new DataRules(facts.functions, facts.silent);
    this.#isCold = isCold;
  }

  /** Statement by statement, without any analysis: for plans of which most run once. */
  static cold(policy: Policy): Lowering {
    return new Lowering(new Tables(policy), new PlanFacts(policy, false), true);
  }

  /**
   * For functions that are lowered when they are first called.
   * @param builtins those that the plan calls
   */
  static lazily(policy: Policy, builtins: Iterable<string>): Lowering {
    const tables = new Tables(policy);
    for (const name of builtins) tables.builtin(name);
    return new Lowering(tables, new PlanFacts(policy), false);
  }

  /** @param listsStatements see `Tables.statements` */
  static *over(policy: Policy, listsStatements = false): Steps<Lowering> {
    return new Lowering(new Tables(policy, listsStatements), yield* PlanFacts.over(policy), false);
  }

  *func(func: Func): Steps<LoweredFunction> {
    const { name, path, params, blocks } = func;
    const kind = functionKind(func);
    const constant = knownConstant(func);
    if (constant !== undefined)
      return { name, kind, path, isOfData: false, ...returning(this.tables.constantOperand(constant)) };
    const isOfData = !this.#isCold && this.#dataRules.has(func);
    return { name, kind, path, isOfData, ...(yield* this.#body({ name, params: params ?? [], blocks: blocks ?? [] })) };
  }

  *plan({ name, blocks }: Plan): Steps<LoweredFunction> {
    const body = { name: undefined, params: [0, 1], blocks: blocks ?? [] };
    return { name, kind: 'plan', path: undefined, isOfData: false, ...(yield* this.#body(body)) };
  }

  *#body(body: FunctionBody): Steps<LoweredBody> {
    const facts = this.#isCold
      ? FunctionFacts.unknown(body, this.#facts)
      : yield* FunctionFacts.over(body, this.#facts);
    return yield* lowerBody(facts, this.tables);
  }
}

/** A rule has the documents as parameters alone. */
export function functionKind({ params }: Func): 'rule' | 'function' {
  return params?.length === 2 ? 'rule' : 'function';
}

/** The body of a function that returns a constant. */
function returning(constant: LoweredOperand): LoweredBody {
  const target = 2;
  const block: LoweredBlock = [
    { kind: 'move', origin: 0, target, source: constant },
    { kind: 'return', origin: 0, source: target, withs: 0 },
  ];
  return { params: 2, registers: 3, cleared: 3, tracker: undefined, isQuick: false, body: [{ kind: 'block', block }] };
}
