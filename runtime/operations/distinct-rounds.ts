/** Rounds of a loop that repeat an earlier round, see `lowering/scans/distinct-rounds.ts`. */
import type { Evaluation } from '../evaluation/evaluation.js';
import { lookup } from '../values/compare.js';
import type { Value } from '../values/value.js';

type Scalar = string | number | boolean | null;
type Seen = Map<Scalar, Seen | true>;

/** Once so many rounds have run, rounds are compared only if some of them were repeated. */
const trialRounds = 32;
/** The least share of repeated rounds, as a fraction of one. */
const leastShare = 8;
/** More rounds than this are not remembered. */
const maxRemembered = 1_000_000;

/** The rounds of one loop. */
class DistinctRounds {
  readonly #paths: readonly (readonly string[])[];
  readonly #seen: Seen = new Map();
  #remembered = 0;
  #repeated = 0;
  #compares: boolean;

  constructor(paths: readonly (readonly string[])[], compares: boolean) {
    this.#paths = paths;
    this.#compares = compares;
  }

  /**
   * Whether an earlier round had the same values at the paths. Values that are not there, or are
   * no scalars, differ from all others, and so do numbers that print differently.
   */
  isRepeated(element: Value): boolean {
    if (!this.#compares) return false;
    const last = this.#paths.length - 1;
    let seen = this.#seen;
    for (let i = 0; i <= last; i++) {
      const value = valueAt(element, this.#paths[i]!);
      if (value === undefined || (typeof value === 'object' && value !== null)) return this.#isNew();
      const known = seen.get(value);
      if (known === true) {
        this.#repeated++;
        return true;
      }
      if (known !== undefined) seen = known;
      else if (i === last) seen.set(value, true);
      else {
        const inner: Seen = new Map();
        seen.set(value, inner);
        seen = inner;
      }
    }
    return this.#isNew();
  }

  #isNew(): false {
    this.#remembered++;
    if (this.#remembered === trialRounds && this.#repeated * leastShare < trialRounds) this.#stop();
    if (this.#remembered === maxRemembered) this.#stop();
    return false;
  }

  #stop(): void {
    this.#compares = false;
    this.#seen.clear();
  }
}

function valueAt(element: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = element;
  for (let i = 0; i < path.length && value !== undefined; i++) value = lookup(value, path[i]!);
  return value;
}

/**
 * The content of a register that only the statements of a loop read. Where errors of built-ins are
 * reported, each round reports its own.
 */
export function newRounds(paths: Value, evaluation: Evaluation): Value {
  return new DistinctRounds(paths as readonly (readonly string[])[], !evaluation.reportsFailures) as unknown as Value;
}

/** Whether a round repeats an earlier one. */
export function isRepeated(rounds: Value | undefined, element: Value): boolean {
  return (rounds as unknown as DistinctRounds).isRepeated(element);
}
