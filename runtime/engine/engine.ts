import type { Builtin } from '../builtins/builtin.js';
import { CacheSet } from '../builtins/cache.js';
import { builtins as ownBuiltins } from '../builtins/registry.js';
import type { Bundle } from '../bundle/bundle.js';
import { mergeDocuments } from '../bundle/documents.js';
import { mergeBundles, type NamedBundle } from '../bundle/merge.js';
import { StoreError } from '../store/errors.js';
import { MemoryStore } from '../store/memory.js';
import { isDocumentObject, type Path } from '../store/path.js';
import type { Store } from '../store/store.js';
import { lookup, objectGet } from '../values/compare.js';
import { type Json, parseJson, toJson, toPlain } from '../values/json.js';
import type { PlainObject, Value } from '../values/value.js';
import { EvaluationError } from '../vm/errors.js';
import type { EvaluationOptions, Surroundings } from '../vm/evaluation.js';
import { MatchIndexes } from '../vm/matches.js';
import { buildInfo } from './build-info.js';
import { Entrypoints, inFrontOf, type Question } from './entrypoints.js';
import { evaluate, evaluateAll, evaluateAllAsync, evaluateAsync, type Target } from './evaluate.js';
import { currentPlatform, type Platform } from './platform.js';
import { prepare } from './prepare.js';
import { checkSize } from './result-size.js';
import type { SourcePolicies } from './source-policies.js';

/** An engine could not be opened, or was asked what it cannot answer. */
export class EngineError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'EngineError';
    this.code = code;
  }
}

export interface EngineOptions {
  /** Built-ins of the host's own, beside the language's (see `builtin` and `asyncBuiltin`). */
  readonly builtins?: readonly Builtin[];
  /**
   * The environment that policies see as `opa.runtime().env`, such as `{ REGION: 'eu' }`. Left out, it is empty: the variables of a process hold secrets.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** What `opa.runtime` answers beside the version and the environment. */
  readonly runtime?: PlainObject;
  /**
   * The hosts (`api.example.com`, `10.0.0.1`; no ports) that `http.send`, `net.lookup_ip_addr` and remote `$ref`s of JSON schemas may ask: redirects as well. Left out,
   * all; an empty list allows none. Another host makes the call an error of a built-in.
   */
  readonly allowNet?: readonly string[] | undefined;
  readonly platform?: Platform;
  /** How policies are read that do not say so themselves. Default: `v1`. */
  readonly regoVersion?: 'v0' | 'v1';
  /**
   * Whether documents given to `open` and `setData` are the engine's alone from then on. Then it writes into them, so that a small change costs the same in an object
   * of a million keys, which otherwise is copied, in a second; and `data` and what decisions answer are good until the next `setData`.
   */
  readonly ownsData?: boolean;
}

/** A decision: `result` is left out where the document is undefined. */
export interface Decision {
  readonly result?: Json;
}

/** Policies in source, and documents beside them. */
export interface PolicySources {
  /** Texts by name; messages and positions show it. */
  readonly policies?: Readonly<Record<string, string>>;
  readonly data?: PlainObject;
}

/** What decisions are made from beside the documents: never edited, so that each decision sees one state from beginning to end. */
interface State {
  /** Plans of bundles. Where a bundle has modules, and there is anything to compile, those answer. */
  readonly entrypoints: Entrypoints;
  /** Undefined where plans are all there is: then nothing of the compiler is loaded. */
  readonly sources: SourcePolicies | undefined;
}

/** Policies and data, ready to decide. */
export class Engine {
  #state: State;
  readonly #store: Store;
  readonly #ownsData: boolean;
  readonly #surroundings: Mutable<Surroundings>;
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #bundles: readonly NamedBundle[];
  readonly #language: 'v0' | 'v1';
  #changes: Promise<unknown> = Promise.resolve();

  private constructor(
    state: State,
    data: PlainObject,
    ownsData: boolean,
    surroundings: Mutable<Surroundings>,
    builtins: ReadonlyMap<string, Builtin>,
    bundles: readonly NamedBundle[],
    language: 'v0' | 'v1',
  ) {
    this.#state = state;
    this.#ownsData = ownsData;
    this.#store = new MemoryStore(data, { isHandedOver: ownsData });
    // What was given, and what was answered, stays as it is where every version is held for good.
    if (!ownsData) this.#store.hold();
    this.#surroundings = surroundings;
    this.#builtins = builtins;
    this.#bundles = bundles;
    this.#language = language;
  }

  /**
   * An engine over bundles and policies: paths of archives, directories or plan files, bundles already read, or texts of policies. Bundles with plans are answered
   * by those; where there are policies without a plan, all are compiled together, and paths planned when they are first asked for.
   * @example const engine = await Engine.open(['bundle.tar.gz']);
   * @example const engine = await Engine.open([{ policies: { 'authz.rego': text }, data: { users } }]);
   * @throws BundleError, PlanError or VerifyError, CompileErrors, EngineError
   */
  static async open(sources: readonly (string | Bundle | PolicySources)[], options: EngineOptions = {}): Promise<Engine> {
    const platform = options.platform ?? currentPlatform();
    const texts = sources.filter(isPolicySources);
    const bundles = await Promise.all(sources.flatMap((source) => (isPolicySources(source) ? [] : [readSource(source, platform)])));
    const builtins = withBuiltins(options.builtins ?? []);
    const runtime = { env: { ...options.env }, version: buildInfo.version, commit: buildInfo.commit, ...options.runtime };
    const surroundings: Mutable<Surroundings> = {
      host: platform.host,
      caches: new CacheSet(),
      runtime,
      dataIndexes: new MatchIndexes(),
      allowNet: options.allowNet,
    };
    const compiles = texts.some(({ policies }) => policies !== undefined) || bundles.some(({ bundle }) => needsCompiler(bundle));
    let data = bundles.length === 0 ? {} : mergeBundles(bundles).data;
    const entrypoints = new Entrypoints(await targetsOf(bundles, builtins, compiles));
    for (const source of texts) {
      const merged = mergeDocuments(data, source.data ?? {});
      if (merged === undefined) throw new EngineError('data_conflict', 'several sources say something of the same document');
      data = merged;
    }
    const state = { entrypoints, sources: undefined };
    const engine = new Engine(state, data, options.ownsData === true, surroundings, builtins, bundles, options.regoVersion ?? 'v1');
    const parses = entrypoints.names.some((name) => entrypoints.get(name)!.executable.program.builtins.includes('rego.parse_module'));
    if (parses || compiles) surroundings.parseModule = (await import('./module-value.js')).parseModuleValue;
    if (compiles) await engine.#compile(Object.assign({}, ...texts.map(({ policies }) => policies)) as Record<string, string>);
    return engine;
  }

  /** Compiles the modules of all bundles and some texts. */
  async #compile(policies: Readonly<Record<string, string>>): Promise<void> {
    const { parseBundleModules, parsePolicies, SourcePolicies } = await compiler();
    const modules = new Map(this.#bundles.flatMap(({ bundle }) => [...parseBundleModules(bundle, this.#language)]));
    for (const [name, module] of parsePolicies(policies, this.#language)) modules.set(name, module);
    const sources = await SourcePolicies.compile(modules, (path) => this.#store.occupied(path), this.#builtins);
    this.#state = { entrypoints: this.#state.entrypoints, sources };
  }

  /**
   * Adds a policy or puts another text in its place; undefined removes it. Whole or not at all: decisions go on with what was there until the change is
   * compiled. Changes are made one after the other.
   * @throws CompileErrors where the text is no policy, or one that does not go with the others; EngineError for a policy to remove that is not there
   */
  setPolicy(id: string, text: string | undefined): Promise<void> {
    return this.#change(async () => {
      const { parsePolicies } = await compiler();
      if (this.#state.sources === undefined) await this.#becomeSources();
      const sources = this.#state.sources!;
      if (text === undefined && !sources.has(id)) throw new EngineError('undefined_policy', `there is no policy ${id}`);
      const changed = text === undefined ? new Map([[id, undefined]]) : parsePolicies({ [id]: text }, this.#language);
      this.#state = { ...this.#state, sources: await sources.with(changed, (path) => this.#store.occupied(path)) };
    });
  }

  /** From plans alone to policies: bundles that have modules are answered by those from now on. */
  async #becomeSources(): Promise<void> {
    const before = this.#state;
    const entrypoints = new Entrypoints(await targetsOf(this.#bundles, this.#builtins, true));
    this.#state = { ...before, entrypoints };
    try {
      await this.#compile({});
      this.#surroundings.parseModule ??= (await import('./module-value.js')).parseModuleValue;
    } catch (error) {
      this.#state = before;
      throw error;
    }
  }

  /**
   * Writes a base document; objects on the way are made, undefined removes what is there. Whole or not at all.
   * @param path slashes between segments: `users/alice`; empty for all documents
   * @param value stays as it is unless the engine owns its documents (`ownsData`); change it no more
   * @throws PolicyError where a rule is; EngineError where the path leads through something that is no object
   */
  setData(path: string, value: unknown): Promise<void> {
    return this.#change(async () => {
      const segments = path === '' ? [] : path.split('/');
      const place = placeIn(this.#store.root, segments);
      if (place === 'none') throw new EngineError('invalid_path', `${path}: documents above it must be objects`);
      if (value === undefined && place === 'free') return;
      const documents = this.#store.begin();
      try {
        if (value === undefined && path !== '') documents.write({ op: 'remove', path: segments });
        else documents.write({ op: 'write', path: segments, value: (value ?? {}) as Value, isHandedOver: this.#ownsData });
        if (value !== undefined) this.#state.sources?.checkData((occupied) => documents.occupied(occupied), segments);
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
    const done = this.#changes.then(change);
    this.#changes = done.catch(() => undefined);
    return done;
  }

  /** Names of the entrypoints, such as `authz/allow`. */
  get entrypoints(): readonly string[] {
    return this.#state.entrypoints.names;
  }

  /** The base documents. */
  get data(): PlainObject {
    return this.#store.root;
  }

  /**
   * Decides at once. `input` is any JSON value; numbers beyond what a double holds come back as the nearest double (see `decideText`). The result may
   * share parts with the input and the engine's data: do not change it.
   * @param path of an entrypoint (`authz/allow`), below or above one, or of a base document
   * @throws EvaluationError, with the code `eval_wait_error` where a built-in has to wait
   */
  decide(path: string, input?: unknown, options: EvaluationOptions = {}): Decision {
    return decision(this.value(path, input as Value | undefined, options));
  }

  /** The same for built-ins that have to wait, such as `http.send`. */
  async decideAsync(path: string, input?: unknown, options: EvaluationOptions = {}): Promise<Decision> {
    return decision(await this.valueAsync(path, input as Value | undefined, options));
  }

  /**
   * From JSON text to JSON text, no digit lost: `{"result":…}`, or `{}` where the document is undefined.
   * @param input undefined for no input at all
   * @throws JsonError where the input is no JSON; EvaluationError
   */
  decideText(path: string, input?: string, options: EvaluationOptions = {}): string {
    const value = this.value(path, input === undefined ? undefined : parseJson(input), options);
    return value === undefined ? '{}' : `{"result":${toJson(value)}}`;
  }

  /** The document at a path as a value of the language. */
  value(path: string, input: Value | undefined, options: EvaluationOptions = {}): Value | undefined {
    const { root } = this.#store;
    const question = this.#ask(path);
    const { targets } = question;
    const values =
      targets.length === 1
        ? [resultOf(evaluate(targets[0]!, input, root, this.#surroundings, options))]
        : evaluateAll(targets, input, root, this.#surroundings, options).map(resultOf);
    return answered(question, values, root, options);
  }

  /** The same, waiting for what built-ins wait for. */
  async valueAsync(path: string, input: Value | undefined, options: EvaluationOptions = {}): Promise<Value | undefined> {
    const held = this.#store.hold();
    try {
      const question = this.#ask(path);
      const results = await evaluateAllAsync(question.targets, input, held.root, this.#surroundings, options);
      return answered(question, results.map(resultOf), held.root, options);
    } finally {
      held.release();
    }
  }

  #ask(path: string): Question {
    const { entrypoints, sources } = this.#state;
    const planned = entrypoints.ask(path);
    if (sources === undefined) return planned;
    const own = sources.ask(path);
    const { length } = planned.targets;
    if (length === 0) return own;
    const answer: Question['answer'] = (values, data) =>
      inFrontOf(own.answer(values.slice(length), data), planned.answer(values.slice(0, length), data));
    return { targets: [...planned.targets, ...own.targets], answer };
  }

  /** The whole result set of a plan, by its name: objects of bindings. */
  async resultSet(plan: string, input: Value | undefined, options: EvaluationOptions = {}): Promise<readonly Value[]> {
    const target = this.#state.entrypoints.get(plan);
    if (target === undefined) throw new EngineError('undefined_entrypoint', `there is no plan ${plan}`);
    const held = this.#store.hold();
    try {
      return await evaluateAsync(target, input, held.root, this.#surroundings, options);
    } finally {
      held.release();
    }
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The compiler's part of an engine: an engine over plans alone never loads it. */
function compiler() {
  return import('./source-policies.js');
}

function isPolicySources(source: string | Bundle | PolicySources): source is PolicySources {
  return typeof source !== 'string' && !('manifest' in source);
}

async function readSource(source: string | Bundle, platform: Platform): Promise<NamedBundle> {
  if (typeof source !== 'string') return { name: '', bundle: source };
  if (platform.readBundle === undefined) throw new EngineError('no_files', `${source}: this platform reads no files`);
  return { name: source, bundle: await platform.readBundle(source) };
}

function needsCompiler({ modules, plans }: Bundle): boolean {
  return modules.length > 0 && plans.length === 0;
}

/** What the plans of bundles answer; where policies are compiled, only of those that bring none. */
async function targetsOf(
  bundles: readonly NamedBundle[],
  builtins: ReadonlyMap<string, Builtin>,
  compiles: boolean,
): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  for (const { bundle } of bundles) {
    if (compiles && bundle.modules.length > 0) continue;
    for (const { path, policy } of bundle.plans) {
      const executable = await prepare(policy, builtins);
      for (const [name, plan] of executable.program.plans) {
        if (targets.has(name)) throw new EngineError('entrypoint_conflict', `${path}: entrypoint ${name} is in another plan already`);
        targets.set(name, { executable, plan });
      }
    }
  }
  return targets;
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

function withBuiltins(own: readonly Builtin[]): ReadonlyMap<string, Builtin> {
  if (own.length === 0) return ownBuiltins;
  const all = new Map(ownBuiltins);
  for (const row of own) {
    if (all.has(row.name)) throw new EngineError('builtin_conflict', `there is a built-in ${row.name} already`);
    all.set(row.name, row);
  }
  return all;
}

/** The document that an entrypoint's plan answers: it binds it to `result`. */
function resultOf(results: readonly Value[]): Value | undefined {
  const [first] = results;
  return first === undefined ? undefined : lookup(first, 'result');
}

function answered(question: Question, values: readonly (Value | undefined)[], data: Value, options: EvaluationOptions): Value | undefined {
  const value = question.answer(values, data);
  if (value !== undefined && options.resultSize !== undefined) checkSize(value, options.resultSize);
  return value;
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
