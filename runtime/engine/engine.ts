import type { Builtin } from '../builtins/builtin.js';
import { CacheSet } from '../builtins/cache.js';
import { builtins as ownBuiltins } from '../builtins/registry.js';
import type { Bundle } from '../bundle/bundle.js';
import { mergeBundles } from '../bundle/merge.js';
import { lookup } from '../values/compare.js';
import { type Json, parseJson, toJson, toPlain } from '../values/json.js';
import type { PlainObject, Value } from '../values/value.js';
import { EvaluationError } from '../vm/errors.js';
import type { EvaluationOptions, Surroundings } from '../vm/evaluation.js';
import { MatchIndexes } from '../vm/matches.js';
import { buildInfo } from './build-info.js';
import { Entrypoints, type Question } from './entrypoints.js';
import { evaluate, evaluateAsync, type Target } from './evaluate.js';
import { currentPlatform, type Platform } from './platform.js';
import { prepare } from './prepare.js';
import { checkSize } from './result-size.js';

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
  /** What `opa.runtime` answers beside the version and the environment. */
  readonly runtime?: PlainObject;
  readonly platform?: Platform;
}

/** A decision: `result` is left out where the document is undefined. */
export interface Decision {
  readonly result?: Json;
}

/** Policies and data, ready to decide. */
export class Engine {
  readonly #entrypoints: Entrypoints;
  readonly #data: PlainObject;
  readonly #surroundings: Surroundings;

  private constructor(entrypoints: Entrypoints, data: PlainObject, surroundings: Surroundings) {
    this.#entrypoints = entrypoints;
    this.#data = data;
    this.#surroundings = surroundings;
  }

  /**
   * An engine over bundles that hold compiled plans: paths of archives, directories or plan files, or bundles already read.
   * @example const engine = await Engine.open(['bundle.tar.gz']);
   * @throws BundleError, PlanError or VerifyError, EngineError
   */
  static async open(sources: readonly (string | Bundle)[], options: EngineOptions = {}): Promise<Engine> {
    const platform = options.platform ?? currentPlatform();
    const bundles = await Promise.all(
      sources.map(async (source) => {
        if (typeof source !== 'string') return { name: '', bundle: source };
        if (platform.readBundle === undefined) throw new EngineError('no_files', `${source}: this platform reads no files`);
        return { name: source, bundle: await platform.readBundle(source) };
      }),
    );
    const bundle = bundles.length === 0 ? undefined : mergeBundles(bundles);
    const builtins = withBuiltins(options.builtins ?? []);
    const targets = new Map<string, Target>();
    for (const { path, policy } of bundle?.plans ?? []) {
      const executable = await prepare(policy, builtins);
      for (const [name, plan] of executable.program.plans) {
        if (targets.has(name)) throw new EngineError('entrypoint_conflict', `${path}: entrypoint ${name} is in another plan already`);
        targets.set(name, { executable, plan });
      }
    }
    const runtime = { env: platform.environment?.() ?? {}, version: buildInfo.version, commit: buildInfo.commit, ...options.runtime };
    const surroundings = { host: platform.host, caches: new CacheSet(), runtime, dataIndexes: new MatchIndexes() };
    return new Engine(new Entrypoints(targets), bundle?.data ?? {}, surroundings);
  }

  /** Names of the entrypoints, such as `authz/allow`. */
  get entrypoints(): readonly string[] {
    return this.#entrypoints.names;
  }

  /** The base documents. */
  get data(): PlainObject {
    return this.#data;
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
    const question = this.#entrypoints.ask(path, this.#data);
    const values = question.targets.map((target) => resultOf(evaluate(target, input, this.#data, this.#surroundings, options)));
    return answered(question, values, options);
  }

  /** The same, waiting for what built-ins wait for. */
  async valueAsync(path: string, input: Value | undefined, options: EvaluationOptions = {}): Promise<Value | undefined> {
    const question = this.#entrypoints.ask(path, this.#data);
    const values: (Value | undefined)[] = [];
    for (const target of question.targets) {
      values.push(resultOf(await evaluateAsync(target, input, this.#data, this.#surroundings, options)));
    }
    return answered(question, values, options);
  }

  /** The whole result set of a plan, by its name: objects of bindings. */
  async resultSet(plan: string, input: Value | undefined, options: EvaluationOptions = {}): Promise<readonly Value[]> {
    const target = this.#entrypoints.get(plan);
    if (target === undefined) throw new EngineError('undefined_entrypoint', `there is no plan ${plan}`);
    return await evaluateAsync(target, input, this.#data, this.#surroundings, options);
  }
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

function answered(question: Question, values: readonly (Value | undefined)[], options: EvaluationOptions): Value | undefined {
  const value = question.answer(values);
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
