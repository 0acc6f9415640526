/** Programs of one set of policies: made when first asked for, by path or by query. */
import { callExpr, numberTerm, operatorRef, refTerm, stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { Module, RefTerm, Term } from '../../compiler/ast/nodes.js';
import { printTerm } from '../../compiler/ast/print.js';
import { compileErrors } from '../../compiler/diagnostics/render.js';
import { compileQuery } from '../../compiler/pipeline.js';
import { PlanInputs } from '../../compiler/plan/plan-inputs.js';
import { type PlanRequest, planSteps } from '../../compiler/plan/planner.js';
import { type VirtualDocument, VirtualDocuments } from '../../compiler/plan/virtual-document.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { nowhere } from '../../compiler/source/location.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import type { Builtin } from '../../runtime/builtins/builtin.js';
import { LruCache } from '../../runtime/builtins/cache.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
import type { Target } from '../evaluation/evaluate.js';
import { type Metrics, timers } from '../evaluation/metrics.js';
import { solutionNumber } from '../evaluation/solutions.js';
import { pathKey } from '../paths/path-key.js';
import { prepareInSlices } from '../prepare.js';
import type { Language } from './compile-policies.js';
import { type CompileElsewhere, compileQueryPlan, type QueryLimits } from './compile-query.js';
import { type CacheEntry, isValidFor, MadeByPath, newVersion } from './plan-cache.js';
import { type KeptUnit, keptUnit } from './program-snapshot.js';

/** How to answer a path: run the target, then look up the rest of the path in what it binds to `result`. */
export interface PathProgram {
  readonly target: Target;
  readonly rest: readonly string[];
}

/** Where the rules leave a path. */
type Place =
  | { readonly kind: 'base' } // no rule is there: only a base document can be
  | { readonly kind: 'rule'; readonly unit: VirtualDocument; readonly length: number }; // a package at its end, or a rule at a prefix

/** So many programs are kept for paths below rules with keys, and for queries. */
const keptPrograms = 500;

/** What is asked for in more than so many characters is made for each request: clients say it, and a program is larger than its text. */
const longestKey = 16 * 1024;

/** A longer query is compiled in a thread, where there is one: some stages take it in one step. */
export const longQuery = 4096;

/** Where programs come from. */
export interface ProgramSource {
  /** Whether a rule is at a path or at the start of it. */
  hasRules(path: readonly string[]): boolean;
  /**
   * Undefined where only a base document can be at the path. Does not wait for a program that is at hand. Throws or rejects with CompileErrors where
   * a function is.
   */
  forPath(path: readonly string[]): PathProgram | Promise<PathProgram | undefined> | undefined;
  /** The plan of a query binds what the query does. Rejects with CompileErrors. */
  forQuery(
    text: string,
    unsafeBuiltins: ReadonlySet<string> | undefined,
    metrics: Metrics | undefined,
    instrument: boolean,
    limits: QueryLimits,
  ): Promise<Target>;
  /** A policy as it was compiled. */
  compiledModule(id: string): Promise<Module | undefined>;
  /** What was made for whole rules and packages, or kept of an earlier run, by their paths. */
  made(): ReadonlyMap<string, Target | Uint8Array>;
  /** What is at which place of the rule tree. */
  units(): KeptUnit;
}

/** A program. */
interface Prepared extends CacheEntry<Target | Promise<Target>> {
  /** Whoever asks next tries again. */
  failed: boolean;
}

/** What versions of the policies hand on. */
class Kept {
  readonly whole = new MadeByPath<Prepared>();
  /** By whole path, whose last segments are the client's. */
  readonly partial = new LruCache<Prepared>(keptPrograms);
  readonly queries = new LruCache<Prepared>(keptPrograms);
}

export class Programs implements ProgramSource {
  readonly #compiled: Compiled;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #language: Language;
  readonly #units: VirtualDocuments;
  readonly #kept: Kept;
  readonly #version = newVersion();

  readonly #compileElsewhere: CompileElsewhere | undefined;

  /**
   * @param previous those of an earlier version of the policies, for the same built-ins and language
   * @param compileElsewhere takes long queries
   */
  constructor(
    compiled: Compiled,
    builtins: ReadonlyMap<string, Builtin>,
    language: Language,
    previous?: Programs,
    compileElsewhere?: CompileElsewhere,
  ) {
    this.#compileElsewhere = compileElsewhere;
    this.#kept = previous === undefined ? new Kept() : previous.#kept;
    this.#kept.whole.forget(compiled.ruleTree);
    this.#compiled = compiled;
    this.#builtins = new Map(builtins).set(solutionNumber.name, solutionNumber);
    this.#language = language;
    this.#units = new VirtualDocuments(compiled.ruleTree);
  }

  /** A policy with its rules as they are run. */
  async compiledModule(id: string): Promise<Module | undefined> {
    const module = this.#compiled.modules.get(id);
    // What imports stood for is written out by now.
    return module && { ...module.parsed, imports: [], rules: module.rules.map(({ rule }) => rule) };
  }

  hasRules(path: readonly string[]): boolean {
    const place = this.#locate(path);
    return place.kind === 'rule' && place.unit.kind !== 'package';
  }

  forPath(path: readonly string[]): PathProgram | Promise<PathProgram> | undefined {
    const place = this.#locate(path);
    if (place.kind === 'base') return undefined;
    if (place.unit.kind === 'function') throw this.#faults(path);
    const { unit, length } = place;
    const rest = path.slice(length);
    if (rest.length > 0 && (unit.kind === 'set' || unit.kind === 'object')) return this.#belowKeys(path);
    const prefix = rest.length === 0 ? path : path.slice(0, length);
    const key = pathKey(prefix);
    let made = this.#current(this.#kept.whole.get(key));
    if (made === undefined) {
      made = this.#make({ name: 'decision', path: prefix });
      this.#kept.whole.set(key, made);
    }
    const { result: target } = made;
    return target instanceof Promise ? target.then((ready) => ({ target: ready, rest })) : { target, rest };
  }

  /** What is wrong with asking for a path as a document. */
  #faults(path: readonly string[]): Error {
    const query = parseQuery(printTerm(refTo(path)), { regoVersion: this.#language });
    return compileErrors(compileQuery(this.#compiled, query, { options: this.#compiled.options }).diagnostics);
  }

  /** The parts of a rule with keys are asked for one by one, as computing the whole may be dear. */
  async #belowKeys(path: readonly string[]): Promise<PathProgram> {
    const key = pathKey(path);
    let made = this.#current(this.#kept.partial.get(key));
    if (made === undefined) {
      const body = [callExpr(nowhere, operatorRef(nowhere, 'eq'), [varTerm(nowhere, 'result'), refTo(path)])];
      made = this.#make({ name: 'decision', query: { body, names: new Map(), types: undefined, diagnostics: [] } });
      if (key.length <= longestKey) this.#kept.partial.set(key, made);
    }
    return { target: await made.result, rest: [] };
  }

  made(): ReadonlyMap<string, Target> {
    const targets = new Map<string, Target>();
    for (const [key, made] of this.#kept.whole) {
      if (!(made.result instanceof Promise) && this.#isCurrent(made)) targets.set(key, made.result);
    }
    return targets;
  }

  units(): KeptUnit {
    return keptUnit(this.#units);
  }

  async forQuery(
    text: string,
    unsafeBuiltins: ReadonlySet<string> | undefined,
    metrics: Metrics | undefined,
    instrument: boolean,
    limits: QueryLimits,
  ): Promise<Target> {
    const key = `${[...(unsafeBuiltins ?? [])].join()}\u0000${text}`;
    const started = performance.now();
    const known = this.#current(this.#kept.queries.get(key));
    if (known !== undefined) {
      metrics?.since(timers.queryCompile, started);
      return await known.result;
    }
    const compilation = { language: this.#language, unsafeBuiltins, metrics, instrument };
    if (text.length > longQuery && this.#compileElsewhere !== undefined)
      return await this.#compileElsewhere(this.#compiled, text, { ...compilation, ...limits });
    const inputs = new PlanInputs();
    const planning = compileQueryPlan(this.#compiled, text, compilation, inputs);
    const made = this.#making(
      prepareInSlices(planning, this.#builtins).then((executable) => targetOf(executable, 'query')),
      inputs,
    );
    const target = await made.result;
    if (key.length <= longestKey) this.#kept.queries.set(key, made);
    return target;
  }

  /** What was made, if it is good for these policies. */
  #current(made: Prepared | undefined): Prepared | undefined {
    return made !== undefined && this.#isCurrent(made) ? made : undefined;
  }

  #isCurrent(made: Prepared): boolean {
    if (made.failed) return false;
    // As long as it is being planned, it is not known what it depends on.
    if (made.result instanceof Promise) return made.version === this.#version;
    return isValidFor(made, this.#version, this.#compiled.ruleTree);
  }

  #make(request: PlanRequest): Prepared {
    const inputs = new PlanInputs();
    const planning = planSteps(this.#compiled, [request], { inputs });
    return this.#making(
      prepareInSlices(planning, this.#builtins).then((executable) => targetOf(executable, request.name)),
      inputs,
    );
  }

  #making(result: Promise<Target>, inputs: PlanInputs): Prepared {
    const made: Prepared = { result, inputs, version: this.#version, failed: false };
    result.then(
      (ready) => {
        made.result = ready;
      },
      () => {
        made.failed = true;
      },
    );
    return made;
  }

  #locate(path: readonly string[]): Place {
    let unit = this.#units.root;
    for (let i = 0; i < path.length; i++) {
      if (unit.kind !== 'package') return { kind: 'rule', unit, length: i };
      const child = this.#units.child(unit, path[i]!);
      if (child === undefined) return { kind: 'base' };
      unit = child;
    }
    return { kind: 'rule', unit, length: path.length };
  }
}

function refTo(path: readonly string[]): RefTerm {
  const terms = path.map(
    (segment): Term => (isInteger(segment) ? numberTerm(nowhere, String(Number(segment))) : stringTerm(nowhere, segment)),
  );
  return refTerm(nowhere, [varTerm(nowhere, 'data'), ...terms]);
}

function targetOf(executable: Executable, name: string): Target {
  return { executable, plan: executable.entrypoints.get(name)! };
}

/** A segment that is a whole number stands for that number. */
export function isInteger(segment: string): boolean {
  return /^[+-]?\d{1,15}$/.test(segment);
}
