/** A decision that an engine is asked for again and again: its path or query, and its options. */

import { EvaluationError, noOptions, type StandingDecision } from '../runtime/index.js';
import { isObject, type PlainObject, timerMs, type Value } from '../values/index.js';
import { type Caller, type Decided, type DecideOptions, exactly } from './evaluation/decide-options.js';
import { evaluateAll, evaluateResult, type ResultSets, sized } from './evaluation/evaluate.js';
import type { Evaluator } from './evaluation/evaluator.js';
import { timedOut } from './evaluation/in-threads.js';
import { cacheHit, type Metrics, timers } from './evaluation/metrics.js';
import { BudgetedOptions } from './evaluation/slice-limits.js';
import { partOf } from './paths/path-parts.js';
import type { Question } from './paths/question.js';
import { type PathOrQuery, pathQuestionIn, queryQuestionIn, questionAtOnce } from './paths/resolve.js';
import type { Version } from './version.js';
import type { Versions } from './versions.js';

/** An answer that is made of another decision's result. */
class DecisionOfPart implements StandingDecision {
  readonly #whole: StandingDecision;
  readonly #answerOf: NonNullable<Question['answerOf']>;

  constructor(whole: StandingDecision, answerOf: NonNullable<Question['answerOf']>) {
    this.#whole = whole;
    this.#answerOf = answerOf;
  }

  decide(input: Value | undefined, data: Value): Value | undefined {
    return this.#answerOf(this.#whole.decide(input, data), data);
  }
}

/** The query of a longer path is not timed: its stages do not pause. */
const longestTimed = 100;

/**
 * Good for one version: it knows the plans that answer there. Asked in a later version, it is
 * prepared for that one first, which is quick if nothing that it reads has changed.
 */
export class Prepared {
  readonly #versions: Versions;
  readonly #evaluator: Evaluator;
  readonly #asked: PathOrQuery;
  readonly #budgeted: BudgetedOptions;
  #version: Version | undefined;
  #question: Question | undefined;
  /** The answer without options, once it is decided in generated code. */
  #standing: StandingDecision | undefined;
  /** Whether it answers with `data` as a whole, of which the engine's own documents are no part. */
  readonly #hidesSystem: boolean;
  /** The version in which it decided last. */
  #decidedIn = -1;

  constructor(versions: Versions, evaluator: Evaluator, asked: PathOrQuery, options: DecideOptions = {}) {
    this.#versions = versions;
    this.#evaluator = evaluator;
    this.#asked = asked;
    this.#hidesSystem = versions.hidesSystem && 'path' in asked && asked.path.length === 0;
    this.#budgeted = new BudgetedOptions(options);
  }

  /** Plans for the current version, if that has not been done. Throws CompileErrors. */
  question(): Question {
    return this.#known ?? this.#keep(this.#versions.now, questionAtOnce(this.#versions.now, this.#asked));
  }

  /**
   * Plans for the version of now in slices, and loads the libraries of built-ins that the plan
   * calls. Rejects with CompileErrors.
   */
  async plan(): Promise<Question> {
    const version = this.#versions.now;
    const asked = this.#asked;
    const question =
      'path' in asked
        ? pathQuestionIn(version, asked)
        : queryQuestionIn(await this.#versions.policiesOf(version), asked.query);
    return this.#keep(version, await question);
  }

  get #known(): Question | undefined {
    return this.#version === this.#versions.now ? this.#question : undefined;
  }

  #keep(version: Version, question: Question): Question {
    this.#version = version;
    this.#question = question;
    this.#standing = undefined;
    return question;
  }

  /**
   * The value, without waiting. Throws an EvaluationError; its code is `eval_wait_error` if a
   * built-in has to wait.
   */
  atOnce(input: Value | undefined, options: DecideOptions = this.#budgeted.options): Value | undefined {
    const standing = options === noOptions ? this.standing : undefined;
    return standing === undefined ? this.#evaluated(input, options) : standing.decide(input, this.documents);
  }

  /** The value without waiting, with its timers. Throws CompileErrors as well. */
  timedAtOnce(input: Value | undefined, options: DecideOptions, metrics: Metrics): Value | undefined {
    const isNew = this.#known === undefined;
    metrics.set(cacheHit, isNew ? 0 : 1);
    if (isNew) metrics.time(timers.queryCompile, () => this.question());
    return metrics.time(timers.queryEval, () => this.#evaluated(input, options));
  }

  /** The decision without options in generated code, if it is made there in the version of now. */
  get standing(): StandingDecision | undefined {
    return this.#version === this.#versions.now ? this.#standing : undefined;
  }

  /** The base documents of now. */
  get documents(): PlainObject {
    return this.#evaluator.store.root;
  }

  #evaluated(input: Value | undefined, options: DecideOptions): Value | undefined {
    const { store, context, pool } = this.#evaluator;
    const { root } = store;
    const question = this.question();
    const { targets, answerOf } = question;
    if (answerOf === undefined) {
      const answer = question.answer(evaluateAll(targets, { input, data: root }, context, options), root);
      return sized(this.#visible(answer), options);
    }
    const [target] = targets;
    const result = evaluateResult(target!, input, root, pool, options);
    if (this.#hidesSystem) return sized(this.#visible(answerOf(result, root)), options);
    if (options === noOptions) {
      const whole = target!.executable.standing?.(target!.plan, context);
      const isWhole = question.isWhole || question.isWholeOver?.(root) === true;
      this.#standing = whole === undefined || isWhole ? whole : new DecisionOfPart(whole, answerOf);
    }
    return sized(question.isWhole ? result : answerOf(result, root), options);
  }

  /**
   * The document at the path. It may share parts with documents that the next commit writes in
   * place: `use` gets it before that can happen. Rejects with an EvaluationError or CompileErrors.
   * @param given options of this decision, in the place of all that it was prepared with
   * @param evaluator of this decision, over the same documents
   */
  async decide<T>(
    input: Value | undefined,
    use: (decided: Decided) => T,
    caller?: Caller,
    given?: DecideOptions,
    evaluator = this.#evaluator,
  ): Promise<T> {
    const { store } = evaluator;
    let budgeted = given === undefined ? this.#budgeted : new BudgetedOptions(given);
    const { metrics } = budgeted.options;
    const { number } = this.#versions.now;
    const isNew = this.#decidedIn !== number;
    this.#decidedIn = number;
    metrics?.set(cacheHit, isNew ? 0 : 1);
    if (isNew && metrics !== undefined && budgeted.options.instrument === true) await this.#timeStages(metrics);
    const compiling = metrics === undefined ? 0 : performance.now();
    let question = this.#known;
    // A commit may come in between.
    for (; question === undefined; question = this.#known) budgeted = await this.#planInTime(budgeted);
    if (isNew) metrics?.since(timers.queryCompile, compiling);
    const { active, revision } = this.#versions.now;
    const evaluating = metrics === undefined ? 0 : performance.now();
    const finish = (answer: Value | undefined): T => {
      const value = this.#visible(answer);
      metrics?.since(timers.queryEval, evaluating);
      return use({ value: sized(value, budgeted.options), bundles: active, revision, hold: () => store.hold() });
    };
    const { targets, answerOf } = question;
    if (targets.length === 0) return finish(question.answer([], store.root));
    const asked = { targets, input };
    const listener = question.isWhole ? caller : exactly(caller);
    const answered = (data: PlainObject) => (sets: ResultSets) => finish(question.answer(sets, data));
    if (targets.length > 1 || this.#readsDocument(question, store.root))
      return await evaluator.holding((held) =>
        evaluator.all({ ...asked, held }, budgeted, answered(held.root), listener),
      );
    if (answerOf === undefined) return await evaluator.all(asked, budgeted, answered({}), listener);
    return await evaluator.decision(asked, budgeted, (result) => finish(answerOf(result, {})), listener);
  }

  /** Times the stages of a path; those of a query are timed where it is compiled. */
  async #timeStages(metrics: Metrics): Promise<void> {
    const { policies, plans } = this.#versions.now;
    const path = 'path' in this.#asked ? this.#asked.path : [];
    if (path.length === 0 || path.length > longestTimed || policies === undefined || plans.namesFor(path).length > 0)
      return;
    const [{ timeStages }, compiled] = await Promise.all([
      import('./policies/path-queries.js'),
      this.#versions.compiled(),
    ]);
    timeStages(compiled, path, metrics);
  }

  /**
   * Plans, and answers the options with the time that is left. A plan that comes too late is kept
   * for later decisions.
   */
  async #planInTime(budgeted: BudgetedOptions): Promise<BudgetedOptions> {
    const { options } = budgeted;
    const { timeMs = 0, timeIncludesPlanning = false } = options;
    const limit = timeIncludesPlanning && timeMs > 0 ? timeMs : undefined;
    if (limit === undefined) {
      await this.plan();
      return budgeted;
    }
    const started = performance.now();
    const planned = this.plan();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new EvaluationError('eval_cancel_error', timedOut)), timerMs(limit));
    });
    await Promise.race([planned, late]).finally(() => clearTimeout(timer));
    return new BudgetedOptions({ ...options, timeMs: Math.max(1, limit - (performance.now() - started)) });
  }

  /**
   * Whether a base document is part of the answer. Most entrypoints have none, and then no version
   * is held: for a held version, commits copy the objects that they write into.
   */
  #readsDocument({ readsData }: Question, root: PlainObject): boolean {
    return readsData && 'path' in this.#asked && partOf(root, this.#asked.path) !== undefined;
  }

  #visible(value: Value | undefined): Value | undefined {
    if (!this.#hidesSystem || value === undefined || !isObject(value) || !Object.hasOwn(value, 'system')) return value;
    return Object.fromEntries(Object.entries(value as PlainObject).filter(([key]) => key !== 'system'));
  }
}
