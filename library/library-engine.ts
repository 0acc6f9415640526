/// <reference lib="esnext.disposable" preserve="true" />
// For users of the declarations, whose own settings may know no `Symbol.asyncDispose`.

import type { Compiled } from '../compiler/index.js';
import type { Change, Engine, Prepared, SourcesBeside } from '../engine/index.js';
import { evaluateAsync, PathCache, PolicyError } from '../engine/index.js';
import { type EvaluationOptions, noOptions, StoreError } from '../runtime/index.js';
import type { Json, PlainObject, Value } from '../values/index.js';
import { type AsyncDecisionOptions, checkDecisionOptions, type DecisionOptions } from './decision-options.js';
import { allBuiltins, type EngineOptions } from './engine-options.js';
import { atCaller } from './errors/caller-stack.js';
import { EngineError } from './errors/engine-error.js';
import type { FilterFor, FilterOptions, FilterTarget } from './filters/filter-options.js';
import type { AskedDecision } from './follow.js';
import { type CheckBudget, checkBudget, InputCheck } from './input/input-check.js';
import type { OpenEngine } from './open-engine.js';
import type { PartialDecision, PartialOptions } from './partial/partial-decision.js';
import { documentChange } from './paths/document-change.js';
import { documentPatch, type PatchOperation } from './paths/document-patch.js';
import { entrypointsOf, isDefined, rulesOf, segmentsIn } from './paths/listed-paths.js';
import type { BatchedDecision, PreparedDecision } from './prepared-decision.js';
import { decideMany, inputValue, LibraryDecision } from './prepared-decision.js';
import type { Attachment } from './services/attachment.js';
import type { Source } from './sources/sources.js';
import type { Decision, Operands } from './types/decision.js';
import type { DecisionOf, InputOf, ResultOf, UnmappedPath } from './types/decision-map.js';
import { type WatchedDecision, watchedDecisions } from './watches/watched-decisions.js';
import { type ExplainedDecision, type ExplainOptions, explained } from './why.js';

/** Set once by the class below, which alone can read its private fields. */
let partsIn: <Input>(library: LibraryEngine<Input>) => { readonly engine: Engine; readonly beside: SourcesBeside };

/** The engine itself, for entries of the package that serve its decisions. */
export function engineOf<Input>(library: LibraryEngine<Input>): Engine {
  return partsIn(library).engine;
}

/** The policies of bundles whose plans answer, for explanations. */
export function sourcesBeside<Input>(library: LibraryEngine<Input>): SourcesBeside {
  return partsIn(library).beside;
}

/** Tells the constructor that `open` calls it. */
const opening = Symbol('open');

/**
 * Policies and data, ready to decide.
 * @typeParam Input the type of inputs, which a schema of the options may give
 */
export class LibraryEngine<Input = unknown> {
  #opened!: OpenEngine;
  readonly #decisions = new PathCache<LibraryDecision<Json>>(1000);
  readonly #newPlain = (path: string) => this.#newDecision<Json>(path, noOptions);
  #checkBudget!: CheckBudget;
  /** They stay when policies change: inputs do not. */
  readonly #checks = new PathCache<InputCheck>(1000);
  readonly #newCheck = () => new InputCheck(this.#checkBudget);

  static {
    partsIn = (library) => ({ engine: library.#engine, beside: () => library.#sources() });
  }

  /** For `open` alone. */
  protected constructor(by: unknown) {
    if (by !== opening)
      throw new EngineError('invalid_source', 'an engine is opened, not made by `new`: await Engine.open(sources)');
  }

  /**
   * An engine over bundles, plans and policies, one or several: see `Source`. Bundles with plans
   * are answered by those; where there are policies without a plan, all are compiled together, and
   * paths planned when they are first asked for.
   * @example const engine = await Engine.open('bundle.tar.gz');
   * @example const engine = await Engine.open({ policies: { 'p.rego': text }, data: { users } });
   * @throws EngineError (`invalid_source`, `invalid_option`, `invalid_data`, …), BundleError,
   * PlanError or VerifyError, CompileErrors
   */
  static async open<Input = unknown>(
    sources: Source | readonly Source[],
    options: EngineOptions<Input> = {},
    attachment?: Attachment,
  ): Promise<LibraryEngine<Input>> {
    const library = new this<Input>(opening);
    const { openSources } = await import('./sources/open-sources.js');
    try {
      // The segments of a path may depend on the names of plans.
      library.#opened = await openSources(sources, options, {
        attachment,
        onPolicies: () => library.#decisions.clear(),
      });
    } catch (error) {
      throw atCaller(error);
    }
    library.#checkBudget = checkBudget(options.codegen);
    return library;
  }

  get #engine(): Engine {
    return this.#opened.engine;
  }

  /**
   * Adds or replaces a policy; undefined removes it. The change is atomic: decisions use the former
   * policies until it is compiled. Changes are made one after the other.
   * @throws CompileErrors where the text is no policy, or one that does not go with the others;
   * EngineError for a policy to remove that is not there
   */
  async setPolicy(id: string, text: string | undefined): Promise<void> {
    await this.#commit(async () => {
      await this.#loadBuiltins();
      if (typeof id !== 'string' || (text !== undefined && typeof text !== 'string'))
        throw new EngineError('invalid_source', 'a policy is set by its name and its text');
      // With the first policy, the policies of bundles are compiled too.
      const { bundles } = this.#opened;
      const isFirst = bundles.arePlanned(this.#engine.version.plans);
      return { ...(isFirst && (await bundles.compiled(new Map()))), policies: new Map([[id, text]]) };
    }).catch((error) => {
      const isMissing = error instanceof PolicyError && error.code === 'storage_not_found_error';
      throw isMissing ? new EngineError('undefined_policy', `there is no policy ${id}`) : atCaller(error);
    });
  }

  /**
   * Writes a base document; missing objects on its path are made; undefined removes the document.
   * The change is atomic.
   * @param path `users/alice`, `data.users.alice`; empty for all documents
   * @param value any JSON value; stays as it is unless the engine owns its documents (`ownsData`);
   * change it no more
   * @throws PolicyError where a rule is; EngineError where the path leads through something that is
   * no object (`invalid_path`), or the value is no JSON (`invalid_data`)
   */
  async setData(path: string, value: unknown): Promise<void> {
    const { engine, options } = this.#opened;
    await this.#commitData(() => documentChange(engine.store.root, path, value, options.ownsData === true));
  }

  /**
   * Changes base documents by the operations of a JSON Patch (RFC 6902: `add`, `replace`,
   * `remove`), all of them or none.
   * @param path of the document in which the pointers of the operations begin; empty for all
   * @param operations whose values are taken as by `setData`
   * @example
   * await engine.patchData('users', [
   *   { op: 'add', path: '/alice/roles/-', value: 'admin' },
   *   { op: 'remove', path: '/bob' },
   * ]);
   * @throws PolicyError where a rule is; EngineError where there is nothing to replace or to remove
   * (`invalid_path`), or for what is no patch (`invalid_data`)
   */
  async patchData(path: string, operations: readonly PatchOperation[]): Promise<void> {
    const { ownsData = false } = this.#opened.options;
    await this.#commitData(() => documentPatch(path, operations, ownsData));
  }

  async #commitData(change: () => Change | undefined): Promise<void> {
    await this.#commit(change).catch((error) => {
      throw error instanceof StoreError ? new EngineError('invalid_path', error.message) : error;
    });
  }

  async #commit(change: () => Change | undefined | Promise<Change | undefined>): Promise<void> {
    await this.#engine.commit(() => {
      this.#opened.checkOpen();
      return change();
    });
  }

  /**
   * Paths of the entrypoints, such as `authz/allow`: entrypoints of plans, and rules that
   * annotations of policies name (`entrypoint: true`).
   */
  get entrypoints(): readonly string[] {
    this.#opened.checkOpen();
    const { engine, bundles } = this.#opened;
    return entrypointsOf(engine, bundles);
  }

  /**
   * Paths of the rules of policies, except functions, and of the entrypoints of plans. `decide`
   * takes each as it is.
   * @example engine.rules(); // [ 'authz/allow', 'authz/roles' ]
   */
  rules(): readonly string[] {
    this.#opened.checkOpen();
    return rulesOf(this.#engine.version);
  }

  /**
   * Whether a rule, an entrypoint or a document is at a path, above or below it, so that a decision
   * may have a result.
   */
  has(path: string): boolean {
    this.#opened.checkOpen();
    return isDefined(this.#engine, path);
  }

  /** The base documents. */
  get data(): PlainObject {
    this.#opened.checkOpen();
    return this.#engine.store.root;
  }

  /**
   * Prepares a decision that is made again and again: reads its path or compiles its query, plans
   * it, and checks its options, once.
   * @param asked a path as `decide` takes it, or a query over policies and documents, whose result
   * is an array of its solutions, objects by variable; plans without policies do not take part
   * @param options for its decisions; each may be given others
   * @example const allow = await engine.prepare<boolean>('authz/allow', { timeMs: 50 });
   * @example const admins = await engine.prepare({ query: 'data.authz.roles[name] == "admin"' });
   * @throws EngineError, and CompileErrors for a query that does not compile
   */
  prepare<Result = Json, Path extends string = string>(
    asked: UnmappedPath<Path, Result> | { readonly query: string },
    options?: AsyncDecisionOptions,
  ): Promise<PreparedDecision<Result, Input>>;
  /** The overload for a path of the map: see `Decisions`. */
  prepare<Path extends string>(
    path: Path,
    options?: AsyncDecisionOptions,
  ): Promise<PreparedDecision<ResultOf<Path>, InputOf<Path, Input>, DecisionOf<Path>>>;
  async prepare<Result>(
    asked: string | { readonly query: string },
    options: AsyncDecisionOptions = noOptions,
  ): Promise<PreparedDecision<Result>> {
    checkDecisionOptions(options);
    this.#opened.checkOpen();
    const query = typeof asked === 'object' && asked !== null ? asked.query : undefined;
    if (query === undefined) {
      const found = this.#newDecision<Result>(asked as string, options);
      found.plan();
      return found;
    }
    if (typeof query !== 'string') throw new EngineError('invalid_path', `a query is a text, not ${typeof query}`);
    await this.#loadBuiltins();
    const prepared = await this.#engine.prepareQuery(query);
    return this.#decisionOf<Result>(prepared, { query }, this.#newCheck(), options);
  }

  /**
   * Decides at once. The result may share parts with the input and the engine's data: do not change
   * it. Numbers that a double cannot hold become the nearest double (see `decideText`).
   * @param path of an entrypoint or rule (`authz/allow`, or as in a policy, `data.authz.allow`),
   * below or above one, or of a base document
   * @param input any JSON value; members that are undefined count as absent; undefined for no input
   * at all
   * @example const { result = false } = engine.decide<boolean>('authz/allow', { user: 'alice' });
   * @throws EngineError for input that is no JSON (`invalid_input`), and with `strict` for a path
   * at which nothing is (`undefined_path`); EvaluationError, with the code `eval_wait_error` where
   * a built-in has to wait
   */
  decide<Result = Json, Path extends string = string>(
    path: UnmappedPath<Path, Result>,
    ...operands: Operands<Input, DecisionOptions>
  ): Decision<Result>;
  /** The overload for a path of the map: see `Decisions`. */
  decide<Path extends string>(
    path: Path,
    ...operands: Operands<InputOf<Path, Input>, DecisionOptions>
  ): DecisionOf<Path>;
  decide(path: string, input?: unknown, options?: DecisionOptions): Decision {
    return this.#decisions.at(path, this.#newPlain).decide(input, options);
  }

  /**
   * Decides, and waits for built-ins that have to, such as `http.send`; in a thread where the
   * options say so.
   */
  decideAsync<Result = Json, Path extends string = string>(
    path: UnmappedPath<Path, Result>,
    ...operands: Operands<Input, AsyncDecisionOptions>
  ): Promise<Decision<Result>>;
  /** The overload for a path of the map: see `Decisions`. */
  decideAsync<Path extends string>(
    path: Path,
    ...operands: Operands<InputOf<Path, Input>, AsyncDecisionOptions>
  ): Promise<DecisionOf<Path>>;
  async decideAsync(path: string, input?: unknown, options: AsyncDecisionOptions = noOptions): Promise<Decision> {
    return await this.#decisions.at(path, this.#newPlain).decideAsync(input, options);
  }

  /**
   * Decides for many inputs, in their order. One that fails has an `error` and does not affect the
   * others. Other tasks of the process run in between.
   * @example
   * const [ann, bob] = await engine.decideMany('authz/allow', [{ user: 'ann' }, { user: 'bob' }]);
   * @throws EngineError as `decideAsync`: for one input that is no JSON none is decided further
   */
  decideMany<Result = Json, Path extends string = string>(
    path: UnmappedPath<Path, Result>,
    inputs: Iterable<Input>,
    options?: AsyncDecisionOptions,
  ): Promise<readonly BatchedDecision<Result>[]>;
  /** The overload for a path of the map: see `Decisions`. */
  decideMany<Path extends string>(
    path: Path,
    inputs: Iterable<InputOf<Path, Input>>,
    options?: AsyncDecisionOptions,
  ): Promise<readonly BatchedDecision<ResultOf<Path>>[]>;
  async decideMany(
    path: string,
    inputs: Iterable<unknown>,
    options: AsyncDecisionOptions = noOptions,
  ): Promise<readonly BatchedDecision[]> {
    return await decideMany(this.#decisions.at(path, this.#newPlain), inputs, options);
  }

  /**
   * From JSON text to JSON text, no digit lost: `{"result":…}`, or `{}` where the document is
   * undefined.
   * @param input undefined for no input at all
   * @throws JsonError where the input is no JSON; EngineError and EvaluationError as `decide`
   */
  decideText(path: string, input?: string, options: DecisionOptions = noOptions): string {
    return this.#decisions.at(path, this.#newPlain).decideText(input, options);
  }

  /**
   * Decides, waiting for built-ins that have to wait, and explains the decision: each rule that
   * could have made it, and the first expression of its body that failed, with the values that it
   * read. The result is that of `decideAsync`. Values that the mask policy of the decision log
   * (`system/log/mask`) hides are not shown.
   * @example
   * const { result, explanation } = await engine.explain('authz/allow', { user: 'alice' });
   * if (result !== true) console.log(explanationText(explanation));
   * @throws EngineError and CompileErrors as `decideAsync`; an error of the evaluation is in the
   * result
   */
  explain<Result = Json, Path extends string = string>(
    path: UnmappedPath<Path, Result>,
    ...operands: Operands<Input, ExplainOptions>
  ): Promise<ExplainedDecision<Result>>;
  /** The overload for a path of the map: see `Decisions`. */
  explain<Path extends string>(
    path: Path,
    ...operands: Operands<InputOf<Path, Input>, ExplainOptions>
  ): Promise<ExplainedDecision<ResultOf<Path>>>;
  async explain(path: string, input?: unknown, options: ExplainOptions = {}): Promise<ExplainedDecision> {
    this.#opened.checkOpen();
    await this.#loadBuiltins();
    const follow: Attachment['follow'] =
      this.#opened.attachment?.follow ?? ((_asked, _input, _options, decide) => decide(undefined));
    const segments = segmentsIn(this.#engine.version, path);
    return await explained(this.#engine, { path: segments, input }, options, () => this.#sources(), follow);
  }

  /**
   * Decides, and again whenever something changes that the decision read: policies (`setPolicy`),
   * documents (`setData`, `patchData`), bundles. Yields each decision that differs from the one
   * before; of changes that come while nobody waits for the next, only the last. It ends when the
   * loop does, when the signal is aborted, and with the engine.
   * @example
   * for await (const { result, error } of engine.watch('authz/allow', { user: 'alice' })) { … }
   * @throws EngineError; CompileErrors where changed policies have a function at the path
   */
  watch<Result = Json, Path extends string = string>(
    path: UnmappedPath<Path, Result>,
    ...operands: Operands<Input, DecisionOptions>
  ): AsyncIterableIterator<WatchedDecision<Result>>;
  /** The overload for a path of the map: see `Decisions`. */
  watch<Path extends string>(
    path: Path,
    ...operands: Operands<InputOf<Path, Input>, DecisionOptions>
  ): AsyncIterableIterator<WatchedDecision<ResultOf<Path>>>;
  watch(path: string, input?: unknown, options: DecisionOptions = noOptions): AsyncIterableIterator<WatchedDecision> {
    checkDecisionOptions(options);
    this.#opened.checkOpen();
    const opened = this.#opened;
    const { attachment } = opened;
    const segments = segmentsIn(this.#engine.version, path);
    const document = inputValue(input);
    const answering = {
      input: document,
      options,
      signal: opened.signalOf(options),
      checkDefined: () => opened.checkDefined(path, options),
      follow: attachment && (() => attachment.begin({ path: segments.join('/'), segments }, document, options)),
    };
    return watchedDecisions(this.#engine, segments, answering);
  }

  /**
   * Evaluates the known parts of a query. The result is its residual: the alternatives under which
   * it holds, and modules of rules that they refer to.
   * @example
   * const input = { user: 'alice' };
   * await engine.partial('data.authz.allow == true', { unknowns: ['input.record'], input });
   * // { queries: ['"alice" = input.record.owner'], modules: [] }
   * @throws EngineError for options that are wrong, CompileErrors for the query; EvaluationError
   */
  async partial(query: string, options: PartialOptions = {}): Promise<PartialDecision> {
    this.#opened.checkOpen();
    await this.#loadBuiltins();
    const { partialDecision } = await import('./partial/partial-decision.js');
    return await partialDecision(this.#engine, query, options, {
      caller: { signal: this.#opened.signalOf(options) },
      attachment: this.#opened.attachment,
    });
  }

  /**
   * Translates a rule into a filter: the condition on rows of a database under which it holds. The
   * columns are unknown (`input.<table>.<column>`), all else is evaluated.
   * @example
   * const filter = await engine.filter('shop/visible', {
   *   target: 'postgresql', unknowns: ['input.orders'], input: { user: 'alice' },
   * });
   * await client.query(`SELECT * FROM orders WHERE ${filter.text}`, [...filter.values]);
   * @throws FilterError where the target cannot express the rule, naming each expression;
   * EngineError for options that are wrong
   */
  async filter<Target extends FilterTarget>(path: string, options: FilterOptions<Target>): Promise<FilterFor<Target>> {
    this.#opened.checkOpen();
    await this.#loadBuiltins();
    const { libraryFilter } = await import('./filters/filter.js');
    const signal = this.#opened.signalOf(options);
    const segments = segmentsIn(this.#engine.version, path);
    const parts = { beside: () => this.#sources(), attachment: this.#opened.attachment };
    return (await libraryFilter(this.#engine, segments, options, signal, parts)) as FilterFor<Target>;
  }

  /** Policies may call any: an engine over plans has loaded those that the plans call. */
  async #loadBuiltins(): Promise<void> {
    await this.#opened.options.platform?.loadBuiltins?.();
  }

  /** The policies of bundles whose plans answer. */
  #sources(): Promise<Compiled | undefined> {
    const { bundles, options } = this.#opened;
    const { capabilities } = options;
    return bundles.sources({ print: true, builtins: allBuiltins(options), ...(capabilities && { capabilities }) });
  }

  /** The document at a path as a value of the language. The input is not checked. */
  value(path: string, input: Value | undefined, options: DecisionOptions = noOptions): Value | undefined {
    return this.#decisions.at(path, this.#newPlain).value(input, options);
  }

  /** The value, once the built-ins are there that have to wait. */
  async valueAsync(
    path: string,
    input: Value | undefined,
    options: AsyncDecisionOptions = noOptions,
  ): Promise<Value | undefined> {
    return await this.#decisions.at(path, this.#newPlain).valueAsync(input, options);
  }

  #newDecision<Result>(path: string, options: AsyncDecisionOptions): LibraryDecision<Result> {
    const segments = segmentsIn(this.#engine.version, path);
    return this.#decisionOf(
      this.#engine.prepare(segments),
      { path, segments },
      this.#checks.at(path, this.#newCheck),
      options,
    );
  }

  #decisionOf<Result>(
    prepared: Prepared,
    asked: AskedDecision,
    check: InputCheck,
    options: AsyncDecisionOptions,
  ): LibraryDecision<Result> {
    const { attachment } = this.#opened;
    const { path, segments } = asked;
    return new LibraryDecision({
      opened: this.#opened,
      prepared,
      path,
      asked: { ...asked, path: segments?.join('/') },
      check,
      options,
      beside: () => this.#sources(),
      follow: attachment?.follow,
    });
  }

  /** The whole result set of a plan, by its name: objects of bindings. */
  async resultSet(
    plan: string,
    input: Value | undefined,
    options: EvaluationOptions = noOptions,
  ): Promise<readonly Value[]> {
    checkDecisionOptions(options);
    this.#opened.checkOpen();
    const { version, evaluator, context } = this.#engine;
    const target = version.plans.get(plan);
    if (target === undefined) throw new EngineError('undefined_entrypoint', `there is no plan ${plan}`);
    return await evaluator.holding((held) => evaluateAsync(target, { input, data: held.root }, context, options));
  }

  /**
   * Ends threads, connections and decisions that wait; they reject, as does each later call.
   * Closing twice does no harm.
   */
  async close(): Promise<void> {
    await this.#opened.close();
  }

  /** `await using engine = await Engine.open(…)` closes it at the end of the block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
