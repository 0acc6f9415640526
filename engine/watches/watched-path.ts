/** The document at a path, watched. */
import type { Value } from '../../values/index.js';
import type { Caller, Decided, DecideOptions } from '../evaluation/decide-options.js';
import type { Evaluator } from '../evaluation/evaluator.js';
import type { Question } from '../paths/question.js';
import type { Prepared } from '../prepared.js';
import { ReadTree } from './read-tree.js';
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
  readonly #record: (reads: ReadTree) => Evaluator;
  #reads = new ReadTree();
  readonly #prepared: Prepared;
  #question: Question | undefined;
  #evaluated: Question | undefined;

  /** @param record makes the evaluator of an evaluation */
  constructor(prepared: Prepared, record: (reads: ReadTree) => Evaluator) {
    this.#record = record;
    this.#prepared = prepared;
  }

  get reads(): ReadTree {
    return this.#reads;
  }

  async refresh(): Promise<boolean> {
    this.#question = await this.#prepared.plan();
    return this.#evaluated === undefined || !hasSamePlans(this.#question, this.#evaluated);
  }

  async evaluate({ input, options, write, caller }: Answering<Decided, T>): Promise<T> {
    this.#evaluated = this.#question;
    this.#reads = new ReadTree();
    return (await this.#prepared.decide(input, write, caller, options(), this.#record(this.#reads))) as T;
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
