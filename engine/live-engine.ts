/** Policies and documents that change while decisions are made: one version after the other, each whole. */
import type { Module } from '../compiler/ast/nodes.js';
import { compileModules } from '../compiler/pipeline.js';
import type { Compiled } from '../compiler/resolve/compiled.js';
import type { CompileOptions } from '../compiler/resolve/options.js';
import { VersionedMap } from '../compiler/resolve/versioned-map.js';
import type { Builtin } from '../runtime/builtins/builtin.js';
import { builtins as ownBuiltins } from '../runtime/builtins/registry.js';
import type { Bundle } from '../runtime/bundle/bundle.js';
import { BundleError } from '../runtime/bundle/errors.js';
import type { EngineContext } from '../runtime/evaluation/context.js';
import { StoreError } from '../runtime/store/errors.js';
import { MemoryStore } from '../runtime/store/memory.js';
import { readPath } from '../runtime/store/path.js';
import type { DataOperation, HeldVersion, Store, Transaction } from '../runtime/store/store.js';
import { inSlices, type Steps } from '../runtime/values/steps.js';
import { isObject, type PlainObject, type Value } from '../runtime/values/value.js';
import { buildInfo } from './build-info.js';
import { createContext } from './context.js';
import { Evaluator } from './evaluation/evaluator.js';
import type { LongEvaluations } from './evaluation/long-evaluations.js';
import { cacheHit, timers } from './evaluation/metrics.js';
import { checkSize } from './evaluation/result-size.js';
import { inOrder } from './evaluation/solutions.js';
import { Entrypoints, inFrontOf, partOf, type Question } from './paths/entrypoints.js';
import { pathKey } from './paths/path-key.js';
import { currentPlatform, type Platform } from './platform.js';
import { activate, type Draft } from './policies/bundle-changes.js';
import { checkDataOwnership, checkPolicyOwnership } from './policies/bundle-roots.js';
import { type Language, parsePolicySteps, recompile } from './policies/compile-policies.js';
import type { CompileElsewhere } from './policies/compile-query.js';
import { checkDataConflicts } from './policies/data-conflicts.js';
import { parseModuleValue } from './policies/module-value.js';
import { PolicyDraft } from './policies/policy-draft.js';
import { fingerprint, type KeptRun, packRun, RestoredPrograms, unpackRun } from './policies/program-snapshot.js';
import { longQuery, type PathProgram, type ProgramSource, Programs } from './policies/programs.js';
import {
  type ActiveBundle,
  type Caller,
  type Change,
  type CommitOptions,
  type CommitReport,
  type Decided,
  type DecideOptions,
  type PolicyEngine,
  PolicyError,
  type PolicyRecord,
  type ProgramSnapshots,
  type QueryOptions,
} from './policy-engine.js';
import { planTargets } from './prepare.js';

export interface LiveEngineOptions {
  readonly platform?: Platform;
  readonly builtins?: ReadonlyMap<string, Builtin>;
  /** How policies are read that do not say so themselves. */
  readonly language?: Language;
  readonly compile?: Pick<CompileOptions, 'capabilities' | 'errorLimit' | 'print' | 'schemas' | 'strict' | 'unsafeBuiltins'>;
  /** What `opa.runtime` answers beside the version, the environment (`env`) included. */
  readonly runtime?: PlainObject;
  /** The hosts that `http.send`, `net.lookup_ip_addr` and `$ref`s of JSON schemas may ask; undefined allows all, an empty list none. */
  readonly allowNet?: readonly string[] | undefined;
  /** Where evaluations go that take long; without, they stay and others wait. */
  readonly longEvaluations?: LongEvaluations | undefined;
  /** Where queries are compiled that are long; it must know the same built-ins. */
  readonly compileElsewhere?: CompileElsewhere | undefined;
}

interface GivenPolicy {
  readonly id: string;
  /** Undefined deletes. */
  readonly raw: string | undefined;
  /** What locations call it. */
  readonly file: string;
}

/** What one reader sees from beginning to end. */
interface Version {
  readonly number: number;
  readonly records: VersionedMap<PolicyRecord>;
  readonly bundles: ReadonlyMap<string, Bundle>;
  readonly active: readonly ActiveBundle[];
  /** Compiles where that has not been done. */
  readonly compiled: () => Promise<Compiled>;
  readonly programs: ProgramSource;
  /** Plans of bundles that bring no modules. */
  readonly plans: Entrypoints;
  readonly hasPlans: boolean;
}

const rememberedPaths = 10_000;

/** A path that is longer is not remembered. */
const longestRemembered = 1024;

/** What is known of a path in one version. */
interface Asked {
  readonly version: number;
  /** Under which of the caller's names it was asked for: see `DecideOptions`. */
  readonly caches: (string | undefined)[];
  /** Undefined until it is at hand; `none` where only a base document can be there. */
  program: PathProgram | 'none' | undefined;
}

/** How long a commit waits for evaluations that hold the documents; after that it copies what it changes. */
const longestWaitMs = 20;

export class LiveEngine implements PolicyEngine {
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #language: Language;
  readonly #compileOptions: CompileOptions;
  readonly #surroundings: EngineContext;
  readonly #evaluator: Evaluator;
  readonly #compileElsewhere: CompileElsewhere | undefined;
  readonly #store: Store;
  readonly #hold = () => this.#store.hold();
  #version: Version;
  #queue: Promise<unknown> = Promise.resolve();
  /** Programs of an earlier run. */
  #offered: KeptRun | undefined;
  /** What was packed last: for which policies, and how many programs. */
  #packed = '';
  readonly keeper: ProgramSnapshots | undefined;
  /** What is known of the paths asked for since the last change. */
  #asked = new Map<string, Asked>();
  /** The same by the caller's array: a server passes the same one again and again. */
  readonly #askedWith = new WeakMap<readonly string[], Asked>();

  constructor(options: LiveEngineOptions = {}) {
    const platform = options.platform ?? currentPlatform();
    this.#builtins = options.builtins ?? ownBuiltins;
    this.#language = options.language ?? 'v1';
    this.#compileElsewhere = options.compileElsewhere;
    this.#compileOptions = { print: true, ...options.compile, builtins: this.#builtins };
    const { runtime, allowNet } = options;
    this.#surroundings = createContext(platform, { runtime, allowNet, parseModule: parseModuleValue });
    const version = {
      version: buildInfo.version,
      build_commit: buildInfo.commit,
      build_timestamp: buildInfo.timestamp,
      build_hostname: buildInfo.hostname,
    };
    if (platform.host.crypto !== undefined) {
      this.keeper = {
        pack: () => this.#pack(),
        offer: async (bytes) => {
          this.#offered = await unpackRun(bytes);
        },
      };
    }
    this.#store = new MemoryStore({ system: { version } }, { transferred: true });
    this.#evaluator = new Evaluator(this.#store, this.#surroundings, options.longEvaluations);
    const compiled = compileModules({ modules: new Map(), options: this.#compileOptions });
    this.#version = {
      number: 0,
      records: VersionedMap.of([]),
      bundles: new Map(),
      active: [],
      compiled: async () => compiled,
      programs: this.#programsOf(compiled),
      plans: new Entrypoints(new Map()),
      hasPlans: false,
    };
  }

  policies(): readonly PolicyRecord[] {
    return [...this.#version.records.values()];
  }

  policy(id: string): PolicyRecord | undefined {
    return this.#version.records.get(id);
  }

  compiledModule(id: string): Promise<Module | undefined> {
    return this.#version.programs.compiledModule(id);
  }

  bundles(): readonly ActiveBundle[] {
    return this.#version.active;
  }

  readData(path: readonly string[]): Value | undefined {
    try {
      return readPath(this.#store.root, path);
    } catch (error) {
      if (error instanceof StoreError) return undefined;
      throw error;
    }
  }

  isVirtual(path: readonly string[]): boolean {
    return this.#version.programs.hasRules(path);
  }

  commit(change: Change, options: CommitOptions = {}): Promise<CommitReport> {
    const done = this.#queue.then(() => this.#commit(change, options));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #commit(change: Change, options: CommitOptions): Promise<CommitReport> {
    const before = this.#version;
    // Others were at it for so long.
    if (isPast(options)) throw tooLate();
    if (options.unlessAt !== undefined && this.readData(options.unlessAt) !== undefined) return { version: before.number, done: false };
    if (options.ignoreRoots !== true) checkDataOwnership(change, before.active);
    const documents = this.#store.begin();
    try {
      const next = await this.#next(before, change, documents, options);
      await this.#store.whenFree(longestWaitMs);
      // From here on nothing waits: readers see documents and policies change together.
      documents.commit();
      this.#version = next;
      this.#asked = new Map();
      return { version: next.number, done: true };
    } catch (error) {
      documents.abort();
      throw error;
    }
  }

  /** The version that a change makes. Its documents are those of the transaction. */
  async #next(before: Version, change: Change, documents: Transaction, options: CommitOptions): Promise<Version> {
    const { metrics } = options;
    const transferred = change.bundlesTransferred === true;
    const draft: Draft = { records: new PolicyDraft(before.records), documents, bundles: new Map(before.bundles), transferred };
    if (change.bundles !== undefined) activate(draft, change.bundles, this.#language, metrics);
    const during = <Result>(steps: Steps<Result>) => untilPast(options, steps);
    const changesPolicies = await inSlices(during(this.#changePolicies(draft, change, before, options)));
    const { data: operations = [] } = change;
    if (operations.length < manyOperations) for (const operation of operations) documents.write(operation);
    else await inSlices(during(writeSteps(documents, operations)));
    const occupied = (path: readonly string[]) => documents.occupied(path);
    const records = draft.records.all();
    let { compiled, programs, plans, hasPlans, active } = before;
    if (changesPolicies || change.bundles !== undefined) {
      const restored = change.bundles === undefined ? undefined : this.#restored({ records, bundles: draft.bundles }, occupied);
      if (restored !== undefined) ({ compiled, programs } = restored);
      else {
        const previous = programs instanceof Programs ? programs : undefined;
        const old = previous && { compiled: await compiled(), changes: draft.records.changes };
        const made = await recompile(records, occupied, this.#compileOptions, { metrics, before: old, during });
        compiled = async () => made;
        programs = this.#programsOf(made, previous);
        options.check?.([...records.values()]);
      }
    } else {
      const written = operations.filter(({ op }) => op !== 'remove').map(({ path }) => path);
      const mayConflict = !(programs instanceof RestoredPrograms) || programs.mayMeetRules(written);
      if (mayConflict) checkDataConflicts((await compiled()).ruleTree, occupied, written);
    }
    if (change.bundles !== undefined) {
      // Where a bundle has modules, those answer; its plan is for engines that have no compiler.
      const planned = [...draft.bundles.values()].filter(({ modules }) => modules.length === 0);
      const targets = await planTargets(planned, this.#builtins, (message) => new BundleError('conflict', message));
      plans = new Entrypoints(targets);
      hasPlans = targets.size > 0;
      active = activeBundles(draft.bundles);
    }
    return { number: before.number + 1, records, bundles: draft.bundles, active, compiled, programs, plans, hasPlans };
  }

  /** Answers whether there is something to compile. */
  *#changePolicies(draft: Draft, { policies, files }: Change, before: Version, options: CommitOptions): Steps<boolean> {
    let touched = false;
    for (const [id, raw] of policies ?? []) {
      const isTouched = yield* this.#changePolicy(draft, { id, raw, file: files?.get(id) ?? id }, before, options);
      touched ||= isTouched;
      yield;
    }
    return touched;
  }

  *#changePolicy(draft: Draft, { id, raw, file }: GivenPolicy, before: Version, options: CommitOptions): Steps<boolean> {
    const existing = draft.records.get(id);
    const checks = options.ignoreRoots !== true;
    if (existing !== undefined && checks) checkPolicyOwnership(existing, before.active);
    if (raw === undefined) {
      if (existing === undefined)
        throw new PolicyError('storage_not_found_error', `storage_not_found_error: policy id ${JSON.stringify(id)}`);
      draft.records.delete(id);
      return true;
    }
    if (existing?.raw === raw) return false;
    const record = yield* parsePolicySteps(
      { id, raw, file },
      { language: this.#language, maxStatementTokens: options.maxStatementTokens },
      options.metrics,
    );
    if (checks) checkPolicyOwnership(record, before.active);
    draft.records.set(id, record);
    return true;
  }

  /** What an earlier run kept of the same policies; undefined where there is nothing, or where documents would be in the rules' way. */
  #restored(
    draft: Pick<Version, 'records' | 'bundles'>,
    occupied: (path: readonly string[]) => boolean,
  ): Pick<Version, 'compiled' | 'programs'> | undefined {
    const run = this.#offered;
    if (run === undefined || run.fingerprint !== this.#fingerprint(draft)) return undefined;
    this.#offered = undefined;
    let made: Promise<Compiled> | undefined;
    // Documents were looked at when the policies became visible, and are with each write.
    const compiled = () => (made ??= recompile(draft.records, () => false, this.#compileOptions));
    const programs = new RestoredPrograms(run, this.#builtins, async () => this.#programsOf(await compiled()));
    return programs.meetsDocuments(occupied) ? undefined : { compiled, programs };
  }

  #fingerprint({ records, bundles }: Pick<Version, 'records' | 'bundles'>): string | undefined {
    const { crypto } = this.#surroundings.host;
    if (crypto === undefined) return undefined;
    const { builtins, ...options } = this.#compileOptions;
    return fingerprint(records, bundles, this.#builtins, { ...options, language: this.#language }, crypto);
  }

  async #pack(): Promise<Uint8Array | undefined> {
    const version = this.#version;
    const made = version.programs.made();
    const mark = this.#fingerprint(version);
    const state = `${mark} ${made.size}`;
    if (mark === undefined || state === this.#packed) return undefined;
    this.#packed = state;
    return await packRun({ fingerprint: mark, units: version.programs.units() }, made);
  }

  #programsOf(compiled: Compiled, previous?: Programs): Programs {
    return new Programs(compiled, this.#builtins, this.#language, previous, this.#compileElsewhere);
  }

  decide(path: readonly string[], input: Value | undefined, options?: DecideOptions): Promise<Decided>;
  decide<T>(
    path: readonly string[],
    input: Value | undefined,
    options: DecideOptions,
    use: (decided: Decided) => T,
    caller?: Caller,
  ): Promise<T>;
  async decide<T>(
    path: readonly string[],
    input: Value | undefined,
    options: DecideOptions = {},
    use: (decided: Decided) => T = (decided) => decided as T,
    caller?: Caller,
  ): Promise<T> {
    const { metrics } = options;
    const asked = this.#askedFor(path);
    const isNew = !asked.caches.includes(options.cache);
    if (isNew) asked.caches.push(options.cache);
    metrics?.set(cacheHit, isNew ? 0 : 1);
    const compiling = metrics === undefined ? 0 : performance.now();
    let version = this.#version;
    let { program } = asked;
    while (program === undefined) {
      const found: PathProgram | undefined = await version.programs.forPath(path);
      if (version !== this.#version) version = this.#version;
      else {
        program = found ?? 'none';
        if (asked.version === version.number) asked.program = program;
      }
    }
    if (isNew) metrics?.since(timers.queryCompile, compiling);
    const evaluating = metrics === undefined ? 0 : performance.now();
    const finish = (found: Value | undefined): T => {
      const value = path.length === 0 && found !== undefined ? withoutSystem(found) : found;
      metrics?.since(timers.queryEval, evaluating);
      if (value !== undefined && options.resultSize !== undefined) checkSize(value, options.resultSize);
      return use({ value, bundles: version.active, hold: this.#hold });
    };
    // No entrypoint has a segment with a slash in it.
    const asksPlans = version.hasPlans && !path.some((segment) => segment.includes('/'));
    const question = asksPlans ? version.plans.ask(path.join('/'), () => path) : undefined;
    if (question !== undefined && question.targets.length > 0) {
      const [target] = question.targets;
      // Most ask for an entrypoint, and nothing else is there: then no version need be held, which would have commits copy what they write into.
      if (question.targets.length === 1 && program === 'none' && partOf(this.#store.root, path) === undefined)
        return this.#evaluator.one(target!, input, options, (results) => finish(question.answer([answerOf(results)], {})), exactly(caller));
      return await this.#evaluator.holding(async (held) => {
        return finish(await this.#withPlans(question, program, path, input, options, held, exactly(caller)));
      });
    }
    if (program === 'none') return finish(partOf(this.#store.root, path));
    const { target, rest } = program;
    return this.#evaluator.one(
      target,
      input,
      options,
      (results) => finish(partOf(answerOf(results), rest)),
      rest.length === 0 ? caller : exactly(caller),
    );
  }

  #askedFor(path: readonly string[]): Asked {
    const version = this.#version.number;
    let asked = this.#askedWith.get(path);
    if (asked !== undefined && asked.version === version) return asked;
    const key = pathKey(path);
    asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = { version, caches: [], program: undefined };
      if (this.#asked.size < rememberedPaths && key.length <= longestRemembered) this.#asked.set(key, asked);
    }
    this.#askedWith.set(path, asked);
    return asked;
  }

  /** What the entrypoints of plans answer at a path stands before what is there otherwise. */
  async #withPlans(
    question: Question,
    program: PathProgram | 'none',
    path: readonly string[],
    input: Value | undefined,
    options: DecideOptions,
    held: HeldVersion,
    caller: Caller | undefined,
  ): Promise<Value | undefined> {
    const targets = program === 'none' ? question.targets : [...question.targets, program.target];
    const values = (await this.#evaluator.all(targets, input, options, held, caller)).map(answerOf);
    const own = program === 'none' ? partOf(held.root, path) : partOf(values.pop(), program.rest);
    return inFrontOf(own, question.answer(values, held.root));
  }

  async query<T>(
    text: string,
    input: Value | undefined,
    options: QueryOptions,
    use: (solutions: readonly PlainObject[], hold: Decided['hold']) => T,
    caller?: Caller,
  ): Promise<T> {
    const { metrics, unsafeBuiltins, instrument } = options;
    const compiling = performance.now();
    let version = this.#version;
    const limits = { timeMs: options.timeMs, ...(caller !== undefined && text.length > longQuery && { signal: caller.signal }) };
    let target = await version.programs.forQuery(text, unsafeBuiltins, metrics, instrument === true, limits);
    while (version !== this.#version) {
      version = this.#version;
      target = await version.programs.forQuery(text, unsafeBuiltins, metrics, instrument === true, limits);
    }
    const evaluating = performance.now();
    const finish = (results: readonly Value[]) => {
      metrics?.since(timers.queryEval, evaluating);
      return use(inOrder(results), this.#hold);
    };
    const { timeMs = 0 } = options;
    // Compiling and evaluating have one time together.
    const left = timeMs === 0 ? options : { ...options, timeMs: Math.max(1, timeMs - (evaluating - compiling)) };
    return await this.#evaluator.one(target, input, left, finish, caller);
  }
}

function isPast({ until = Number.POSITIVE_INFINITY }: CommitOptions): boolean {
  return performance.now() > until;
}

function tooLate(): PolicyError {
  return new PolicyError('timed_out', 'the change was not done in time');
}

/** Steps that end with a PolicyError once it is too late for a commit. */
function* untilPast<Result>(options: CommitOptions, steps: Steps<Result>): Steps<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (isPast(options)) throw tooLate();
    yield;
  }
}

/** With so many, others have their turns in between. */
const manyOperations = 256;

function* writeSteps(documents: Transaction, operations: readonly DataOperation[]): Steps {
  for (const [i, operation] of operations.entries()) {
    documents.write(operation);
    if (i % manyOperations === 0) yield;
  }
}

/** The same caller, for values of which parts are looked up: sets have none by position. */
function exactly(caller: Caller | undefined): Caller | undefined {
  if (caller?.wantsJson !== true) return caller;
  return {
    get signal() {
      return caller.signal;
    },
    take: (bytes) => caller.take?.(bytes),
  };
}

/** The document that a plan made for a decision binds. */
function answerOf(results: readonly Value[]): Value | undefined {
  return (results[0] as PlainObject | undefined)?.result;
}

function activeBundles(bundles: ReadonlyMap<string, Bundle>): readonly ActiveBundle[] {
  return [...bundles]
    .map(([name, { manifest }]) => ({ name, revision: manifest.revision, roots: manifest.roots }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The engine's own documents do not show in `data` as a whole. */
function withoutSystem(value: Value): Value {
  if (!isObject(value) || !Object.hasOwn(value, 'system')) return value;
  return Object.fromEntries(Object.entries(value as PlainObject).filter(([key]) => key !== 'system'));
}
