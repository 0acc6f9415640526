/**
 * A plan for a process that ends soon, or a long one: making a program of it takes longer than most
 * decisions.
 */

import { countBlockStatements, knownConstant, type Policy } from '../../ir-schema/index.js';
import type { Evaluation } from '../../runtime/index.js';
import { type Executable, interpretTables, type PlanIndex, PlanTables, StandIn } from '../../runtime/index.js';
import { type Builtin, isArray, RegoObject, type Value, valueAt, watchWork } from '../../values/index.js';

/** Statements and other work that all walks may do, however short the plan is. */
const shortestWalks = 3000;

/** Work that walks may do for each statement: as long as a cold program takes to make of it. */
const walksOfStatement = 8;

/** Work for each statement of the functions that are called: an analysed program takes longer. */
const walksOfCalled = 32;

/** The program of a plan that is walked at first. */
interface LaterProgram {
  readonly make: () => Executable;
  /** Whether it is made of the whole plan, and not of functions that are called. */
  readonly isMadeWhole: boolean;
  /** See `walkedStatements`. */
  readonly statements?: number;
}

/**
 * Walks the plan. An evaluation that prints, waits, ends with an error, or takes long together with
 * those before it is made again by a program, and so are all later ones.
 */
export class WalkedPlan extends StandIn {
  readonly #tables: PlanTables;
  /** The names of the plans, in their order. */
  readonly #names: readonly string[];
  /** The number of the first plan. */
  readonly #first: number;
  readonly #rows: ReadonlyMap<string, Builtin>;
  /** Work that all walks may do. */
  readonly #most: number;
  /** Whether the program is made of the whole plan, and not of functions that are called. */
  readonly #isMadeWhole: boolean;
  /** Work of the walks so far. */
  #spent = 0;

  /**
   * @param policy verified
   * @param called names of the built-ins that it calls, whose libraries are loaded
   */
  constructor(
    policy: Policy,
    called: readonly string[],
    builtins: ReadonlyMap<string, Builtin>,
    { make, isMadeWhole, statements = walkedStatements(policy) }: LaterProgram,
  ) {
    const names = (policy.plans?.plans ?? []).map(({ name }) => name);
    // In a program, plans stand behind the functions.
    const first = policy.funcs?.funcs?.length ?? 0;
    super({ entrypoints: new Map(names.map((name, i) => [name, first + i])), builtins: called }, make);
    this.#first = first;
    this.#names = names;
    this.#tables = new PlanTables(policy);
    this.#rows = builtins;
    this.#most = walksOf(statements, isMadeWhole);
    this.#isMadeWhole = isMadeWhole;
  }

  protected override attempt(
    entrypoint: PlanIndex,
    input: Value | undefined,
    data: Value | undefined,
    evaluation: Evaluation,
  ): readonly Value[] | undefined {
    const plan = this.#names[entrypoint - this.#first];
    if (plan === undefined) throw new Error(`there is no plan ${entrypoint}`);
    if (this.#spent >= this.#limit || needsProgram(evaluation)) return undefined;
    // Without a limit of time: the program takes longer to make than the rest of the walk.
    const trial = evaluation.attempt({
      timeMs: 0,
      instructions: this.#most - this.#spent,
      isPreempted: () => this.#spent + meter.spent > this.#limit,
    });
    const { meter } = trial;
    const before = watchWork(meter);
    try {
      const results = interpretTables(this.#tables, { plan, input, data }, this.#rows, trial);
      this.#spent += meter.spent;
      return results.map(withPlainObjects);
    } catch {
      // The program throws the error again, with its place.
      return undefined;
    } finally {
      watchWork(before);
    }
  }

  /** Work that walks may do by now: as long as it takes to make the program that is needed. */
  get #limit(): number {
    return this.#isMadeWhole ? this.#most : walksOf(this.#tables.entered, false);
  }
}

/** Programs count calls and rounds of loops, walks all statements. */
function needsProgram({ options, context }: Evaluation): boolean {
  return options.instructions !== undefined || context.codegen === 'always';
}

function walksOf(statements: number, isMadeWhole: boolean): number {
  return Math.max(shortestWalks, statements * (isMadeWhole ? walksOfStatement : walksOfCalled));
}

/** The statements of a plan that may be walked: not those of literals. */
export function walkedStatements({ funcs, plans }: Policy): number {
  let count = 0;
  for (const func of funcs?.funcs ?? [])
    if (knownConstant(func) === undefined) count += countBlockStatements(func.blocks);
  for (const { blocks } of plans?.plans ?? []) count += countBlockStatements(blocks);
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
