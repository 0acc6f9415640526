/** Plan → program. The plan has passed the verifier. */

import { type Func, fileNames, type Plan, type Policy, withoutKnownBodies } from '../../ir-schema/index.js';
import { allAtOnce, pathKey, type Steps, unwatched, type Value } from '../../values/index.js';
import { functionKind, Lowering } from '../lowering/lower/lower.js';
import { constantResult, type LoweredFunction } from '../lowering/lowered.js';
import { type DispatchTable, emitFunction } from './emit.js';
import { notAssembled, type Program, type ProgramFunction, type ProgramGrowth } from './program.js';
import { type StatementAddresses, statementAddresses } from './statement-addresses.js';

/** Assembles a verified plan. Linear in its size. */
export function assemble(policy: Policy): Program {
  return allAtOnce(assembleSteps(policy));
}

/** As `assemble`, in steps. */
export function* assembleSteps(given: Policy): Steps<Program> {
  const policy = withoutKnownBodies(given);
  return yield* new Assembly(policy, yield* Lowering.over(policy)).steps();
}

/**
 * A program of a verified plan whose functions are assembled when they are first called.
 * @param builtins the names of those that the plan calls
 */
export function assembleLazily(given: Policy, builtins: Iterable<string>): Program {
  const policy = withoutKnownBodies(given);
  return new Assembly(policy, Lowering.lazily(policy, builtins));
}

/** As `assemble`, for listings: instructions know their statements, see `Program.statements`. */
export function assembleListed(given: Policy): Program {
  const policy = withoutKnownBodies(given);
  return new Assembly(policy, allAtOnce(Lowering.over(policy, true))).whole();
}

/**
 * Assembles a verified plan without analyses, in less time: a program for plans of which most run
 * once. The plans have the same numbers as in an analysed program.
 */
export function assembleCold(given: Policy): Program {
  const policy = withoutKnownBodies(given);
  const { lowered: _, ...program } = new Assembly(policy, Lowering.cold(policy)).whole();
  return program;
}

/** The program of a plan as far as it is assembled. */
class Assembly implements Program, ProgramGrowth {
  code = new Int32Array(1024);
  origins = new Int32Array(1024);
  readonly functions: readonly AssembledFunction[];
  readonly lowered: LoweredFunction[] = [];
  readonly tables: DispatchTable[] = [];
  readonly plans: ReadonlyMap<string, number>;
  readonly paths: Map<string, number>;
  readonly files: readonly string[];
  readonly policy: Policy;
  readonly #lowering: Lowering;
  readonly #bodies: readonly (Func | Plan)[];
  /** The positions of `code` that are taken. */
  #size = 0;
  #addresses: StatementAddresses | undefined;

  constructor(policy: Policy, lowering: Lowering) {
    this.policy = policy;
    this.#lowering = lowering;
    const [funcs, plans] = [policy.funcs?.funcs ?? [], policy.plans?.plans ?? []];
    this.#bodies = [...funcs, ...plans];
    this.functions = [
      ...funcs.map((func) => toAssemble(func.name, functionKind(func), func.path, func.params?.length ?? 0)),
      ...plans.map(({ name }) => toAssemble(name, 'plan', undefined, 2)),
    ];
    this.plans = new Map(plans.map(({ name }, i) => [name, funcs.length + i]));
    this.paths = new Map(funcs.flatMap(({ path }, i) => (path === undefined ? [] : [[pathKey(path), i] as const])));
    this.files = fileNames(policy);
  }

  get growth(): ProgramGrowth {
    return this;
  }

  get constants(): readonly Value[] {
    return this.#lowering.tables.constants;
  }

  get builtins(): readonly string[] {
    return this.#lowering.tables.builtins;
  }

  get documentPaths(): readonly (readonly string[])[] {
    return this.#lowering.tables.documentPaths;
  }

  get places(): readonly number[] {
    return this.#lowering.tables.places;
  }

  /** For errors only: the addresses of what is assembled by now. */
  get addresses(): StatementAddresses {
    const { placed } = this.#lowering.tables;
    if (this.#addresses?.starts.length !== placed.length) this.#addresses = statementAddresses(this.policy, placed);
    return this.#addresses;
  }

  assemble(index: number): void {
    if (this.functions[index]!.entry === notAssembled) unwatched(() => allAtOnce(this.#steps(index)));
  }

  /** Such a rule has a block that assigns the constant, and one that returns it. */
  findConstants(): void {
    for (const [index, { kind, entry }] of this.functions.entries())
      if (kind === 'rule' && entry === notAssembled && this.#bodies[index]!.blocks?.length === 2) this.assemble(index);
  }

  whole(): Program {
    return allAtOnce(this.steps());
  }

  /** The whole program, in steps. */
  *steps(): Steps<Program> {
    for (const [index, { entry }] of this.functions.entries()) {
      if (entry === notAssembled) yield* this.#steps(index);
      yield;
    }
    const { functions, plans, paths, tables, files, lowered } = this;
    const { constants, builtins, documentPaths, places, placed, statements } = this.#lowering.tables;
    return {
      code: this.code.slice(0, this.#size),
      constants,
      functions,
      plans,
      paths,
      builtins,
      documentPaths,
      tables,
      files,
      origins: this.origins.slice(0, this.#size),
      places: new Int32Array(places),
      addresses: statementAddresses(this.policy, placed),
      lowered,
      ...(statements && { statements }),
    };
  }

  *#steps(index: number): Steps {
    const body = this.#bodies[index]!;
    const func = this.functions[index]!;
    const isPlan = func.kind === 'plan';
    const lowered = yield* isPlan ? this.#lowering.plan(body as Plan) : this.#lowering.func(body as Func);
    const entry = this.#size;
    const { code, origins, weight } = yield* emitFunction(lowered, this.constants, entry, this.tables);
    this.#append(code, origins);
    this.lowered[index] = lowered;
    const { registers, cleared, params, isQuick } = lowered;
    Object.assign(func, { entry, registers, cleared, params, isQuick, weight });
    const constant = constantResult(lowered);
    if (func.path !== undefined && constant !== undefined) this.paths.set(pathKey(func.path), constant);
  }

  #append(code: readonly number[], origins: readonly number[]): void {
    const size = this.#size + code.length;
    if (size > this.code.length) {
      this.code = longer(this.code, size);
      this.origins = longer(this.origins, size);
    }
    this.code.set(code, this.#size);
    this.origins.set(origins, this.#size);
    this.#size = size;
  }
}

type AssembledFunction = { -readonly [Key in keyof ProgramFunction]: ProgramFunction[Key] };

function toAssemble(
  name: string,
  kind: ProgramFunction['kind'],
  path: readonly string[] | undefined,
  params: number,
): AssembledFunction {
  return { name, kind, path, entry: notAssembled, registers: 0, cleared: 0, params, isQuick: false, weight: 0 };
}

function longer(given: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(Math.max(size, given.length * 2));
  larger.set(given);
  return larger;
}
