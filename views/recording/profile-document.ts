/** The profile of a query's plans as a document: docs/recordings.md specifies it. */

import type { Json } from '../../values/index.js';
import type { PlanProfileReport } from './profile-report.js';
import type { ProgramProfile } from './program-profile.js';
import type { RecordedError } from './recording.js';

export const profileFormat = 'writ-plan-profile';
export const profileVersion = 1;

export interface ProfileDocument {
  readonly format: typeof profileFormat;
  readonly version: typeof profileVersion;
  /** The release of writ that made it. */
  readonly writ: string;
  readonly query: string;
  /** The result as `eval` prints it; left out where it is undefined or an error. */
  readonly result?: Json;
  readonly errors?: readonly RecordedError[];
  /** One for each entrypoint that was evaluated, in turn. */
  readonly runs: readonly ProfiledRun[];
}

export interface ProfiledRun {
  readonly entrypoint: string;
  /** The error that ended it. */
  readonly error?: string;
  readonly profile: PlanProfileReport;
  /** Left out where an error ended the evaluation. */
  readonly program?: ProgramProfile;
}
