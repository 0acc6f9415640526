/** Programs of one set of policies, by path or by query. They are planned when first asked for. */

import { type Compiled, type Module, PlanInputs, type PlanRequest, planSteps } from '../../compiler/index.js';
import type { Policy } from '../../ir-schema/index.js';
import { type Builtin, checkedSteps, inSlices, type Steps, withRows } from '../../values/index.js';
import { type EvaluationTarget, targetOf } from '../evaluation/evaluate.js';
import { type Metrics, timers } from '../evaluation/metrics.js';
import { solutionNumber } from '../evaluation/solutions.js';
import { mapKeyOfPath, pathOfKey } from '../paths/path-key.js';
import { type CompileElsewhere, compileQueryPlan, type QueryLimits } from './compile-query.js';
import type { Language } from './language.js';
import { linkAtOnce, linkInSlices } from './link-plan.js';
import { leadingNames, partQuery, pathErrors } from './path-queries.js';
import { type CacheEntry, isValidFor, PlanCache } from './plan-cache.js';
import type { PathProgram, ProgramSource, RuleOutline } from './program-source.js';
import { RulePlaces } from './rule-places.js';

/**
 * Programs for a path or a query of more characters are not kept: clients choose the text, and a
 * program is larger than its text.
 */
const longestKey = 16 * 1024;

/** A longer query is compiled in a thread, where there is one: some stages take it in one step. */
const longQuery = 4096;

export interface ProgramsOptions {
  /** The built-ins; a version with others shares nothing with the one before. */
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly language: Language;
  /** Takes long queries. */
  readonly compileElsewhere?: CompileElsewhere | undefined;
}

export class Programs implements ProgramSource {
  readonly #compiled: Compiled;
  readonly #options: ProgramsOptions;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #places: RulePlaces;
  readonly #cache: PlanCache;
  readonly #version: number;
  /**
   * Programs that were planned ahead, until they are asked for: in the cache, the version before
   * would take it for out of date.
   */
  readonly #ahead = new Map<string, CacheEntry>();

  /** @param previous programs of an earlier version, with the same options */
  constructor(compiled: Compiled, options: ProgramsOptions, previous?: Programs) {
    this.#compiled = compiled;
    this.#options = options;
    this.#builtins = previous === undefined ? withRows(options.builtins, [solutionNumber]) : previous.#builtins;
    this.#places = new RulePlaces(compiled.ruleTree);
    this.#cache = previous === undefined ? new PlanCache() : previous.#cache;
    this.#cache.prune(compiled.ruleTree);
    this.#version = this.#cache.newVersion();
  }

  async compiledModule(id: string): Promise<Module | undefined> {
    const module = this.#compiled.modules.get(id);
    // The stages have replaced the imports' names by full paths.
    return module && { ...module.parsed, imports: [], rules: module.rules.map(({ rule }) => rule) };
  }

  hasRules(path: readonly string[]): boolean {
    const place = this.#places.locate(path);
    return place !== undefined && place.unit.kind !== 'package';
  }

  mayMeetRules(paths: readonly (readonly string[])[]): boolean {
    return paths.some((path) => this.#places.locate(path) !== undefined);
  }

  /** Whether a rule other than a function is at a path, above or below it. */
  answers(path: readonly string[]): boolean {
    const place = this.#places.locate(path);
    return place !== undefined && this.#places.paths(place.unit).length > 0;
  }

  /** The paths of all rules but functions, in their order. */
  rules(): readonly (readonly string[])[] {
    return this.#places.paths();
  }

  /** See `RulePlaces.namesAt`. */
  namesAt(path: readonly string[]): readonly string[] {
    return this.#places.namesAt(path);
  }

  outline(): RuleOutline {
    return this.#places.outline();
  }

  /**
   * Plans the paths anew that the version before decides in generated code, so that the first
   * decisions of this one do not wait for it. What is not planned in time, or not without errors,
   * is planned when it is asked for.
   * @param until a reading of `performance.now()`
   */
  async planAhead(until: number): Promise<void> {
    const inTime = <Result>(steps: Steps<Result>) =>
      checkedSteps(steps, () => {
        if (performance.now() > until) throw new Error('planning ahead takes too long');
      });
    for (const [key, before] of this.#outdated()) {
      const inputs = new PlanInputs();
      const planning = planSteps(this.#compiled, [{ name: 'decision', path: pathOfKey(key) }], { inputs });
      try {
        const entry = this.#prepare(inTime(planning), 'decision', inputs);
        const { executable, plan } = await entry.result;
        if (executable.heat !== undefined) await inSlices(inTime(executable.heat(plan, before.executable)));
        this.#ahead.set(key, entry);
      } catch {
        if (performance.now() > until) return;
      }
    }
  }

  forPath(path: readonly string[]): PathProgram | Promise<PathProgram> | undefined {
    const place = this.#places.locate(path);
    if (place === undefined) return undefined;
    const { unit, length } = place;
    if (unit.kind === 'function') throw pathErrors(this.#compiled, path, this.#options.language);
    const rest = path.slice(length);
    if (rest.length > 0 && (unit.kind === 'set' || unit.kind === 'object')) return this.#belowKeys(path);
    const prefix = path.slice(0, length);
    const key = mapKeyOfPath(prefix);
    let entry = this.#whole(key);
    if (entry === undefined) {
      entry = this.#plan({ name: 'decision', path: prefix });
      this.#cache.whole.set(key, entry);
    }
    const { result: target } = entry;
    return target instanceof Promise ? target.then((ready) => ({ target: ready, rest })) : { target, rest };
  }

  /** The parts of a rule with keys are planned one by one: the whole may take long to compute. */
  async #belowKeys(path: readonly string[]): Promise<PathProgram> {
    const key = mapKeyOfPath(path);
    let entry = this.#current(this.#cache.partial.get(key));
    if (entry === undefined) {
      entry = this.#plan({ name: 'decision', query: partQuery(path) });
      if (key.length <= longestKey) this.#cache.partial.set(key, entry);
    }
    return { target: await entry.result, rest: [] };
  }

  /**
   * Without waiting. Undefined where only a base document can be at the path, or a function is. Of
   * a rule with keys the whole is planned: a plan for each key would keep others waiting. Where
   * rules of other packages are below the rule, their conflicts must not end the decision.
   */
  forPathAtOnce(path: readonly string[]): PathProgram | undefined {
    const place = this.#places.locate(path);
    if (place === undefined || place.unit.kind === 'function') return undefined;
    const prefix = path.slice(0, place.length);
    const key = mapKeyOfPath(prefix);
    const rest = path.slice(place.length);
    const names = place.unit.kind === 'object' && place.unit.node.children.size > 0 ? leadingNames(rest) : [];
    if (names.length > 0) return { target: this.#partAtOnce([...prefix, ...names]), rest: rest.slice(names.length) };
    const known = this.#whole(key)?.result;
    if (known !== undefined && !(known instanceof Promise)) return { target: known, rest };
    const inputs = new PlanInputs();
    const planning = planSteps(this.#compiled, [{ name: 'decision', path: prefix }], { inputs });
    const target = this.#planAtOnce(planning, 'decision');
    this.#cache.whole.set(key, { result: target, inputs, version: this.#version, failed: false });
    return { target, rest };
  }

  #partAtOnce(path: readonly string[]): EvaluationTarget {
    const key = mapKeyOfPath(path);
    const known = this.#current(this.#cache.partial.get(key))?.result;
    if (known !== undefined && !(known instanceof Promise)) return known;
    const inputs = new PlanInputs();
    const planning = planSteps(this.#compiled, [{ name: 'decision', query: partQuery(path) }], { inputs });
    const result = this.#planAtOnce(planning, 'decision');
    if (key.length <= longestKey)
      this.#cache.partial.set(key, { result, inputs, version: this.#version, failed: false });
    return result;
  }

  made(): ReadonlyMap<string, EvaluationTarget> {
    const targets = new Map<string, EvaluationTarget>();
    for (const [key, entry] of this.#cache.whole) {
      if (!(entry.result instanceof Promise) && this.#current(entry) !== undefined) targets.set(key, entry.result);
    }
    return targets;
  }

  async forQuery(
    text: string,
    unsafeBuiltins: ReadonlySet<string> | undefined,
    metrics: Metrics | undefined,
    instrument: boolean,
    limits: QueryLimits,
  ): Promise<EvaluationTarget> {
    const key = queryKey(text, unsafeBuiltins);
    const started = metrics === undefined ? 0 : performance.now();
    const known = this.#current(this.#cache.queries.get(key));
    if (known !== undefined) {
      metrics?.since(timers.queryCompile, started);
      return await known.result;
    }
    const { language, compileElsewhere } = this.#options;
    const compilation = { language, unsafeBuiltins, metrics, instrument };
    if (text.length > longQuery && compileElsewhere !== undefined)
      return await compileElsewhere(this.#compiled, text, {
        ...compilation,
        timeMs: limits.timeMs,
        // A signal is made only for a query that may take long.
        signal: limits.caller?.signal,
      });
    const inputs = new PlanInputs();
    const entry = this.#prepare(compileQueryPlan(this.#compiled, text, compilation, inputs), 'query', inputs);
    const target = await entry.result;
    if (key.length <= longestKey) this.#cache.queries.set(key, entry);
    return target;
  }

  /** Throws CompileErrors. */
  forQueryAtOnce(text: string): EvaluationTarget {
    const key = queryKey(text, undefined);
    const known = this.#current(this.#cache.queries.get(key))?.result;
    if (known !== undefined && !(known instanceof Promise)) return known;
    const inputs = new PlanInputs();
    const compilation = {
      language: this.#options.language,
      unsafeBuiltins: undefined,
      metrics: undefined,
      instrument: false,
    };
    const target = this.#planAtOnce(compileQueryPlan(this.#compiled, text, compilation, inputs), 'query');
    const entry = { result: target, inputs, version: this.#version, failed: false };
    if (key.length <= longestKey) this.#cache.queries.set(key, entry);
    return target;
  }

  /** The program of a whole rule or package, if it is planned. */
  #whole(key: string): CacheEntry | undefined {
    const entry = this.#current(this.#cache.whole.get(key));
    const ahead = this.#ahead.get(key);
    if (entry !== undefined || ahead === undefined) return entry;
    this.#ahead.delete(key);
    this.#cache.whole.set(key, ahead);
    return ahead;
  }

  /** Plans in generated code by path, where the rules have changed. */
  *#outdated(): Iterable<readonly [string, EvaluationTarget]> {
    for (const [key, entry] of [...this.#cache.whole]) {
      const { result: target } = entry;
      if (target instanceof Promise || target.executable.isHot?.(target.plan) !== true) continue;
      const path = pathOfKey(key);
      const place = this.#places.locate(path);
      const isThere = place !== undefined && place.length === path.length && place.unit.kind !== 'function';
      if (isThere && this.#current(entry) === undefined) yield [key, target];
    }
  }

  /** An entry that is valid for these policies. */
  #current(entry: CacheEntry | undefined): CacheEntry | undefined {
    return entry !== undefined && isValidFor(entry, this.#version, this.#compiled.ruleTree) ? entry : undefined;
  }

  #plan(request: PlanRequest): CacheEntry {
    const inputs = new PlanInputs();
    return this.#prepare(planSteps(this.#compiled, [request], { inputs }), request.name, inputs);
  }

  #planAtOnce(planning: Steps<Policy>, name: string): EvaluationTarget {
    return targetOf(linkAtOnce(planning, this.#builtins), name);
  }

  #prepare(planning: Steps<Policy>, name: string, inputs: PlanInputs): CacheEntry {
    const result = linkInSlices(planning, this.#builtins).then((executable) => targetOf(executable, name));
    const entry: CacheEntry = { result, inputs, version: this.#version, failed: false };
    result.then(
      (ready) => {
        entry.result = ready;
      },
      () => {
        entry.failed = true;
      },
    );
    return entry;
  }
}

function queryKey(text: string, unsafeBuiltins: ReadonlySet<string> | undefined): string {
  return `${[...(unsafeBuiltins ?? [])].join()}\u0000${text}`;
}
