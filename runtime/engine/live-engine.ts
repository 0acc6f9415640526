/** Policies and documents that change while decisions are made: one version after the other, each whole. */
import type { Compiled } from '../../compiler/resolve/compiled.js';
import type { CompileOptions } from '../../compiler/resolve/options.js';
import type { Builtin } from '../builtins/builtin.js';
import { CacheSet } from '../builtins/cache.js';
import { builtins as ownBuiltins } from '../builtins/registry.js';
import type { Bundle } from '../bundle/bundle.js';
import { lookup } from '../values/compare.js';
import { isArray, isObject, type PlainObject, type Value } from '../values/value.js';
import type { Surroundings } from '../vm/evaluation.js';
import { MatchIndexes } from '../vm/matches.js';
import { merge } from '../vm/objects.js';
import { buildInfo } from './build-info.js';
import { activate, type Draft } from './bundle-changes.js';
import { checkDataConflicts } from './data-conflicts.js';
import { changed, valueAt } from './document-changes.js';
import { Entrypoints } from './entrypoints.js';
import { evaluateAsync, type Target } from './evaluate.js';
import { cacheHit, timers } from './metrics.js';
import { parseModuleValue } from './module-value.js';
import { checkDataOwnership, checkPolicyOwnership } from './ownership.js';
import { currentPlatform, type Platform } from './platform.js';
import {
  type ActiveBundle,
  type Change,
  type CommitOptions,
  type CommitReport,
  type Decided,
  type DecideOptions,
  type PolicyEngine,
  PolicyError,
  type PolicyRecord,
  type QueryOptions,
} from './policy-engine.js';
import { prepare } from './prepare.js';
import { isInteger, Programs } from './programs.js';
import { type Language, parsePolicy, recompile } from './recompile.js';
import { checkSize } from './result-size.js';

export interface LiveEngineOptions {
  readonly platform?: Platform;
  readonly builtins?: ReadonlyMap<string, Builtin>;
  /** How policies are read that do not say so themselves. */
  readonly language?: Language;
  readonly compile?: Pick<CompileOptions, 'capabilities' | 'errorLimit' | 'schemas' | 'strict' | 'unsafeBuiltins'>;
  /** What `opa.runtime` answers beside the version and the environment. */
  readonly runtime?: PlainObject;
}

/** What one reader sees from beginning to end. */
interface Version {
  readonly number: number;
  readonly records: ReadonlyMap<string, PolicyRecord>;
  readonly data: PlainObject;
  readonly bundles: ReadonlyMap<string, Bundle>;
  readonly active: readonly ActiveBundle[];
  readonly compiled: Compiled;
  readonly programs: Programs;
  /** Plans of bundles that bring no modules. */
  readonly plans: Entrypoints;
  readonly hasPlans: boolean;
}

const rememberedPaths = 10_000;

export class LiveEngine implements PolicyEngine {
  readonly #builtins: ReadonlyMap<string, Builtin>;
  readonly #language: Language;
  readonly #compileOptions: CompileOptions;
  readonly #surroundings: Surroundings;
  #version: Version;
  #queue: Promise<unknown> = Promise.resolve();
  /** Paths asked for since the last change, as the query cache's counter tells them. */
  #asked = new Set<string>();

  constructor(options: LiveEngineOptions = {}) {
    const platform = options.platform ?? currentPlatform();
    this.#builtins = options.builtins ?? ownBuiltins;
    this.#language = options.language ?? 'v1';
    this.#compileOptions = { ...options.compile, builtins: this.#builtins, print: true };
    const runtime = { env: platform.environment?.() ?? {}, version: buildInfo.version, commit: buildInfo.commit, ...options.runtime };
    this.#surroundings = {
      host: platform.host,
      caches: new CacheSet(),
      runtime,
      dataIndexes: new MatchIndexes(),
      parseModule: parseModuleValue,
    };
    const version = {
      version: buildInfo.version,
      build_commit: buildInfo.commit,
      build_timestamp: buildInfo.timestamp,
      build_hostname: buildInfo.hostname,
    };
    const data: PlainObject = { system: { version } };
    const compiled = recompile(new Map(), data, this.#compileOptions);
    this.#version = {
      number: 0,
      records: new Map(),
      data,
      bundles: new Map(),
      active: [],
      compiled,
      programs: this.#programsOf(compiled),
      plans: new Entrypoints(new Map()),
      hasPlans: false,
    };
  }

  policies(): readonly PolicyRecord[] {
    return [...this.#version.records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  policy(id: string): PolicyRecord | undefined {
    return this.#version.records.get(id);
  }

  bundles(): readonly ActiveBundle[] {
    return this.#version.active;
  }

  readData(path: readonly string[]): Value | undefined {
    return valueAt(this.#version.data, path);
  }

  hasRules(path: readonly string[]): boolean {
    return this.#version.programs.hasRules(path);
  }

  commit(change: Change, options: CommitOptions = {}): Promise<CommitReport> {
    const done = this.#queue.then(() => this.#commit(change, options));
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #commit(change: Change, options: CommitOptions): Promise<CommitReport> {
    const before = this.#version;
    const { metrics } = options;
    const draft: Draft = { records: new Map(before.records), data: before.data, bundles: new Map(before.bundles) };
    if (options.ignoreRoots !== true) checkDataOwnership(change, before.active);
    if (change.bundles !== undefined) activate(draft, change.bundles, this.#language, metrics);
    let touched = change.bundles !== undefined;
    for (const [id, raw] of change.policies ?? []) touched = this.#changePolicy(draft, id, raw, before, options) || touched;
    const { data: operations = [] } = change;
    if (operations.length > 0) draft.data = changed(draft.data, operations);
    let { compiled, programs, plans, hasPlans, active } = before;
    if (touched) {
      compiled = recompile(draft.records, draft.data, this.#compileOptions, metrics);
      programs = this.#programsOf(compiled);
    } else if (operations.length > 0) {
      checkDataConflicts(
        compiled.ruleTree,
        draft.data,
        operations.filter(({ op }) => op !== 'remove').map(({ path }) => path),
      );
    }
    if (change.bundles !== undefined) {
      const targets = await this.#targetsOf(draft.bundles);
      plans = new Entrypoints(targets);
      hasPlans = targets.size > 0;
      active = activeBundles(draft.bundles);
    }
    this.#version = { number: before.number + 1, ...draft, active, compiled, programs, plans, hasPlans };
    this.#asked = new Set();
    return { version: this.#version.number };
  }

  /** Answers whether there is something to compile. */
  #changePolicy(draft: Draft, id: string, raw: string | undefined, before: Version, options: CommitOptions): boolean {
    const existing = draft.records.get(id);
    const checks = options.ignoreRoots !== true;
    if (existing !== undefined && checks) checkPolicyOwnership(existing, before.active);
    if (raw === undefined) {
      if (existing === undefined)
        throw new PolicyError('storage_not_found_error', `storage_not_found_error: policy id ${JSON.stringify(id)}`);
      return draft.records.delete(id);
    }
    if (existing?.raw === raw) return false;
    const record = parsePolicy(id, raw, this.#language, options.metrics);
    if (checks) checkPolicyOwnership(record, before.active);
    draft.records.set(id, record);
    return true;
  }

  #programsOf(compiled: Compiled): Programs {
    return new Programs(compiled, this.#builtins, this.#language);
  }

  /** Where a bundle has modules, those answer; its plan is for engines that have no compiler. */
  async #targetsOf(bundles: ReadonlyMap<string, Bundle>): Promise<ReadonlyMap<string, Target>> {
    const targets = new Map<string, Target>();
    for (const bundle of bundles.values()) {
      if (bundle.modules.length > 0) continue;
      for (const { policy } of bundle.plans) {
        const executable = await prepare(policy, this.#builtins);
        for (const [name, plan] of executable.program.plans) targets.set(name, { executable, plan });
      }
    }
    return targets;
  }

  async decide(path: readonly string[], input: Value | undefined, options: DecideOptions = {}): Promise<Decided> {
    const version = this.#version;
    const { metrics } = options;
    this.#noteAsked(path, options);
    const started = metrics === undefined ? 0 : performance.now();
    let program = version.programs.forPath(path);
    if (program instanceof Promise) program = await program;
    if (metrics !== undefined && !this.#wasAsked(path, options)) metrics.since(timers.queryCompile, started);
    const evaluating = metrics === undefined ? 0 : performance.now();
    let value: Value | undefined;
    if (program === undefined) value = partAt(version.data, path);
    else {
      const results = await evaluateAsync(program.target, input, version.data, this.#surroundings, options);
      value = partAt((results[0] as PlainObject | undefined)?.result, program.rest);
    }
    if (version.hasPlans) value = await this.#withPlans(version, path, value, input, options);
    if (path.length === 0 && value !== undefined) value = withoutSystem(value);
    metrics?.since(timers.queryEval, evaluating);
    if (value !== undefined && options.resultSize !== undefined) checkSize(value, options.resultSize);
    return { value, bundles: version.active, nondeterministic: undefined };
  }

  #wasAsked(path: readonly string[], options: DecideOptions): boolean {
    const key = `${options.cache}\u0000${path.join('\u0000')}`;
    if (this.#asked.has(key)) return true;
    if (this.#asked.size < rememberedPaths) this.#asked.add(key);
    return false;
  }

  #noteAsked(path: readonly string[], options: DecideOptions): void {
    if (options.metrics === undefined) {
      if (options.cache !== undefined) this.#wasAsked(path, options);
      return;
    }
    const key = `${options.cache}\u0000${path.join('\u0000')}`;
    options.metrics.set(cacheHit, this.#asked.has(key) ? 1 : 0);
  }

  /** What the entrypoints of plans answer at a path stands before what is there otherwise. */
  async #withPlans(
    version: Version,
    path: readonly string[],
    own: Value | undefined,
    input: Value | undefined,
    options: DecideOptions,
  ): Promise<Value | undefined> {
    const question = version.plans.ask(path.join('/'), version.data);
    if (question.targets.length === 0) return own;
    const values: (Value | undefined)[] = [];
    for (const target of question.targets) {
      const results = await evaluateAsync(target, input, version.data, this.#surroundings, options);
      values.push((results[0] as PlainObject | undefined)?.result);
    }
    const planned = question.answer(values);
    if (planned === undefined || own === undefined || !isObject(planned) || !isObject(own)) return planned ?? own;
    return merge(planned, own);
  }

  async query(text: string, input: Value | undefined, options: QueryOptions = {}): Promise<readonly PlainObject[]> {
    const version = this.#version;
    const { metrics } = options;
    const target = await version.programs.forQuery(text, options.unsafeBuiltins, metrics, options.instrument === true);
    const evaluating = performance.now();
    const results = await evaluateAsync(target, input, version.data, this.#surroundings, options);
    metrics?.since(timers.queryEval, evaluating);
    return results as readonly PlainObject[];
  }
}

function activeBundles(bundles: ReadonlyMap<string, Bundle>): readonly ActiveBundle[] {
  return [...bundles]
    .map(([name, { manifest }]) => ({ name, revision: manifest.revision, roots: manifest.roots }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What lies below a value. A segment that is a whole number indexes arrays; elsewhere it is a number, or else the text. */
function partAt(value: Value | undefined, path: readonly string[]): Value | undefined {
  let part = value;
  for (const segment of path) {
    if (part === undefined) return undefined;
    if (!isInteger(segment)) part = lookup(part, segment);
    else {
      const byNumber: Value | undefined = lookup(part, Number(segment));
      part = byNumber ?? (isArray(part) ? undefined : lookup(part, segment));
    }
  }
  return part;
}

/** The engine's own documents do not show in `data` as a whole. */
function withoutSystem(value: Value): Value {
  if (!isObject(value) || !Object.hasOwn(value, 'system')) return value;
  return Object.fromEntries(Object.entries(value as PlainObject).filter(([key]) => key !== 'system'));
}
