/** Programs of one set of policies: made when first asked for, by path or by query. */
import { callExpr, numberTerm, operatorRef, refTerm, stringTerm, varTerm } from '../../compiler/ast/make.js';
import type { Module, Term } from '../../compiler/ast/nodes.js';
import { compileErrors } from '../../compiler/diagnostics/render.js';
import { compileQuery } from '../../compiler/pipeline.js';
import { type PlanRequest, plan } from '../../compiler/plan/planner.js';
import { type Unit, Units } from '../../compiler/plan/units.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { captureValues } from '../../compiler/rewrite/capture.js';
import { nowhere } from '../../compiler/source/location.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import type { Builtin } from '../builtins/builtin.js';
import { LruCache } from '../builtins/cache.js';
import type { Target } from './evaluate.js';
import { type KeptUnit, keptUnit } from './kept-programs.js';
import { type Metrics, timers } from './metrics.js';
import { preparePlanned } from './prepare.js';
import type { Language } from './recompile.js';
import { numbered, solutionNumber } from './solutions.js';

/** How to answer a path: run the target, then look up the rest of the path in what it binds to `result`. */
export interface PathProgram {
  readonly target: Target;
  readonly rest: readonly string[];
}

/** Where the rules leave a path. */
type Place =
  | { readonly kind: 'base' } // no rule is there: only a base document can be
  | { readonly kind: 'rule'; readonly unit: Unit; readonly length: number }; // a package at its end, or a rule at a prefix

/** So many programs are kept for paths below rules with keys, and for queries. */
const keptPrograms = 500;

/** Where programs come from. */
export interface ProgramSource {
  /** Whether a rule is at a path or at the start of it. */
  hasRules(path: readonly string[]): boolean;
  /** Undefined where only a base document can be at the path. Does not wait for a program that is at hand. */
  forPath(path: readonly string[]): PathProgram | Promise<PathProgram> | undefined;
  /** The plan of a query binds what the query does. Rejects with CompileErrors. */
  forQuery(
    text: string,
    unsafeBuiltins: ReadonlySet<string> | undefined,
    metrics: Metrics | undefined,
    instrument: boolean,
  ): Promise<Target>;
  /** A policy as it was compiled. */
  compiledModule(id: string): Module | undefined;
  /** What was made for whole rules and packages, or kept of an earlier run, by their paths. */
  made(): ReadonlyMap<string, Target | Uint8Array>;
  /** What is at which place of the rule tree. */
  units(): KeptUnit;
}

export class Programs implements ProgramSource {
  readonly #compiled: Compiled;
  /** The same for the planner, which knows one more built-in than authors do. */
  readonly #planned: Compiled;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #language: Language;
  readonly #units: Units;
  /** By path of a rule or package: there are only as many as there are rules. */
  readonly #whole = new Map<string, Target | Promise<Target>>();
  /** By whole path, whose last segments are the client's. */
  readonly #partial = new LruCache<Target>(keptPrograms);
  readonly #queries = new LruCache<Target>(keptPrograms);

  constructor(compiled: Compiled, builtins: ReadonlyMap<string, Builtin>, language: Language) {
    this.#compiled = compiled;
    this.#builtins = new Map(builtins).set(solutionNumber.name, solutionNumber);
    this.#planned = { ...compiled, options: { ...compiled.options, builtins: this.#builtins } };
    this.#language = language;
    this.#units = new Units(compiled.ruleTree);
  }

  /** A policy with its rules as they are run. */
  compiledModule(id: string): Module | undefined {
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
    // A function has no value, and where it is there is no document either.
    if (place.unit.kind === 'function') return undefined;
    const { unit, length } = place;
    const rest = path.slice(length);
    if (rest.length > 0 && (unit.kind === 'set' || unit.kind === 'object')) return this.#belowKeys(path);
    const prefix = rest.length === 0 ? path : path.slice(0, length);
    const key = prefix.join('\u0000');
    const known = this.#whole.get(key);
    if (known instanceof Promise) return known.then((target) => ({ target, rest }));
    if (known !== undefined) return { target: known, rest };
    const made = this.#make({ name: 'decision', path: prefix });
    this.#whole.set(key, made);
    return made.then(
      (target) => {
        this.#whole.set(key, target);
        return { target, rest };
      },
      (error) => {
        this.#whole.delete(key);
        throw error;
      },
    );
  }

  /** The parts of a rule with keys are asked for one by one, as computing the whole may be dear. */
  async #belowKeys(path: readonly string[]): Promise<PathProgram> {
    const key = path.join('\u0000');
    let target = this.#partial.get(key);
    if (target === undefined) {
      const terms: Term[] = path.map((segment) =>
        isInteger(segment) ? numberTerm(nowhere, String(Number(segment))) : stringTerm(nowhere, segment),
      );
      const ref = refTerm(nowhere, [varTerm(nowhere, 'data'), ...terms]);
      const body = [callExpr(nowhere, operatorRef(nowhere, 'eq'), [varTerm(nowhere, 'result'), ref])];
      target = await this.#make({ name: 'decision', query: { body, names: new Map(), types: undefined, diagnostics: [] } });
      this.#partial.set(key, target);
    }
    return { target, rest: [] };
  }

  made(): ReadonlyMap<string, Target> {
    return new Map([...this.#whole].filter((entry): entry is [string, Target] => !(entry[1] instanceof Promise)));
  }

  units(): KeptUnit {
    return keptUnit(this.#units);
  }

  async forQuery(
    text: string,
    unsafeBuiltins: ReadonlySet<string> | undefined,
    metrics: Metrics | undefined,
    instrument: boolean,
  ): Promise<Target> {
    const key = `${[...(unsafeBuiltins ?? [])].join()}\u0000${text}`;
    const started = performance.now();
    const known = this.#queries.get(key);
    if (known !== undefined) {
      metrics?.since(timers.queryCompile, started);
      return known;
    }
    const parsed = parseQuery(text, { regoVersion: this.#language });
    metrics?.since(timers.queryParse, started);
    const compiling = performance.now();
    const options = {
      ...this.#compiled.options,
      ...(unsafeBuiltins !== undefined && { unsafeBuiltins }),
      ...(instrument && metrics !== undefined && { onTimer: (name: string, nanoseconds: number) => metrics.add(name, nanoseconds) }),
    };
    const { body } = captureValues(parsed, this.#compiled);
    const query = compileQuery(this.#compiled, body, { options });
    if (query.diagnostics.length > 0) throw compileErrors(query.diagnostics);
    const target = await this.#make({ name: 'query', query: numbered(query) });
    metrics?.since(timers.queryCompile, compiling);
    this.#queries.set(key, target);
    return target;
  }

  async #make(request: PlanRequest): Promise<Target> {
    const executable = await preparePlanned(plan(this.#planned, [request]), this.#builtins);
    return { executable, plan: executable.program.plans.get(request.name)! };
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

/** A segment that is a whole number stands for that number. */
export function isInteger(segment: string): boolean {
  return /^[+-]?\d{1,15}$/.test(segment);
}
