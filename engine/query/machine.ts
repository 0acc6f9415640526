/**
 * Depth-first search with backtracking, without recursion in JavaScript.
 *
 * A step does a part of the work and returns the next step. A part of the evaluator takes as its
 * last operand the step (or the function of a value) with which its caller continues: it returns
 * that where it holds, and `fail()` where it does not. Where there are several ways to continue, it
 * pushes a choice; `fail()` returns to the latest one, with the bindings, the environment and the
 * rule of that time.
 */

import type { Meter } from '../../runtime/index.js';
import type { Steps, Value } from '../../values/index.js';
import type { Frame } from './bindings.js';
import type { QueryEnvironment } from './environment.js';

/** The next step; undefined where the search has come to its end. */
export type Next = Step | undefined;
export type Step = () => Next;
/** How the search continues with a value. */
export type WithValue = (value: Value) => Next;

/** A rule or function that is being evaluated. */
export interface RuleSearch {
  /** The number of rules that are being evaluated, this one included. */
  readonly depth: number;
}

interface Choice {
  readonly retry: Step;
  readonly trail: number;
  readonly environment: QueryEnvironment;
  readonly search: RuleSearch | undefined;
  readonly context: unknown;
}

/** Some microseconds. */
const stepsPerPause = 64;

export class Machine {
  environment: QueryEnvironment;
  /** The innermost rule that has not answered yet. */
  search: RuleSearch | undefined;
  /** The caller's state, restored with the bindings; never changed in place. */
  context: unknown;
  /** Steps since the last pause. */
  #sincePause = 0;
  #watched: { pauses: number; readonly instead: () => Next } | undefined;
  readonly #meter: Meter;
  readonly #choices: Choice[] = [];
  /** The bound variables in the order of binding: their frames, and their names. */
  readonly #frames: Frame[] = [];
  readonly #names: string[] = [];

  constructor(environment: QueryEnvironment, meter: Meter) {
    this.environment = environment;
    this.#meter = meter;
  }

  /** Carries steps out until the search ends. */
  run(first: Next): void {
    const meter = this.#meter;
    for (let step = first; step !== undefined; step = step()) if (--meter.left < 0) meter.refill();
  }

  /** Carries steps out until the search ends, with pauses. */
  *runInSteps(first: Next): Steps {
    const meter = this.#meter;
    for (let step = first; step !== undefined; step = step()) {
      if (--meter.left < 0) meter.refill();
      if (++this.#sincePause < stepsPerPause) continue;
      this.#sincePause = 0;
      step = this.#instead() ?? step;
      yield;
    }
  }

  /** Brings the next pause nearer, for work that takes as long as some steps. */
  worked(steps: number): void {
    this.#sincePause += steps;
  }

  get isWatched(): boolean {
    return this.#watched !== undefined;
  }

  /** @param instead asked once, after some pauses, for a step with which the search goes on */
  watch(pauses: number, instead: () => Next): void {
    this.#watched = { pauses, instead };
  }

  unwatch(): void {
    this.#watched = undefined;
  }

  #instead(): Next {
    const watched = this.#watched;
    if (watched === undefined || --watched.pauses > 0) return undefined;
    this.#watched = undefined;
    return watched.instead();
  }

  /** Binds a variable until the search backtracks. */
  bind(frame: Frame, name: string, value: Value): void {
    frame.values.set(name, value);
    this.#frames.push(frame);
    this.#names.push(name);
  }

  /** Pushes a choice; returns its number, for `cut`. */
  push(retry: Step): number {
    const { environment, search, context } = this;
    return this.#choices.push({ retry, trail: this.#names.length, environment, search, context }) - 1;
  }

  /** Backtracks to the latest choice. */
  fail(): Next {
    const choice = this.#choices.pop();
    if (choice === undefined) return undefined;
    // Both have an entry for each binding.
    while (this.#names.length > choice.trail) this.#frames.pop()!.values.delete(this.#names.pop()!);
    this.environment = choice.environment;
    this.search = choice.search;
    this.context = choice.context;
    return choice.retry;
  }

  /** Backtracks to a choice, without those after it. */
  backTo(choice: number): Next {
    this.#choices.length = choice + 1;
    return this.fail();
  }

  /**
   * Drops the choices after a given one, except those in rules that were called since then and
   * have answered: they go on to look for a conflict.
   */
  cut(choice: number): void {
    const { search } = this.#choices[choice]!;
    let kept = choice + 1;
    for (let i = kept; i < this.#choices.length; i++) {
      const one = this.#choices[i]!;
      if (this.isKept(one.retry, one.search !== search)) this.#choices[kept++] = one;
    }
    this.#choices.length = kept;
  }

  /**
   * Whether a cut keeps a choice.
   * @param ofOther whether the choice is of a rule that was called since then and has answered
   */
  protected isKept(_retry: Step, ofOther: boolean): boolean {
    return ofOther;
  }

  /** Continues with each item in turn. */
  each<T>(items: readonly T[], visit: (item: T) => Next): Next {
    let i = 0;
    const next = (): Next => {
      const item = items[i++]!;
      if (i < items.length) this.push(next);
      return visit(item);
    };
    return items.length === 0 ? this.fail() : next;
  }

  /** Visits all solutions of a search, then continues. Bindings of the search are undone. */
  all(search: (found: Step) => Next, collect: () => void, then: Step): Next {
    this.push(then);
    return search(() => {
      collect();
      return this.fail();
    });
  }

  /** Continues according to whether a search has a solution. Its bindings are undone. */
  test(search: (found: Step) => Next, isTrue: Step, isFalse: Step): Next {
    let found = false;
    const choice = this.push(() => (found ? isTrue() : isFalse()));
    return search(() => {
      found = true;
      this.cut(choice);
      return this.fail();
    });
  }
}
