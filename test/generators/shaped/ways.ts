/**
 * Policies that are decided in three ways: by a walk over the plan, on the VM and in generated
 * code.
 */

import { compileQuery } from '../../../compiler/pipeline.js';
import { plan } from '../../../compiler/plan/planner.js';
import { parseQuery } from '../../../compiler/syntax/query.js';
import { loadProgram } from '../../../engine/load-program.js';
import type { Policy } from '../../../ir-schema/plan.js';
import { AnswerRecord } from '../../../runtime/evaluation/answer-record.js';
import { ArrayIndexes } from '../../../runtime/evaluation/array-indexes.js';
import type { CodegenMode, EngineContext } from '../../../runtime/evaluation/engine-context.js';
import { Evaluation, EvaluationPool } from '../../../runtime/evaluation/evaluation.js';
import type { EvaluationOptions } from '../../../runtime/evaluation/evaluation-options.js';
import { type Executable, resultOf } from '../../../runtime/evaluation/executable.js';
import { interpretPlan } from '../../../runtime/vm/plan-interpreter.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { builtins } from '../../../values/builtins/registry.js';
import { exactText } from '../../../values/json/exact-json.js';
import { toJson } from '../../../values/json/json.js';
import { RegoSet } from '../../../values/set.js';
import { allAtOnce } from '../../../values/steps.js';
import { isArray, isObject, type Value } from '../../../values/value.js';
import { answerOf, sameAnswer, showAnswer } from '../../harness/answers.js';
import { compiledPolicy, isPlannable } from '../random-policy.js';
import { type End, endOf } from './ends.js';

/** Modules, and the queries to plan. */
export interface PolicyTexts {
  readonly texts: readonly string[];
  readonly queries: readonly string[];
}

/** What to decide upon. */
export interface Documents {
  readonly input: Value | undefined;
  readonly data: Value;
}

/** Policies and decisions by their outcome, to see what a generator makes. */
export const noCounts = () => ({ refused: 0, compiled: 0, defined: 0, undefined: 0, errors: 0, limits: 0, missedErrors: 0 });

export type Counts = ReturnType<typeof noCounts>;

/** Indexes are made at the third scan of an array. */
const repetitions = 4;
const instructions = 200_000;

/**
 * The first difference between the ways, with the policy and its documents; undefined where there
 * is none. Each query is decided several times on each documents.
 */
export async function differenceOf(
  { texts, queries }: PolicyTexts,
  documents: readonly Documents[],
  strictBuiltinErrors: boolean,
  counts: Counts,
): Promise<string | undefined> {
  const shown = () => [...texts, ...queries, `strict ${strictBuiltinErrors}`, ...documents.map(showDocuments)].join('\n');
  try {
    const policy = planOf(texts, queries);
    if (policy === undefined) {
      counts.refused++;
      return undefined;
    }
    counts.compiled++;
    const ways = new Ways(policy, await loadProgram(policy, builtins), { instructions, strictBuiltinErrors });
    for (const [step, given] of documents.entries()) {
      for (const [i, query] of queries.entries()) {
        const found = ways.differenceOf(`${i}`, given, counts);
        if (found !== undefined) return `${query}, documents ${step}, ${found}\n${shown()}`;
      }
    }
    return undefined;
  } catch (error) {
    throw new Error(`${(error as Error).stack}\n${shown()}`, { cause: error });
  }
}

function showDocuments({ input, data }: Documents): string {
  return `input ${input === undefined ? 'undefined' : exactText(input)}\ndata ${exactText(data)}`;
}

/** A plan for each query, by its number; undefined where the policy is refused. */
function planOf(texts: readonly string[], queries: readonly string[]): Policy | undefined {
  const compiled = compiledPolicy(texts);
  if (compiled === undefined) return undefined;
  const requests = queries.map((text, i) => ({ name: `${i}`, query: compileQuery(compiled, parseQuery(text)) }));
  return requests.every(({ query }) => isPlannable(query.diagnostics)) ? plan(compiled, requests) : undefined;
}

function contextOf(codegen: CodegenMode): EngineContext {
  return { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes(), codegen };
}

interface Outcome {
  readonly results: readonly Value[];
  readonly end: End;
}

/**
 * Copies of documents; parts that they share are shared again. Indexes and orders are kept beside
 * values, so a way has less work where another one has been.
 */
class Copies {
  readonly #copies = new Map<Value, Value>();

  of({ input, data }: Documents): Documents {
    return { input: input === undefined ? undefined : this.#copy(input), data: this.#copy(data) };
  }

  #copy(value: Value): Value {
    if (!isArray(value) && !isObject(value)) return value;
    let copy = this.#copies.get(value);
    if (copy === undefined) {
      const entries = Object.entries(value).map(([key, inner]) => [key, this.#copy(inner as Value)] as const);
      // Not by assignment, for `__proto__`.
      copy = isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
      this.#copies.set(value, copy);
    }
    return copy;
  }
}

/** The ways, each with the state that its decisions share. */
class Ways {
  readonly #policy: Policy;
  readonly #executable: Executable;
  readonly #options: EvaluationOptions;
  readonly #vm = contextOf('never');
  readonly #code = contextOf('always');
  readonly #decided = contextOf('always');
  readonly #pool = new EvaluationPool(this.#decided);
  readonly #vmCopies = new Copies();
  readonly #codeCopies = new Copies();

  constructor(policy: Policy, executable: Executable, options: EvaluationOptions) {
    this.#policy = policy;
    this.#executable = executable;
    this.#options = options;
  }

  differenceOf(name: string, given: Documents, counts: Counts): string | undefined {
    const walked = this.#walk(name, given);
    const [forVm, forCode] = [this.#vmCopies.of(given), this.#codeCopies.of(given)];
    for (let i = 0; i < repetitions; i++) {
      const vm = this.#run(name, forVm, this.#vm);
      const code = this.#run(name, forCode, this.#code);
      const [left, leftOfCode] = [leftOf(vm), leftOf(code)];
      if (left !== undefined && leftOfCode !== undefined && leftOfCode !== left)
        return `decision ${i}: work left on the VM ${left}, of code ${leftOfCode}`;
      if (isOther(code, vm.end)) return `decision ${i}: VM ${show(vm.end)}, code ${show(code.end)}`;
      if (differs(vm, walked)) return `decision ${i}: walk ${showAnswer(walked)}, VM ${show(vm.end)}`;
      if (i === 0) note(counts, vm, 'error' in walked);
      const wanted = 'results' in vm.end ? { ...vm.end, results: textOf(resultOf(vm.results)) } : vm.end;
      for (const one of [this.#decide(name, given), this.#standing(name, given)])
        if (one !== undefined && isOther(one, wanted)) return `decision ${i}: VM ${show(wanted)}, decided ${show(one.end)}`;
    }
    return undefined;
  }

  #walk(name: string, { input, data }: Documents): ReturnType<typeof answerOf> {
    const evaluation = new Evaluation(this.#vm, { ...this.#options, instructions: 10 * instructions }, new AnswerRecord());
    return answerOf(() => interpretPlan(this.#policy, { plan: name, input, data }, builtins, evaluation));
  }

  #run(name: string, { input, data }: Documents, context: EngineContext): Outcome {
    const evaluation = new Evaluation(context, this.#options, new AnswerRecord());
    let results: readonly Value[] = [];
    const run = () => (results = this.#executable.run(this.#plan(name), input, data, evaluation));
    const end = endOf(evaluation, run, (all) => toJson(new RegoSet(all)));
    return { results, end };
  }

  /** As engines decide. */
  #decide(name: string, { input, data }: Documents): Outcome {
    const evaluation = this.#pool.take(this.#options);
    const end = endOf(evaluation, () => this.#executable.decide(this.#plan(name), input, data, evaluation), textOf);
    if ('left' in end) this.#pool.give(evaluation);
    return { results: [], end };
  }

  /** As they decide without options, where a plan is hot. */
  #standing(name: string, { input, data }: Documents): Outcome | undefined {
    if (this.#options.strictBuiltinErrors === true) return undefined;
    const plan = this.#plan(name);
    allAtOnce(this.#executable.heat!(plan, this.#executable));
    const standing = this.#executable.standing!(plan, this.#decided);
    if (standing === undefined) return undefined;
    const evaluation = new Evaluation(this.#decided, {}, new AnswerRecord());
    return { results: [], end: endOf(evaluation, () => standing.decide(input, data), textOf) };
  }

  #plan(name: string): number {
    return this.#executable.entrypoints.get(name)!;
  }
}

function textOf(value: Value | undefined): string {
  return value === undefined ? 'undefined' : toJson(value);
}

/** Undefined for an error: a limit may end one of the ways only. */
function leftOf({ end }: Outcome): number | undefined {
  return 'left' in end ? end.left : undefined;
}

function isLimit(end: End): boolean {
  return 'code' in end && end.code === 'eval_cancel_error';
}

/** Whether the program ends otherwise than the walk. */
function differs({ results, end }: Outcome, walked: ReturnType<typeof answerOf>): boolean {
  if (isLimit(end)) return false;
  // A loop that has its answer does not come by an error in a later round: these are counted.
  if ('error' in walked) return 'code' in end && !walked.error.startsWith('eval_cancel_error') && showError(end) !== walked.error;
  return 'code' in end || !sameAnswer({ results: new RegoSet(results) }, walked) || end.results !== showAnswer(walked);
}

function showError({ code, detail }: Extract<End, { readonly code: string }>): string {
  return `${code}: ${detail}`;
}

/** Limits are looked at in other places, so one may end one of the ways only. */
function isOther({ end }: Outcome, wanted: End): boolean {
  return !isLimit(end) && !isLimit(wanted) && show(end) !== show(wanted);
}

function note(counts: Counts, { results, end }: Outcome, isErrorOfWalk: boolean): void {
  if (isLimit(end)) counts.limits++;
  else if ('code' in end) counts.errors++;
  else if (isErrorOfWalk) counts.missedErrors++;
  else if (results.length === 0) counts.undefined++;
  else counts.defined++;
}

function show(end: End): string {
  return 'results' in end ? end.results : JSON.stringify(end);
}
