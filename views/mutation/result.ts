/** The outcome of mutants, and the score of the tests that tried them. */
import type { Location, Source } from '../../compiler/index.js';
import type { Mutant } from './mutant.js';

/** The words of the schema of mutation testing reports. */
export type MutantStatus =
  | 'Killed'
  | 'Timeout'
  | 'Survived'
  | 'NoCoverage'
  | 'CompileError'
  | 'RuntimeError'
  | 'Ignored';

export interface MutantResult {
  readonly mutant: Mutant;
  readonly status: MutantStatus;
  readonly reason?: string | undefined;
  /** The numbers of the tests that reach the change. */
  readonly coveredBy: readonly number[];
  readonly killedBy?: number;
  /** How many tests ran. */
  readonly ran: number;
  /** The test whose evaluation a survivor altered most. */
  readonly nearest?: { readonly test: number; readonly differences: number } | undefined;
}

export interface TestName {
  readonly name: string;
  readonly location: Location;
}

export interface MutationResult {
  readonly tests: readonly TestName[];
  /** The sources by their file, of policies and of tests. */
  readonly sources: ReadonlyMap<string, Source>;
  /** In the order of the files and of their text. */
  readonly mutants: readonly MutantResult[];
}

export interface Score {
  readonly detected: number;
  readonly survived: number;
  readonly notReached: number;
  /** Mutants that do not compile, change nothing, or are ignored: they do not count. */
  readonly invalid: number;
  /** Percentage of the mutants that tests notice; 100 where there are none. */
  readonly score: number;
  /** Percentage of the mutants that tests notice, of those that they reach. */
  readonly scoreOfReached: number;
}

export function scoreOf(mutants: readonly Pick<MutantResult, 'status'>[]): Score {
  const count = (...statuses: readonly MutantStatus[]) =>
    mutants.filter(({ status }) => statuses.includes(status)).length;
  const detected = count('Killed', 'Timeout');
  const survived = count('Survived');
  const notReached = count('NoCoverage');
  const share = (all: number) => (all === 0 ? 100 : (100 * detected) / all);
  return {
    detected,
    survived,
    notReached,
    invalid: mutants.length - detected - survived - notReached,
    score: share(detected + survived + notReached),
    scoreOfReached: share(detected + survived),
  };
}
