import type { PlaceText } from '../../../ir-schema/index.js';

/** The engines whose demands on plans are known. */
export const engines = ['eopa', 'rego-cpp', 'swift'] as const;

export type PlanEngine = (typeof engines)[number];

/** Something that is wrong with a plan, or that an engine refuses. */
export interface PlanProblem {
  /**
   * `plan`: wrong for any engine; `unset`, `unreachable`, `position`: nothing can come of it, or it
   * cannot be found; `unused`: a note, for engines take it; an engine: it refuses the plan.
   */
  readonly kind: 'plan' | 'unset' | 'unreachable' | 'unused' | 'position' | PlanEngine;
  readonly message: string;
  /** The address of the statement, or the name of the plan or function. */
  readonly at?: string;
  readonly location?: PlaceText;
}

/** Notes do not make a plan a bad one. */
export function isNote({ kind }: PlanProblem): boolean {
  return kind === 'unused';
}
