/** The requests of the page to the engine in its worker, and the answers. */

import type { DebugInfo, Policy } from '../../../ir-schema/index.js';
import type { RecordedRun } from '../../../views/index.js';
import type { OpenedRecording, PagePlan, PageSource } from '../data/page-data.js';

/** Documents are texts: JSON of any size and with exact numbers. */
interface Documents {
  readonly input: string;
  readonly data: string;
}

/** Each request's name, with its question and its answer. */
export interface Requests {
  /** Evaluates an entrypoint of a plan. */
  run: { readonly ask: RunRequest; readonly answer: RunAnswer };
  /** The plan after each optimizing pass that changes it, first as it is. */
  passes: { readonly ask: { readonly policy: Policy }; readonly answer: readonly PassState[] };
  /** Reads a recording. */
  open: { readonly ask: { readonly text: string }; readonly answer: OpenedRecording };
  /** Plans a query over the sources; of an optimized plan with its debug information. */
  plan: {
    readonly ask: {
      readonly query: string;
      readonly sources: readonly PageSource[];
      readonly debug: DebugInfo | undefined;
    };
    readonly answer: PlannedQuery;
  };
}

export type RequestName = keyof Requests;

interface RunRequest {
  readonly policy: Policy;
  readonly entrypoint: string;
  readonly documents: Documents;
}

interface RunAnswer {
  readonly run: RecordedRun;
  /** The result as text; undefined for none. */
  readonly result?: string;
  /** The error that ended the evaluation early. */
  readonly error?: string;
}

export interface PassState {
  readonly name: string;
  /** The effect of the pass on any plan; empty for the plan without passes. */
  readonly does: string;
  readonly policy: Policy;
}

interface PlannedQuery {
  readonly plan: PagePlan;
  readonly entrypoint: string;
}
