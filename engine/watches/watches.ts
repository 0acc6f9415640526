/** The watches of an engine. Each is evaluated again only if a commit changes its reads. */
import type { DataOperation, Store } from '../../runtime/index.js';
import { inSlices, type Steps, visitSteps } from '../../values/index.js';
import type { Decided } from '../evaluation/decide-options.js';
import type { Evaluator } from '../evaluation/evaluator.js';
import type { LongEvaluations } from '../evaluation/long-evaluations.js';
import { Prepared } from '../prepared.js';
import type { Version } from '../version.js';
import type { Versions } from '../versions.js';
import type { ReadTree } from './read-tree.js';
import { recordedEvaluator } from './recorded-evaluator.js';
import { WatchTurns } from './turns.js';
import { Watch } from './watch.js';
import { WatchIndex } from './watch-index.js';
import { type Watched, WatchSource } from './watch-source.js';
import { type Answering, WatchedPath } from './watched-path.js';
import { type Solutions, type WatchableQuery, WatchedQuery } from './watched-query.js';

/** The parts of an engine that its watches use. */
interface WatchedParts {
  readonly versions: Versions;
  readonly store: Store;
  readonly evaluator: Evaluator;
}

type AnySource = Pick<WatchSource<never, never>, 'touch' | 'policiesChanged'>;

/** The sources that are asked at once whether a commit concerns them. */
const askedAtOnce = 64;

export class Watches {
  readonly #engine: WatchedParts;
  readonly #long: LongEvaluations | undefined;
  readonly #active = new Set<Pick<Watch<never>, 'end'>>();
  readonly #sources = new Set<AnySource>();
  /** The sources that several watches may share, by their questions. */
  readonly #shared = new Map<string, AnySource>();
  /** Sources under evaluation: their reads are not known yet. */
  readonly #evaluating = new Set<AnySource>();
  readonly #index = new WatchIndex<AnySource>();
  readonly #turns = new WatchTurns();
  #operations: DataOperation[] = [];
  #isNoting = false;
  #known: Pick<Version, 'policies' | 'plans'>;
  #unsubscribe: (() => void) | undefined;

  constructor(engine: WatchedParts, long: LongEvaluations | undefined) {
    this.#engine = engine;
    this.#long = long;
    this.#known = engine.versions.now;
  }

  get size(): number {
    return this.#active.size;
  }

  onPath<T>(path: readonly string[], answering: Answering<Decided, T>): Watch<T, Decided> {
    return this.#add(answering, ['path', ...path], () => {
      const { versions, evaluator } = this.#engine;
      return new WatchedPath(new Prepared(versions, evaluator, { path }), this.#record);
    });
  }

  onQuery<T>(query: WatchableQuery, answering: Answering<Solutions, T>): Watch<T, Solutions> {
    const watched = () => new WatchedQuery<T>(this.#record, query, this.#engine.versions);
    return this.#add(answering, ['query', query.text], watched);
  }

  readonly #record = (reads: ReadTree): Evaluator => recordedEvaluator(this.#engine.evaluator, this.#long, reads);

  /** Ends all watches. */
  end(): void {
    for (const watch of this.#active) watch.end();
  }

  #add<D, T>(
    answering: Answering<D, T>,
    asked: readonly string[],
    watched: () => Watched<Answering<D, T>, T>,
  ): Watch<T, D> {
    if (this.#active.size === 0) {
      this.#known = this.#engine.versions.now;
      this.#unsubscribe = this.#engine.store.onCommit(({ operations }) => this.#noteCommit(operations));
    }
    const { sharedAs } = answering;
    const key = sharedAs === undefined ? undefined : JSON.stringify([...asked, sharedAs]);
    // Equal texts are of watches with answers of one type.
    const known =
      key === undefined ? undefined : (this.#shared.get(key) as WatchSource<Answering<D, T>, T> | undefined);
    const watch = new Watch(answering, known ?? this.#source(watched(), key), this.#turns, () => this.#remove(watch));
    this.#active.add(watch);
    return watch;
  }

  #source<D, T>(watched: Watched<Answering<D, T>, T>, key: string | undefined): WatchSource<Answering<D, T>, T> {
    const source: WatchSource<Answering<D, T>, T> = new WatchSource(watched, {
      evaluating: () => void this.#evaluating.add(source),
      evaluated: (reads) => {
        this.#evaluating.delete(source);
        this.#index.set(source, reads.places());
      },
      ended: () => {
        this.#sources.delete(source);
        this.#evaluating.delete(source);
        this.#index.delete(source);
        if (key !== undefined) this.#shared.delete(key);
      },
    });
    this.#sources.add(source);
    if (key !== undefined) this.#shared.set(key, source);
    return source;
  }

  #remove(watch: Pick<Watch<never>, 'end'>): void {
    this.#active.delete(watch);
    if (this.#active.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  /** Called before the engine's version is the one of the commit. */
  #noteCommit(operations: readonly DataOperation[]): void {
    for (const operation of operations) this.#operations.push(operation);
    if (this.#isNoting) return;
    this.#isNoting = true;
    void Promise.resolve().then(() => inSlices(this.#tell()));
  }

  *#tell(): Steps {
    for (;;) {
      const version = this.#engine.versions.now;
      const operations = this.#operations;
      this.#operations = [];
      const hasNewPolicies = version.policies !== this.#known.policies || version.plans !== this.#known.plans;
      if (operations.length === 0 && !hasNewPolicies) {
        this.#isNoting = false;
        return;
      }
      this.#known = version;
      // Later evaluations see the commit.
      const concerned = new Set(this.#evaluating);
      for (const { path } of operations) this.#index.addConcerned(path, concerned);
      if (hasNewPolicies) yield* visitSteps([...this.#sources], askedAtOnce, (source) => source.policiesChanged());
      yield* visitSteps(concerned, askedAtOnce, (source) => source.touch(operations));
    }
  }
}
