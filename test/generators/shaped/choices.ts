/** Choices of a generator of texts: numbers decide, and where they end, the first of each list. */
import { chooser } from '../plans/choices.js';

/** A weight and what it is for. */
export type Row<T> = readonly [weight: number, make: () => T];

export class TextChoices {
  readonly below: (limit: number) => number;
  #fresh = 0;

  constructor(choices: readonly number[]) {
    this.below = chooser(choices);
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Never where the choices have ended. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** @param rows of which the first one is short */
  weighted<T>(rows: readonly Row<T>[]): T {
    let at = this.below(rows.reduce((sum, [weight]) => sum + weight, 0));
    return rows.find(([weight]) => (at -= weight) < 0)![1]();
  }

  times<T>(count: number, make: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => make(i));
  }

  name(): string {
    return `v${this.#fresh++}`;
  }
}
