/** The document at a path, watched. */
import type { Value } from '../../values/index.js';
import type { Caller, Decided, DecideOptions } from '../evaluation/decide-options.js';
import type { Question } from '../paths/question.js';
import { Prepared } from '../prepared.js';
import type { ReadTree } from './read-tree.js';
import type { RecordedEngine } from './recorded-engine.js';
import type { Watched } from './watch-source.js';

/** How the answers of a watch are made. */
export interface Answering<D, T> {
  readonly input: Value | undefined;
  /** The options of the next evaluation. */
  readonly options: () => DecideOptions;
  /** The answer; it may share no part with the decision. */
  readonly write: (decided: D) => T | Promise<T>;
  readonly isSame: (one: T, other: T) => boolean;
  readonly caller?: Caller | undefined;
  /**
   * Watches of one path or query with equal texts are evaluated together. Their answers must not
   * differ. Undefined: it is evaluated alone.
   */
  readonly sharedAs?: string | undefined;
}

export class WatchedPath<T> implements Watched<Answering<Decided, T>, T> {
  readonly #engine: RecordedEngine;
  readonly #prepared: Prepared;
  #question: Question | undefined;
  #evaluated: Question | undefined;

  constructor(engine: RecordedEngine, path: readonly string[]) {
    this.#engine = engine;
    this.#prepared = new Prepared(engine, { path });
  }

  get reads(): ReadTree {
    return this.#engine.reads;
  }

  async refresh(): Promise<boolean> {
    this.#question = await this.#prepared.plan();
    return this.#evaluated === undefined || !hasSamePlans(this.#question, this.#evaluated);
  }

  async evaluate({ input, options, write, caller }: Answering<Decided, T>): Promise<T> {
    this.#evaluated = this.#question;
    return await this.#engine.recorded(() => this.#prepared.decide(input, write, caller, options()) as Promise<T>);
  }
}

function hasSamePlans(one: Question, other: Question): boolean {
  return (
    one.readsData === other.readsData &&
    one.isWhole === other.isWhole &&
    one.targets.length === other.targets.length &&
    one.targets.every(
      ({ executable, plan }, i) => executable === other.targets[i]?.executable && plan === other.targets[i]?.plan,
    )
  );
}
