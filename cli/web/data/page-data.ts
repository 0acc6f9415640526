/** The content of the inspector's page. The command makes it; it is JSON, inside the page. */

import type { DebugInfo, Policy } from '../../../ir-schema/index.js';
import type { PlanProfileReport, RecordedRun } from '../../../views/index.js';

export interface PageData {
  /** The release of writ. */
  readonly version: string;
  /** The path that is inspected. */
  readonly title: string;
  readonly sources: readonly PageSource[];
  readonly plan: PagePlan;
  /** The second plan of a comparison. */
  readonly other?: NamedPlan;
  /** Shown at once, instead of a run in the page. */
  readonly recording?: OpenedRecording;
  /** Counts and times of another run of the plan. */
  readonly profile?: PlanProfileReport;
  /** JSON of the documents to begin with; empty for none. */
  readonly documents: { readonly input: string; readonly data: string };
}

export interface PageSource {
  readonly file: string;
  readonly text: string;
  /**
   * The author's text where the bundle of an optimized plan has others in its place, which queries
   * are planned over.
   */
  readonly isOriginal?: true;
}

interface NamedPlan {
  readonly title: string;
  readonly policy: Policy;
}

/** A plan with its program and JavaScript. */
export interface PagePlan {
  readonly policy: Policy;
  readonly program: CodeLines;
  readonly js: CodeLines;
  /** Names of locals, and why statements stand where they stand. */
  readonly debug?: DebugInfo;
}

/** A recording of one plan. */
export interface OpenedRecording {
  readonly query: string;
  readonly plan: PagePlan;
  readonly sources: readonly PageSource[];
  readonly input: string;
  readonly runs: readonly RecordedRun[];
  /** The result as text; absent for an undefined query. */
  readonly result?: string;
  readonly error?: string;
}

/** A text whose lines belong to statements. */
export interface CodeLines {
  readonly text: string;
  /** The number of each line's statement in the order of addresses; -1 for none. */
  readonly statements: readonly number[];
  /** Why there is no text. */
  readonly problem?: string;
}
