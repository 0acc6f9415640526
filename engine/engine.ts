/** The engine: policies, documents and bundles in versions, and decisions while they change. */

import type { Compiled, Module, PlanOptions, PlanRequest } from '../compiler/index.js';
import { MemoryStore, readPath, type Store, StoreError } from '../runtime/index.js';
import { builtins as ownBuiltins, type PlainObject, type Value } from '../values/index.js';
import { systemDocument } from './build-info.js';
import type { Change, CommitOptions, CommitReport } from './change.js';
import { nextVersion } from './commit.js';
import { checkInTime } from './commit-deadline.js';
import type { EngineOptions } from './engine-options.js';
import type { Caller, Decided, DecideOptions, QueryOptions } from './evaluation/decide-options.js';
import type { ResultSets } from './evaluation/evaluate.js';
import { Evaluator } from './evaluation/evaluator.js';
import type { LongEvaluations } from './evaluation/long-evaluations.js';
import { timers } from './evaluation/metrics.js';
import type { PartialQuery } from './evaluation/partial-query.js';
import type { LabelledQuestion, RuleLabelsOptions } from './evaluation/rule-labels.js';
import { BudgetedOptions } from './evaluation/slice-limits.js';
import { inOrder } from './evaluation/solutions.js';
import type { Trace, TraceOptions } from './evaluation/trace.js';
import type { TracedQuestion } from './evaluation/trace-question.js';
import { checkDataOwnership } from './policies/bundles/bundle-roots.js';
import { mayHaveLabels } from './policies/labelled.js';
import type { PolicySettings } from './policies/next-policies.js';
import { Prepared } from './prepared.js';
import type { PreparedProgram } from './prepared-program.js';
import { ProgramSnapshots } from './program-snapshots.js';
import type { PartialResult } from './query/partial/partial.js';
import { Revisions } from './revisions.js';
import { SerialQueue } from './serial-queue.js';
import { createContext, type SharedContext } from './shared-context.js';
import type { ActiveBundle, PolicyRecord, Version } from './version.js';
import { Versions } from './versions.js';
import type { Watches } from './watches/watches.js';

/** A commit waits so long for evaluations that hold the documents, and then copies. */
const longestWaitMs = 20;

/** Readers see one version from beginning to end and never wait; commits are queued. */
export class Engine {
  readonly context: SharedContext;
  readonly store: Store;
  readonly evaluator: Evaluator;
  /** The version of now, and the policies of each. */
  readonly versions: Versions;
  /** Undefined where programs are not kept: on platforms without hashes, and for the library. */
  readonly snapshots: ProgramSnapshots | undefined;
  readonly #settings: PolicySettings;
  readonly #holdsAll: boolean;
  readonly #commits = new SerialQueue();
  readonly #replicate: EngineOptions['replicate'];
  readonly #long: LongEvaluations | undefined;
  #watches: Promise<Watches> | undefined;
  #amend: (change: Change) => Change = (change) => change;
  readonly #revisions = new Revisions();

  constructor({ context = createContext({ host: {} }), data, builtins = ownBuiltins, ...options }: EngineOptions = {}) {
    const { language = 'v1', compileElsewhere, loadsLibraries = false, endsSoon = false, onWarning } = options;
    const compile = { print: true, ...options.compile, builtins };
    this.context = context;
    this.#holdsAll = data !== undefined && options.transferred !== true;
    this.store = new MemoryStore(data ?? { system: systemDocument() }, { transferred: !this.#holdsAll });
    if (this.#holdsAll) this.store.hold();
    this.evaluator = new Evaluator(this.store, context, options.longEvaluations);
    this.#long = options.longEvaluations;
    this.#replicate = options.replicate;
    this.#settings = { builtins, language, compile, compileElsewhere, loadsLibraries, endsSoon, onWarning };
    this.versions = new Versions(this.#settings, data === undefined || options.hidesSystem === true);
    const { crypto } = context.host;
    // Restored programs make no decisions at once.
    this.snapshots =
      crypto && !loadsLibraries ? new ProgramSnapshots(crypto, this.#settings, () => this.version) : undefined;
  }

  /** An engine with the same settings over other documents, which has no policies yet. */
  alike(data: PlainObject): Engine {
    const { builtins, language, compile } = this.#settings;
    return new Engine({ context: this.context, data, hidesSystem: this.hidesSystem, builtins, language, compile });
  }

  get version(): Version {
    return this.versions.now;
  }

  /** See `Versions`. */
  get hidesSystem(): boolean {
    return this.versions.hidesSystem;
  }

  /** In order of their ids. */
  policies(): readonly PolicyRecord[] {
    return [...this.version.records.values()];
  }

  policy(id: string): PolicyRecord | undefined {
    return this.version.records.get(id);
  }

  /**
   * The tree of a policy after all stages: names and imports resolved, locals renamed, calls and
   * refs moved out of terms.
   */
  async compiledModule(id: string): Promise<Module | undefined> {
    return await this.version.policies?.programs.compiledModule(id);
  }

  /** In order of their names. */
  bundles(): readonly ActiveBundle[] {
    return this.version.active;
  }

  /** The base document at a path, undefined where there is none: good until the next commit. */
  readData(path: readonly string[]): Value | undefined {
    try {
      return readPath(this.store.root, path);
    } catch (error) {
      if (error instanceof StoreError) return undefined;
      throw error;
    }
  }

  /**
   * Whether a rule is at the path or on the way to it: there may then be a document, which depends
   * on the input.
   */
  isVirtual(path: readonly string[]): boolean {
    return this.version.policies?.programs.hasRules(path) === true;
  }

  /** Whether what is below a path is documents alone: no rule, no plan, and not the root. */
  isBase(path: readonly string[]): boolean {
    const { policies, plans } = this.version;
    return path.length > 0 && policies?.programs.mayMeetRules([path]) !== true && plans.namesFor(path).length === 0;
  }

  /**
   * Parses, compiles and checks a change, then makes all of it visible. Rejects with CompileErrors,
   * PolicyError, StoreError or BundleError, and then nothing has changed.
   * @param change or a function that returns it when it is the commit's turn; undefined does
   * nothing
   */
  commit(
    change: Change | (() => Change | undefined | Promise<Change | undefined>),
    options: CommitOptions = {},
  ): Promise<CommitReport> {
    return this.#commits.run(async () => this.#commit(typeof change === 'function' ? await change() : change, options));
  }

  async #commit(given: Change | undefined, options: CommitOptions): Promise<CommitReport> {
    const before = this.version;
    // Other commits may have taken its time.
    checkInTime(options);
    if (given === undefined) return { version: before.number, revision: before.revision, done: false };
    const owned = options.skipsRoots === true ? await this.#unowned(given) : given;
    const change = options.revision === undefined ? this.#amend(owned) : owned;
    const fills = options.fills ?? change !== owned;
    if (options.ignoreRoots !== true) checkDataOwnership(change, before.active);
    const documents = this.store.begin();
    let replicated: (() => Promise<void>) | undefined;
    try {
      const next = await nextVersion(
        before,
        change,
        documents,
        { settings: this.#settings, snapshots: this.snapshots },
        { ...options, fills },
      );
      await this.#loadParser(next);
      const revision = options.revision === undefined ? before.revision : await options.revision(change);
      if (!this.#holdsAll) await this.store.whenFree(longestWaitMs);
      // From here on nothing waits: readers see documents and policies change together.
      replicated = this.#replicate?.(change, revision);
      documents.commit();
      if (next.policies !== before.policies || next.plans !== before.plans) this.context.keptResults?.clear();
      this.versions.now = { ...next, revision };
      this.#revisions.reached(revision);
    } catch (error) {
      documents.abort();
      throw error;
    }
    await replicated?.();
    return { version: this.version.number, revision: this.version.revision, done: true };
  }

  /** Resolves with false where a revision is not reached in time, or the waiting is aborted. */
  async whenRevision(revision: number, timeMs: number, signal?: AbortSignal): Promise<boolean> {
    return this.version.revision >= revision || (await this.#revisions.wait(revision, timeMs, signal));
  }

  /**
   * Sets what is added to each change of files and bundles, when it is its turn: what a log has
   * written over them.
   */
  amendBy(amend: (change: Change) => Change): void {
    this.#amend = amend;
  }

  async #unowned(change: Change): Promise<Change> {
    if (this.version.active.length === 0) return change;
    const { unownedPart } = await import('./policies/bundles/unowned.js');
    const { language, compile } = this.#settings;
    return await unownedPart(change, this.version, (path) => this.readData(path), {
      language,
      capabilities: compile.capabilities,
    });
  }

  /** For `rego.parse_module`. */
  async #loadParser({ policies, plans }: Version): Promise<void> {
    if (this.context.parseModule !== undefined || (policies === undefined && !plans.calls('rego.parse_module'))) return;
    this.context.parseModule = (await import('./policies/module-value.js')).parseModuleValue;
  }

  /** A decision to be made again and again. It is planned when it is first made. */
  prepare(path: readonly string[], options?: DecideOptions): Prepared {
    return new Prepared(this.versions, this.evaluator, { path }, options);
  }

  /**
   * The solutions of a query, to be found again and again: an array of objects by variable. Rejects
   * with CompileErrors.
   */
  async prepareQuery(query: string, options?: DecideOptions): Promise<Prepared> {
    // To compile nothing makes policies that a query can be compiled against.
    await this.commit(() => (this.version.policies === undefined ? { parsed: new Map() } : undefined));
    const prepared = new Prepared(this.versions, this.evaluator, { query }, options);
    await prepared.plan();
    return prepared;
  }

  decide(path: readonly string[], input: Value | undefined, options?: DecideOptions): Promise<Decided>;
  decide<T>(
    path: readonly string[],
    input: Value | undefined,
    options: DecideOptions,
    use: (decided: Decided) => T,
    caller?: Caller,
  ): Promise<T>;
  /** One decision; a segment that is a whole number indexes arrays. See `Prepared.decide`. */
  decide<T>(
    path: readonly string[],
    input: Value | undefined,
    options: DecideOptions = {},
    use: (decided: Decided) => T = (decided) => decided as T,
    caller?: Caller,
  ): Promise<T> {
    return this.prepare(path, options).decide(input, use, caller);
  }

  /**
   * The solutions of a query: the variables that each binds; `use` as for decisions. Rejects with
   * CompileErrors for a query that does not compile.
   */
  async query<T>(
    text: string,
    input: Value | undefined,
    options: QueryOptions,
    use: (solutions: readonly PlainObject[], decided: Omit<Decided, 'value'>) => T,
    caller?: Caller,
  ): Promise<T> {
    const { metrics, unsafeBuiltins, instrument, timeMs = 0 } = options;
    const started = performance.now();
    for (;;) {
      const version = this.version;
      const { programs } = await this.versions.policiesOf(version);
      const target = await programs.forQuery(text, unsafeBuiltins, metrics, instrument === true, { timeMs, caller });
      if (version !== this.version) continue;
      const evaluating = performance.now();
      const finish = ([results = []]: ResultSets) => {
        metrics?.since(timers.queryEval, evaluating);
        return use(inOrder(results), {
          bundles: version.active,
          revision: version.revision,
          hold: () => this.store.hold(),
        });
      };
      // Compiling and evaluating have one time limit.
      const left = timeMs === 0 ? options : { ...options, timeMs: Math.max(1, timeMs - (evaluating - started)) };
      return await this.evaluator.all({ targets: [target], input }, new BudgetedOptions(left), finish, caller);
    }
  }

  /**
   * The trace of a decision or a query. Called where the decision is used, before the first wait,
   * it is of the same policies and documents. Rejects with CompileErrors.
   */
  async trace(asked: TracedQuestion, input: Value | undefined, options: TraceOptions): Promise<Trace> {
    const version = this.version;
    return await this.evaluator.holding(async ({ root }) => {
      const { traceOf } = await import('./evaluation/trace-question.js');
      const compiled = () => this.versions.compiled(version);
      return await traceOf(
        asked,
        { input, data: root },
        { version, compiled, settings: this.#settings, context: this.context },
        options,
      );
    });
  }

  /** Whether decisions may have labels: see `ruleLabels`. */
  get mayHaveRuleLabels(): boolean {
    return mayHaveLabels(this.version);
  }

  /**
   * Calls `use` with the labels (`# METADATA`) of the rules that hold in a decision, while its
   * documents are held. Undefined where they cannot be found in time. As `trace`, it is called
   * where the decision is used. A plan has no labels.
   */
  async ruleLabels(
    asked: LabelledQuestion,
    input: Value | undefined,
    options: RuleLabelsOptions,
    use: (labels: readonly PlainObject[] | undefined) => Promise<void>,
  ): Promise<void> {
    const version = this.version;
    await this.evaluator.holding(async ({ root }) => {
      if ('path' in asked && version.plans.size > 0 && version.plans.namesFor(asked.path).length > 0)
        return await use([]);
      const { ruleLabelsOf } = await import('./evaluation/rule-labels.js');
      const compiled = await this.versions.compiled(version);
      const parts = { settings: this.#settings, context: this.context };
      return await use(await ruleLabelsOf(asked, { input, data: root }, compiled, parts, options));
    });
  }

  /**
   * The residual of a query when a part of the input or of the data is unknown. Calls `use` before
   * the documents can change. Rejects with CompileErrors for a query that does not compile.
   */
  async partial<T>(
    asked: PartialQuery,
    input: Value | undefined,
    options: QueryOptions,
    use: (result: PartialResult, decided: Pick<Decided, 'revision'>) => T,
    caller?: Caller,
  ): Promise<T> {
    const { partialQuery } = await import('./evaluation/partial-query.js');
    for (;;) {
      const version = this.version;
      const compiled = await this.versions.compiled(version);
      // Policies and documents are of one version.
      if (version !== this.version) continue;
      return await this.evaluator.holding(async ({ root }) => {
        const surroundings = {
          compiled,
          language: this.#settings.language,
          documents: { input, data: root },
          context: this.context,
        };
        return use(await partialQuery(surroundings, asked, options, caller), version);
      });
    }
  }

  /** The decisions that are made again when something that they read changes. */
  watches(): Promise<Watches> {
    this.#watches ??= import('./watches/watches.js').then(({ Watches }) => new Watches(this, this.#long));
    return this.#watches;
  }

  /** Ends all watches. */
  async endWatches(): Promise<void> {
    (await this.#watches)?.end();
  }

  /** The policies of the current version, compiled: for queries that a caller compiles itself. */
  async compiled(): Promise<Compiled> {
    return await this.versions.compiled();
  }

  /**
   * A program of several plans over the current version, with the probes and the built-ins that the
   * options name. It answers from this version's policies and documents for good.
   */
  async plan(requests: readonly PlanRequest[], options: PlanOptions = {}): Promise<PreparedProgram> {
    const { planProgram } = await import('./plan-program.js');
    this.store.hold();
    return await planProgram(await this.compiled(), requests, options, {
      builtins: this.#settings.builtins,
      data: this.store.root,
      context: this.context,
    });
  }
}
