/** The watches of an engine. Each is evaluated again only if a commit changes what it reads. */
import type { Compiled } from '../../compiler/resolve/compiled.js';
import type { DataOperation, Store } from '../../runtime/store/store.js';
import { inSlices, type Steps, visitSteps } from '../../runtime/values/steps.js';
import type { Decided } from '../evaluation/caller.js';
import type { LongEvaluations } from '../evaluation/long-evaluations.js';
import type { PolicySettings } from '../policies/next-policies.js';
import type { DecidingEngine } from '../prepared.js';
import type { Version } from '../version.js';
import { RecordedEngine } from './recorded-engine.js';
import { Turns } from './turns.js';
import { Watch, type Watched } from './watch.js';
import { WatchIndex } from './watch-index.js';
import { type Answering, WatchedPath } from './watched-path.js';
import { type Solutions, type WatchableQuery, WatchedQuery } from './watched-query.js';

/** The parts of an engine that its watches use. */
interface WatchedEngine extends DecidingEngine {
  readonly store: Store;
  compiled(): Promise<Compiled>;
}

type AnyWatch = Pick<Watch<unknown>, 'touch' | 'policiesChanged' | 'end'>;

/** So many watches are asked at once whether a commit concerns them. */
const askedAtOnce = 64;

export class Watches {
  readonly #engine: WatchedEngine;
  readonly #long: LongEvaluations | undefined;
  readonly #settings: PolicySettings;
  readonly #active = new Set<AnyWatch>();
  /** Watches under evaluation: their reads are not known yet. */
  readonly #evaluating = new Set<AnyWatch>();
  readonly #index = new WatchIndex<AnyWatch>();
  readonly #turns = new Turns();
  #operations: DataOperation[] = [];
  #isNoting = false;
  #known: Pick<Version, 'policies' | 'plans'>;
  #unsubscribe: (() => void) | undefined;

  constructor(engine: WatchedEngine, long: LongEvaluations | undefined, settings: PolicySettings) {
    this.#engine = engine;
    this.#long = long;
    this.#settings = settings;
    this.#known = engine.version;
  }

  get size(): number {
    return this.#active.size;
  }

  onPath<T>(path: readonly string[], answering: Answering<Decided, T>): Watch<T> {
    return this.#add(new WatchedPath(new RecordedEngine(this.#engine, this.#long), path, answering));
  }

  onQuery<T>(query: WatchableQuery, answering: Answering<Solutions, T>): Watch<T> {
    const recorded = new RecordedEngine(this.#engine, this.#long);
    return this.#add(new WatchedQuery(recorded, query, () => this.#engine.compiled(), this.#settings, answering));
  }

  /** Ends all watches. */
  end(): void {
    for (const watch of this.#active) watch.end();
  }

  #add<T>(watched: Watched<T>): Watch<T> {
    const watch: Watch<T> = new Watch(watched, this.#turns, {
      evaluating: () => void this.#evaluating.add(watch),
      evaluated: (reads) => {
        this.#evaluating.delete(watch);
        this.#index.set(watch, reads.places());
      },
      ended: () => this.#remove(watch),
    });
    if (this.#active.size === 0) {
      this.#known = this.#engine.version;
      this.#unsubscribe = this.#engine.store.onCommit(({ operations }) => this.#noteCommit(operations));
    }
    this.#active.add(watch);
    return watch;
  }

  #remove(watch: AnyWatch): void {
    this.#active.delete(watch);
    this.#evaluating.delete(watch);
    this.#index.delete(watch);
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
      const { version } = this.#engine;
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
      if (hasNewPolicies) yield* visitSteps([...this.#active], askedAtOnce, (watch) => watch.policiesChanged());
      yield* visitSteps(concerned, askedAtOnce, (watch) => watch.touch(operations));
    }
  }
}
