/** A plan for a process that ends soon: making a program of it takes longer than most decisions. */

import { type Block, blocksOf, knownConstant, type Policy } from '../../ir-schema/index.js';
import type { Evaluation } from '../../runtime/index.js';
import { type Executable, interpretTables, type PlanIndex, PlanTables, StandIn } from '../../runtime/index.js';
import { type Builtin, isArray, RegoObject, type Value, valueAt, watchWork } from '../../values/index.js';

/** Statements and other work that all walks may do, however short the plan is. */
const shortestWalks = 3000;

/** Work that walks may do for each statement: as long as a program takes to make of it. */
const walksOfStatement = 8;

/**
 * Walks the plan. An evaluation that prints, waits, ends with an error, or takes long together with
 * those before it is made again by a program, and so are all later ones.
 */
export class WalkedPlan extends StandIn {
  readonly #tables: PlanTables;
  /** The names of the plans, in their order. */
  readonly #names: readonly string[];
  readonly #rows: ReadonlyMap<string, Builtin>;
  /** Work that walks may still do. */
  #left: number;

  /**
   * @param policy verified
   * @param called names of the built-ins that it calls, whose libraries are loaded
   * @param make the program of the same plans
   */
  constructor(
    policy: Policy,
    called: readonly string[],
    builtins: ReadonlyMap<string, Builtin>,
    make: () => Executable,
  ) {
    const names = (policy.plans?.plans ?? []).map(({ name }) => name);
    super({ entrypoints: new Map(names.map((name, index) => [name, index])), builtins: called }, make);
    this.#names = names;
    this.#tables = new PlanTables(policy);
    this.#rows = builtins;
    this.#left = Math.max(shortestWalks, walksOfStatement * countStatements(policy));
  }

  protected override attempt(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] | undefined {
    const plan = this.#names[entrypoint];
    if (plan === undefined) throw new Error(`there is no plan ${entrypoint}`);
    const trial = evaluation.attempt({ instructions: this.#left });
    const { meter } = trial;
    const granted = meter.left;
    const before = watchWork(meter);
    try {
      const results = interpretTables(this.#tables, { plan, input, data }, this.#rows, trial);
      this.#left -= granted - meter.left;
      return results.map(withPlainObjects);
    } catch {
      // The program throws the error again, with its place.
      return undefined;
    } finally {
      watchWork(before);
    }
  }
}

/** Literals left out, which nobody walks. */
function countStatements({ funcs, plans }: Policy): number {
  let count = 0;
  const add = ({ stmts }: Block): void => {
    count += stmts.length;
    for (const stmt of stmts) for (const inner of blocksOf(stmt)) add(inner);
  };
  for (const func of funcs?.funcs ?? []) if (knownConstant(func) === undefined) func.blocks?.forEach(add);
  for (const { blocks } of plans?.plans ?? []) blocks?.forEach(add);
  return count;
}

/** A program makes an object that can have any keys only where one of them is no string. */
export function withPlainObjects(value: Value): Value {
  if (isArray(value)) return value.map(withPlainObjects);
  if (!(value instanceof RegoObject)) return value;
  const entries = Array.from(value.keys(), (key) => [key, withPlainObjects(valueAt(value, key))] as const);
  if (entries.every((entry): entry is readonly [string, Value] => typeof entry[0] === 'string'))
    return Object.fromEntries(entries);
  return new RegoObject(entries);
}
