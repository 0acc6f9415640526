/** The report of a change: what it found, as JSON has it. */
import type { Value } from '../../values/index.js';
import type { Cause } from './causes.js';
import type { DifferenceKind } from './outcome.js';

/** Whether two versions decide alike, as far as they were compared. */
export type ChangeOutcome = 'same' | 'differs' | 'unknown';

export interface ChangeReport {
  readonly old: string;
  readonly new: string;
  readonly outcome: ChangeOutcome;
  /** The decisions of a log, decided by both. */
  readonly replay?: ReplayReport;
  /** Inputs that were made, decided by both. */
  readonly search?: SearchReport;
  /** Questions that a solver answered. */
  readonly proofs?: readonly ProofReport[];
}

/** The answer to one question about all inputs, or all within a bound. */
export interface ProofReport {
  readonly question: string;
  /** The decision, or the expression. */
  readonly path: string;
  /** `equal`: no input differs, or fulfils the expression. `differs`: the engine confirms one. */
  readonly answer: 'equal' | 'differs' | 'unknown';
  /** The most elements of a list that rules iterate over, and unknown members of an object. */
  readonly bound: number;
  readonly assumptions: readonly string[];
  readonly ms: number;
  /** Why it is unknown, and by which expression. */
  readonly reason?: string;
  readonly expression?: string;
  readonly place?: string;
  readonly kind?: DifferenceKind;
  readonly old?: Cause;
  readonly new?: Cause;
  readonly example?: DecisionExample;
}

/** Inputs that were made of what policies read. It proves nothing. */
export interface SearchReport {
  readonly paths: readonly string[];
  readonly tried: number;
  readonly different: number;
  readonly seed: number;
  readonly groups: readonly DifferenceGroup[];
  /** Why decisions could not be compared. */
  readonly undecided: readonly { readonly reason: string; readonly count: number }[];
}

/** The decisions of a log. */
export interface ReplayReport {
  /** Events that were read: the sum of the next four. */
  readonly events: number;
  readonly same: number;
  readonly different: number;
  readonly inconclusive: number;
  /** Lines of other logs, decisions of other paths and partial evaluations. */
  readonly skipped: number;
  /** Lines that are no events. */
  readonly unreadable: number;
  /** Counts of differences by their kinds. */
  readonly kinds: Partial<Readonly<Record<DifferenceKind, number>>>;
  /** In the order of kinds, then the largest first. */
  readonly groups: readonly DifferenceGroup[];
  /** Differences in groups that are not listed, as there are too many. */
  readonly ungrouped: number;
  readonly reasons: readonly Reason[];
  /** The first unreadable lines. */
  readonly problems: readonly LogProblem[];
  /** Decisions that the old version makes otherwise than the log has them. */
  readonly otherwiseLogged: { readonly count: number; readonly example?: DecisionExample };
  /** Paths of events at which neither version has anything. */
  readonly unknownPaths: readonly string[];
}

/** Differences of one kind with one cause. */
export interface DifferenceGroup {
  readonly kind: DifferenceKind;
  readonly path: string;
  readonly count: number;
  readonly old: Cause;
  readonly new: Cause;
  readonly example: DecisionExample;
}

/** A decision, as the log has its input and both versions decide it. */
export interface DecisionExample {
  /** The place in the log; undefined for an input that was made. */
  readonly file?: string;
  readonly line?: number;
  readonly decisionId?: string;
  readonly path: string;
  readonly input?: Value;
  /** The time at which both versions decided, where the input was made and they asked for it. */
  readonly timestamp?: string;
  readonly old: ExampleAnswer;
  readonly new: ExampleAnswer;
  /** The logged answer, where it is another one than that of the old version. */
  readonly logged?: ExampleAnswer;
}

/** A value, an error, or neither: undefined. */
export interface ExampleAnswer {
  readonly value?: Value;
  readonly error?: string;
  /** Milliseconds, where the difference is the time. */
  readonly ms?: number;
}

/** Why decisions are inconclusive. */
interface Reason {
  readonly reason: string;
  readonly count: number;
  readonly example: LogPlace;
}

export interface LogPlace {
  readonly file: string;
  readonly line: number;
  readonly decisionId?: string;
}

export interface LogProblem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}
