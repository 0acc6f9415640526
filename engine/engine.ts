/// <reference lib="esnext.disposable" preserve="true" />
// For users of the declarations, whose own settings may know no `Symbol.asyncDispose`.
import type { Host } from '../runtime/builtins/host.js';
import type { NamedBundle } from '../runtime/bundle/merge.js';
import type { EngineContext } from '../runtime/evaluation/context.js';
import { EvaluationError } from '../runtime/evaluation/errors.js';
import type { EvaluationOptions } from '../runtime/evaluation/options.js';
import { StoreError } from '../runtime/store/errors.js';
import { MemoryStore } from '../runtime/store/memory.js';
import { isDocumentObject, type Path } from '../runtime/store/path.js';
import type { HeldVersion, Store } from '../runtime/store/store.js';
import { lookup, objectGet } from '../runtime/values/compare.js';
import { type Json, parseJson, toJson, toPlain } from '../runtime/values/json/json.js';
import { jsonValue, placeOf } from '../runtime/values/json/plain-json.js';
import type { PlainObject, Value } from '../runtime/values/value.js';
import { createContext } from './context.js';
import { EngineError } from './engine-error.js';
import { allBuiltins, allowedHosts, checkOptions, checkPlans, type EngineOptions, plannable } from './engine-options.js';
import { EngineThreads } from './engine-threads.js';
import { type AsyncDecisionOptions, checkDecisionOptions, type DecisionOptions } from './evaluation/decision-options.js';
import { attemptAll, evaluate, evaluateAll, evaluateAsync, type ResultSets, type Target, Waiting } from './evaluation/evaluate.js';
import { checkSize } from './evaluation/result-size.js';
import { pathText, segmentsOf } from './paths/document-path.js';
import { Entrypoints, inFrontOf, partOf, type Question } from './paths/entrypoints.js';
import { currentPlatform } from './platform.js';
import type { SourcePolicies } from './policies/source-policies.js';
import { planTargets } from './prepare.js';
import { checkedDocument, readSources, type Source } from './sources.js';

/** A decision: `result` is left out where the document is undefined. */
export interface Decision<Result = Json> {
  readonly result?: Result;
}

/**
 * What decisions are made from beside the documents: never edited, so that each decision sees one
 * state from beginning to end.
 */
interface State {
  /**
   * Plans of bundles. Where a bundle has modules, and there is anything to compile, those answer.
   */
  readonly entrypoints: Entrypoints;
  /** Undefined where plans are all there is: then nothing of the compiler is loaded. */
  readonly sources: SourcePolicies | undefined;
}

const noOptions: AsyncDecisionOptions = {};

/** Policies and data, ready to decide. */
export class Engine {
  #state: State;
  readonly #store: Store;
  readonly #options: EngineOptions;
  readonly #surroundings: Mutable<EngineContext>;
  readonly #builtins: ReturnType<typeof allBuiltins>;
  readonly #bundles: readonly NamedBundle[];
  readonly #threads: EngineThreads;
  /** Aborted when the engine is closed. */
  readonly #closing = new AbortController();
  #changes: Promise<unknown> = Promise.resolve();
  #closed = false;
  /** With connections that are closed with the engine. */
  #ownHost: Host | undefined;

  private constructor(
    state: State,
    data: PlainObject,
    surroundings: Mutable<EngineContext>,
    builtins: ReturnType<typeof allBuiltins>,
    bundles: readonly NamedBundle[],
    options: EngineOptions,
  ) {
    this.#state = state;
    this.#options = options;
    this.#store = new MemoryStore(data, { transferred: options.ownsData === true });
    // What was given, and what was answered, stays as it is where every version is held for good.
    if (options.ownsData !== true) this.#store.hold();
    this.#surroundings = surroundings;
    this.#builtins = builtins;
    this.#bundles = bundles;
    this.#threads = new EngineThreads(options.platform ?? currentPlatform(), options.builtins ?? []);
  }

  /**
   * An engine over bundles, plans and policies, one or several: see `Source`. Bundles with plans
   * are answered by those; where there are policies without a plan, all are compiled together, and
   * paths planned when they are first asked for.
   * @example const engine = await Engine.open('bundle.tar.gz');
   * @example const engine = await Engine.open({ policies: { 'authz.rego': text }, data: { users } });
   * @throws EngineError (`invalid_source`, `invalid_option`, `invalid_data`, …), BundleError,
   * PlanError or VerifyError, CompileErrors
   */
  static async open(sources: Source | readonly Source[], options: EngineOptions = {}): Promise<Engine> {
    checkOptions(options);
    const platform = options.platform ?? currentPlatform();
    const builtins = allBuiltins(options);
    const { bundles, policies, data } = await readSources(sources, platform);
    checkPlans(bundles, options);
    const runtime = { env: { ...options.env }, ...options.runtime };
    const ownHost = platform.openHost?.();
    const surroundings: Mutable<EngineContext> = createContext(
      { host: ownHost ?? platform.host },
      { runtime, allowNet: allowedHosts(options) },
    );
    const compiles = policies !== undefined || bundles.some(({ bundle }) => bundle.modules.length > 0 && bundle.plans.length === 0);
    const entrypoints = new Entrypoints(await targetsOf(bundles, plannable(builtins, options), compiles));
    const engine = new Engine({ entrypoints, sources: undefined }, data, surroundings, builtins, bundles, options);
    engine.#ownHost = ownHost;
    const parses = entrypoints.names.some((name) => entrypoints.get(name)!.executable.builtins.includes('rego.parse_module'));
    if (parses || compiles) surroundings.parseModule = (await import('./policies/module-value.js')).parseModuleValue;
    if (compiles) await engine.#compile(policies ?? new Map());
    return engine;
  }

  /** How policies are read. */
  get #reading() {
    return { language: this.#options.regoVersion ?? 'v1', capabilities: this.#options.capabilities } as const;
  }

  /** Compiles the modules of all bundles and some texts. */
  async #compile(policies: ReadonlyMap<string, string>): Promise<void> {
    const { parseBundleModules, parsePolicies, SourcePolicies } = await compiler();
    const modules = new Map(this.#bundles.flatMap(({ bundle }) => [...parseBundleModules(bundle, this.#reading)]));
    for (const [name, module] of parsePolicies(policies, this.#reading)) {
      if (modules.has(name)) throw new EngineError('policy_conflict', `two sources have a policy ${name}`);
      modules.set(name, module);
    }
    const sources = await SourcePolicies.compile(modules, (path) => this.#store.occupied(path), this.#builtins, this.#reading);
    this.#state = { entrypoints: this.#state.entrypoints, sources };
  }

  /**
   * Adds a policy or puts another text in its place; undefined removes it. Whole or not at all:
   * decisions go on with what was there until the change is compiled. Changes are made one after
   * the other.
   * @throws CompileErrors where the text is no policy, or one that does not go with the others;
   * EngineError for a policy to remove that is not there
   */
  setPolicy(id: string, text: string | undefined): Promise<void> {
    return this.#change(async () => {
      if (typeof id !== 'string' || (text !== undefined && typeof text !== 'string'))
        throw new EngineError('invalid_source', 'a policy is set by its name and its text');
      const { parsePolicies } = await compiler();
      if (this.#state.sources === undefined) await this.#becomeSources();
      const sources = this.#state.sources!;
      if (text === undefined && !sources.hasPolicy(id)) throw new EngineError('undefined_policy', `there is no policy ${id}`);
      const changed = text === undefined ? new Map([[id, undefined]]) : parsePolicies(new Map([[id, text]]), this.#reading);
      this.#state = { ...this.#state, sources: await sources.with(changed, (path) => this.#store.occupied(path)) };
    });
  }

  /** From plans alone to policies: bundles that have modules are answered by those from now on. */
  async #becomeSources(): Promise<void> {
    const before = this.#state;
    const entrypoints = new Entrypoints(await targetsOf(this.#bundles, plannable(this.#builtins, this.#options), true));
    this.#state = { ...before, entrypoints };
    try {
      await this.#compile(new Map());
      this.#surroundings.parseModule ??= (await import('./policies/module-value.js')).parseModuleValue;
    } catch (error) {
      this.#state = before;
      throw error;
    }
  }

  /**
   * Writes a base document; objects on the way are made, undefined removes what is there. Whole or
   * not at all.
   * @param path `users/alice`, `data.users.alice`; empty for all documents
   * @param value any JSON value; stays as it is unless the engine owns its documents (`ownsData`);
   * change it no more
   * @throws PolicyError where a rule is; EngineError where the path leads through something that is
   * no object (`invalid_path`), or the value is no JSON (`invalid_data`)
   */
  setData(path: string, value: unknown): Promise<void> {
    return this.#change(async () => {
      const segments = segmentsOf(path);
      const given = value === undefined ? undefined : (checkedDocument(value, segments) as Value);
      const place = placeIn(this.#store.root, segments);
      if (place === 'none') throw new EngineError('invalid_path', `${path}: documents above it must be objects`);
      if (given === undefined && place === 'free') return;
      const documents = this.#store.begin();
      try {
        if (given === undefined && segments.length > 0) documents.write({ op: 'remove', path: segments });
        else documents.write({ op: 'write', path: segments, value: given ?? {}, transferred: this.#options.ownsData === true });
        if (given !== undefined) this.#state.sources?.checkData((occupied) => documents.occupied(occupied), segments);
        documents.commit();
      } catch (error) {
        if (error instanceof StoreError) throw new EngineError('invalid_path', error.message);
        throw error;
      } finally {
        documents.abort();
      }
    });
  }

  #change(change: () => Promise<void>): Promise<void> {
    const done = this.#changes.then(() => {
      this.#checkOpen();
      return change();
    });
    this.#changes = done.catch(() => undefined);
    return done;
  }

  /**
   * Paths of the entrypoints, such as `authz/allow`: of plans, and those that annotations of
   * policies name (`entrypoint: true`).
   */
  get entrypoints(): readonly string[] {
    this.#checkOpen();
    const { entrypoints, sources } = this.#state;
    if (sources === undefined) return entrypoints.names;
    // Where policies are compiled, those of a bundle answer in the place of its plan.
    const planned = this.#bundles.flatMap(({ bundle }) => bundle.plans.flatMap(({ policy }) => planNames(policy)));
    const answered = planned.filter((name) => this.has(name));
    return [...new Set([...entrypoints.names, ...answered, ...sources.entrypoints().map(pathText)])];
  }

  /**
   * Paths of all that can be asked for beside base documents: entrypoints of plans, and rules of
   * policies but functions. `decide` takes each as it is.
   * @example engine.rules(); // [ 'authz/allow', 'authz/roles' ]
   */
  rules(): readonly string[] {
    this.#checkOpen();
    const { entrypoints, sources } = this.#state;
    return [...new Set([...entrypoints.names, ...(sources?.rules().map(pathText) ?? [])])];
  }

  /**
   * Whether a rule, an entrypoint or a document is at a path, above or below it, so that a decision
   * may have a result.
   */
  has(path: string): boolean {
    this.#checkOpen();
    const { entrypoints, sources } = this.#state;
    if (entrypoints.has(path, segmentsOf)) return true;
    const segments = segmentsOf(path);
    return segments.length === 0 || sources?.answers(segments) === true || partOf(this.#store.root, segments) !== undefined;
  }

  /** The base documents. */
  get data(): PlainObject {
    this.#checkOpen();
    return this.#store.root;
  }

  /**
   * Decides at once. The result may share parts with the input and the engine's data: do not change
   * it. Numbers beyond what a double holds come back as the nearest double (see `decideText`).
   * @param path of an entrypoint or rule (`authz/allow`, or as in a policy, `data.authz.allow`),
   * below or above one, or of a base document
   * @param input any JSON value; members that are undefined count as absent; undefined for no input
   * at all
   * @example const { result = false } = engine.decide<boolean>('authz/allow', { user: 'alice' });
   * @throws EngineError for input that is no JSON (`invalid_input`), and with `strict` for a path
   * at which nothing is (`undefined_path`); EvaluationError, with the code `eval_wait_error` where
   * a built-in has to wait
   */
  decide<Result = Json>(path: string, input?: unknown, options: DecisionOptions = noOptions): Decision<Result> {
    if ((options as AsyncDecisionOptions | null)?.thread === true)
      throw new EngineError('invalid_option', 'decide has no threads: use decideAsync');
    return decision(this.value(path, inputValue(input), options)) as Decision<Result>;
  }

  /**
   * The same for built-ins that have to wait, such as `http.send`, and in a thread where the
   * options say so.
   */
  async decideAsync<Result = Json>(path: string, input?: unknown, options: AsyncDecisionOptions = noOptions): Promise<Decision<Result>> {
    return decision(await this.valueAsync(path, inputValue(input), options)) as Decision<Result>;
  }

  /**
   * From JSON text to JSON text, no digit lost: `{"result":…}`, or `{}` where the document is
   * undefined.
   * @param input undefined for no input at all
   * @throws JsonError where the input is no JSON; EngineError and EvaluationError as `decide`
   */
  decideText(path: string, input?: string, options: DecisionOptions = noOptions): string {
    if (input !== undefined && typeof input !== 'string')
      throw new EngineError('invalid_input', `input is no JSON text but of type ${typeof input}`);
    const value = this.value(path, input === undefined ? undefined : parseJson(input), options);
    return value === undefined ? '{}' : `{"result":${toJson(value)}}`;
  }

  /**
   * The document at a path as a value of the language. Whether the input is one is not looked at.
   */
  value(path: string, input: Value | undefined, options: DecisionOptions = noOptions): Value | undefined {
    if (options !== noOptions) checkDecisionOptions(options);
    const { root } = this.#store;
    const question = this.#ask(path);
    const { targets } = question;
    const values =
      targets.length === 1
        ? [resultOf(evaluate(targets[0]!, input, root, this.#surroundings, options))]
        : evaluateAll(targets, input, root, this.#surroundings, options).map(resultOf);
    return this.#answered(path, question, values, root, options);
  }

  /** The same, waiting for what built-ins wait for. */
  async valueAsync(path: string, input: Value | undefined, options: AsyncDecisionOptions = noOptions): Promise<Value | undefined> {
    if (options !== noOptions) checkDecisionOptions(options);
    return await this.#holding(async (held) => {
      const question = this.#ask(path);
      const results = await this.#evaluate(question.targets, input, held, options);
      return this.#answered(path, question, results.map(resultOf), held.root, options);
    });
  }

  async #evaluate(
    targets: readonly Target[],
    input: Value | undefined,
    held: HeldVersion,
    options: AsyncDecisionOptions,
  ): Promise<ResultSets> {
    if (options.thread === true && targets.length > 0)
      return await this.#threads.run(targets, input, held, this.#surroundings, { ...options, signal: this.#endOf(options) });
    const outcome = attemptAll(targets, input, held.root, this.#surroundings, options);
    // A signal costs more than most decisions: it is made only for those that wait.
    return outcome instanceof Waiting ? await outcome.finish(this.#endOf(options)) : outcome;
  }

  /** Aborted when the caller's is, or the engine is closed. */
  #endOf({ signal }: EvaluationOptions): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  async #holding<T>(work: (held: HeldVersion) => Promise<T>): Promise<T> {
    const held = this.#store.hold();
    try {
      return await work(held);
    } finally {
      held.release();
    }
  }

  #ask(path: string): Question {
    this.#checkOpen();
    const { entrypoints, sources } = this.#state;
    const planned = entrypoints.ask(path, segmentsOf);
    if (sources === undefined) return planned;
    const own = sources.ask(path, segmentsOf);
    const { length } = planned.targets;
    if (length === 0) return own;
    const answer: Question['answer'] = (values, data) =>
      inFrontOf(own.answer(values.slice(length), data), planned.answer(values.slice(0, length), data));
    return { targets: [...planned.targets, ...own.targets], answer };
  }

  #answered(
    path: string,
    question: Question,
    values: readonly (Value | undefined)[],
    data: Value,
    { strict = this.#options.strict, resultSize }: DecisionOptions,
  ): Value | undefined {
    const value = question.answer(values, data);
    if (value !== undefined && resultSize !== undefined) checkSize(value, resultSize);
    if (value === undefined && strict === true && !this.has(path)) {
      throw new EngineError(
        'undefined_path',
        `there is no rule, entrypoint or document at ${JSON.stringify(path)}; rules() lists what can be asked`,
      );
    }
    return value;
  }

  /** The whole result set of a plan, by its name: objects of bindings. */
  async resultSet(plan: string, input: Value | undefined, options: EvaluationOptions = noOptions): Promise<readonly Value[]> {
    checkDecisionOptions(options);
    this.#checkOpen();
    const target = this.#state.entrypoints.get(plan);
    if (target === undefined) throw new EngineError('undefined_entrypoint', `there is no plan ${plan}`);
    return await this.#holding((held) => evaluateAsync(target, input, held.root, this.#surroundings, options));
  }

  #checkOpen(): void {
    if (this.#closed) throw new EngineError('closed', 'the engine is closed');
  }

  /**
   * Ends threads, connections and decisions that wait; they reject, as does each later call.
   * Closing twice does no harm.
   */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#closing.abort();
    await Promise.all([this.#threads.close(), this.#ownHost?.network?.close()]);
  }

  /** `await using engine = await Engine.open(…)` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The compiler's part of an engine: an engine over plans alone never loads it. */
function compiler() {
  return import('./policies/source-policies.js');
}

function inputValue(input: unknown): Value | undefined {
  return input === undefined ? undefined : jsonValue(input, refusedInput);
}

function refusedInput({ path, problem }: { readonly path: readonly (string | number)[]; readonly problem: string }): EngineError {
  return new EngineError('invalid_input', `${placeOf('input', path)} ${problem}`);
}

/** What the plans of bundles answer; where policies are compiled, only of those that bring none. */
function targetsOf(bundles: readonly NamedBundle[], builtins: ReturnType<typeof allBuiltins>, compiles: boolean) {
  const planned = bundles.map(({ bundle }) => bundle).filter(({ modules }) => !compiles || modules.length === 0);
  return planTargets(planned, builtins, (message) => new EngineError('entrypoint_conflict', message));
}

/** Names of the plans in a plan document, which need not be well formed. */
function planNames(policy: unknown): readonly string[] {
  const plans = (policy as { plans?: { plans?: unknown } | null } | null)?.plans?.plans;
  if (!Array.isArray(plans)) return [];
  return plans.map((plan) => (plan as { name?: unknown } | null)?.name).filter((name) => typeof name === 'string');
}

/** What is at a path: `none` where something that is no object is above it. */
function placeIn(root: PlainObject, path: Path): 'taken' | 'free' | 'none' {
  let node: Value | undefined = root;
  for (const key of path) {
    if (!isDocumentObject(node)) return 'none';
    node = objectGet(node, key);
    if (node === undefined) return 'free';
  }
  return 'taken';
}

/** The document that an entrypoint's plan answers: it binds it to `result`. */
function resultOf(results: readonly Value[]): Value | undefined {
  const [first] = results;
  return first === undefined ? undefined : lookup(first, 'result');
}

function decision(value: Value | undefined): Decision {
  if (value === undefined) return {};
  try {
    return { result: toPlain(value) };
  } catch (error) {
    if (error instanceof RangeError) throw new EvaluationError('eval_internal_error', 'the result nests too deeply');
    throw error;
  }
}
