/** Rounds of a loop that repeat an earlier round, see `lowering/passes/distinct-rounds.ts`. */

import { ExactNumber, lookupPath, RegoSet, type Value } from '../../values/index.js';
import type { Evaluation } from '../evaluation/evaluation.js';

type Scalar = string | number | boolean | null;
type Seen = Map<Scalar, Seen | true>;

/** Rounds after which others are compared only if some of these were repeated. */
const trialRounds = 32;
/** The least share of repeated rounds, as a fraction of one. */
const leastShare = 8;
/** More rounds than this are not remembered. */
const maxRemembered = 1_000_000;

/** The rounds of all runs of one loop in an evaluation: a loop inside of another one runs often. */
interface Trial {
  rounds: number;
  repeated: number;
}

/** The rounds of one run of a loop. */
class DistinctRounds {
  readonly #trial: Trial;
  /** Made for the first round that another one may repeat: many loops have none. */
  #seen: Seen | undefined;
  #remembered = 0;
  /** Whether rounds are still remembered. */
  compares = true;

  constructor(trial: Trial) {
    this.#trial = trial;
  }

  /**
   * Whether an earlier round had this value. A value that is undefined or no scalar differs from
   * all others, and so do numbers that print differently.
   */
  isRepeated(value: Value | undefined): boolean {
    return isScalar(value) ? this.#isIn((this.#seen ??= new Map()), value) : this.#isOther(value);
  }

  /** Whether an earlier round had these two values. */
  isPairRepeated(first: Value | undefined, second: Value | undefined): boolean {
    if (!isScalar(first)) return this.#isOther(first);
    return isScalar(second) ? this.#isIn(innerOf((this.#seen ??= new Map()), first), second) : this.#isOther(second);
  }

  #isIn(seen: Seen, value: Scalar): boolean {
    if (seen.has(value)) {
      this.#trial.repeated++;
      return true;
    }
    seen.set(value, true);
    return this.#isNew();
  }

  /** A round with a value that is no scalar. Where the first one has a collection, most have. */
  #isOther(value: Value | undefined): false {
    if (this.#remembered === 0 && value !== undefined && !(value instanceof ExactNumber)) this.compares = false;
    return this.#isNew();
  }

  #isNew(): false {
    this.#remembered++;
    this.#trial.rounds++;
    if (isRare(this.#trial) || this.#remembered === maxRemembered) {
      this.compares = false;
      this.#seen = undefined;
    }
    return false;
  }
}

/** Whether comparing rounds has not been worth it. */
function isRare({ rounds, repeated }: Trial): boolean {
  return rounds >= trialRounds && repeated * leastShare < rounds;
}

function innerOf(seen: Seen, value: Scalar): Seen {
  let inner = seen.get(value) as Seen | undefined;
  if (inner === undefined) seen.set(value, (inner = new Map()));
  return inner;
}

function isScalar(value: Value | undefined): value is Scalar {
  return typeof value === 'object' ? value === null : value !== undefined;
}

/** Loops of fewer rounds take no longer than to compare these. */
export const minRounds = 8;

/**
 * The content of a register that only the statements of a loop over `source` read; undefined where
 * rounds are not compared. Where errors of built-ins are reported, each round reports its own.
 * @param paths stand for the loop
 */
export function newRounds(source: Value, paths: Value, evaluation: Evaluation): Value | undefined {
  const isShort = Array.isArray(source)
    ? source.length < minRounds
    : source instanceof RegoSet && source.size < minRounds;
  if (isShort || evaluation.reportsFailures) return undefined;
  const trial = trialOf(paths, evaluation);
  return isRare(trial) ? undefined : (new DistinctRounds(trial) as unknown as Value);
}

function trialOf(paths: Value, { memory }: Evaluation): Trial {
  let trials = memory.get('rounds') as Map<Value, Trial> | undefined;
  if (trials === undefined) memory.set('rounds', (trials = new Map()));
  let trial = trials.get(paths);
  if (trial === undefined) trials.set(paths, (trial = { rounds: 0, repeated: 0 }));
  return trial;
}

/** Whether the values at the paths are those of an earlier round. */
export function repeatsRound(register: Value | undefined, element: Value, paths: Value): boolean {
  const rounds = register as unknown as DistinctRounds | undefined;
  if (rounds?.compares !== true) return false;
  const [first, ...others] = paths as readonly (readonly string[])[];
  if (others.length === 0) return rounds.isRepeated(lookupPath(element, first!));
  return rounds.isPairRepeated(lookupPath(element, first!), lookupPath(element, others[0]!));
}
