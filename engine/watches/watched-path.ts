/** The document at a path, watched. */
import type { Value } from '../../runtime/values/value.js';
import type { Caller, Decided, DecideOptions } from '../evaluation/caller.js';
import type { Question } from '../paths/question.js';
import { Prepared } from '../prepared.js';
import type { RecordedEngine } from './recorded-engine.js';
import type { Watched } from './watch.js';

/** How the answers of a watch are made. */
export interface Answering<D, T> {
  readonly input: Value | undefined;
  /** The options of the next evaluation. */
  readonly options: () => DecideOptions;
  /** The answer; it may share no part with what it is given. */
  readonly write: (decided: D) => T | Promise<T>;
  readonly isSame: (one: T, other: T) => boolean;
  readonly caller?: Caller | undefined;
}

export class WatchedPath<T> implements Watched<T> {
  readonly engine: RecordedEngine;
  readonly #prepared: Prepared;
  readonly answering: Answering<Decided, T>;
  #question: Question | undefined;
  #evaluated: Question | undefined;

  constructor(engine: RecordedEngine, path: readonly string[], answering: Answering<Decided, T>) {
    this.engine = engine;
    this.#prepared = new Prepared(engine, { path });
    this.answering = answering;
  }

  async refresh(): Promise<boolean> {
    this.#question = await this.#prepared.plan();
    return this.#evaluated === undefined || !hasSamePlans(this.#question, this.#evaluated);
  }

  async evaluate(): Promise<T> {
    const { input, options, write, caller } = this.answering;
    this.engine.begin();
    this.#evaluated = this.#question;
    return await this.#prepared.decide(input, write, caller, options());
  }
}

function hasSamePlans(one: Question, other: Question): boolean {
  return (
    one.readsData === other.readsData &&
    one.isWhole === other.isWhole &&
    one.targets.length === other.targets.length &&
    one.targets.every(({ executable, plan }, i) => executable === other.targets[i]!.executable && plan === other.targets[i]!.plan)
  );
}
