/**
 * The recording of an evaluation, as JSON (`.writtrace`): docs/recordings.md specifies it, and
 * docs/recording.schema.json is its schema.
 */

import type { DebugInfo, Policy } from '../../ir-schema/index.js';
import type { Json } from '../../values/index.js';
import type { PlanProfileReport } from './profile-report.js';

export const recordingFormat = 'writtrace';
export const recordingVersion = 1;

export interface Recording {
  readonly format: typeof recordingFormat;
  readonly version: typeof recordingVersion;
  /** The release of writ that made it. */
  readonly writ: string;
  readonly query: string;
  /** The input without masked parts; left out where the evaluation had none. */
  readonly input?: Json;
  /** The result as `eval` prints it; left out where it is undefined or an error. */
  readonly result?: Json;
  readonly errors?: readonly RecordedError[];
  /** JSON pointers of the values that the mask policy hides; left out if it hides none. */
  readonly masked?: readonly string[];
  /** The plans that were evaluated, as they were read. */
  readonly policies: readonly Policy[];
  /** The debug information of each; null where a plan has none. Left out where none has. */
  readonly debug?: readonly (DebugInfo | null)[];
  /** The texts of the policies, by the names that positions have in the plans. */
  readonly sources: readonly { readonly file: string; readonly text: string }[];
  /** One for each entrypoint that was evaluated, in turn. */
  readonly runs: readonly RecordedRun[];
}

export interface RecordedError {
  readonly code?: string;
  readonly message: string;
  /** The address of the statement that failed. */
  readonly address?: string;
}

export interface RecordedRun {
  /** The plan, as an index into `policies`. */
  readonly policy: number;
  readonly entrypoint: string;
  /** The error that ended it. */
  readonly error?: string;
  readonly events: EventColumns;
  readonly profile: PlanProfileReport;
}

/** Events by column: the entries of `op`, `at` and `stores` with one index are one event. */
export interface EventColumns {
  /** All that happened: more than were recorded, where the recording was cut. */
  readonly total: number;
  /** Numbers of `eventNames`. */
  readonly op: readonly number[];
  /** An index into `owners` for `call` and `return`, and else into `statements`. */
  readonly at: readonly number[];
  /** How many entries of `values` belong to the event. */
  readonly stores: readonly number[];
  /** Indexes into `texts`; -1 is undefined. */
  readonly values: readonly number[];
  /** Addresses of statements. */
  readonly statements: readonly string[];
  /** Names of plans and functions, as addresses begin with them. */
  readonly owners: readonly string[];
  /** Values in Rego's notation, cut, and notes. */
  readonly texts: readonly string[];
}
