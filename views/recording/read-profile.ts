/** Reads the profile of a plan: of `eval --plan-profile=json`, or in a recording. */

import { type ProfileDocument, profileFormat, profileVersion } from './profile-document.js';
import type { PlanProfileReport } from './profile-report.js';
import { checkProfile, RecordingError, readRecording } from './read-recording.js';
import { recordingFormat } from './recording.js';

type Statement = PlanProfileReport['statements'][number];

export interface ReadProfile {
  readonly entrypoints: readonly string[];
  /** The statements that ran, by address; of several runs the sums. */
  readonly statements: ReadonlyMap<string, Statement>;
}

/**
 * Throws a RecordingError.
 * @param text of a profile or a recording
 */
export function readProfile(text: string): ReadProfile {
  const runs = runsIn(text);
  const statements = new Map<string, Statement>();
  for (const { profile } of runs) {
    for (const statement of profile.statements) {
      const known = statements.get(statement.address);
      statements.set(statement.address, known === undefined ? statement : sumOf(known, statement));
    }
  }
  return { entrypoints: runs.map(({ entrypoint }) => entrypoint), statements };
}

interface Run {
  readonly entrypoint: string;
  readonly profile: PlanProfileReport;
}

function runsIn(text: string): readonly Run[] {
  let parsed: Partial<ProfileDocument> | null;
  try {
    parsed = JSON.parse(text) as typeof parsed;
  } catch (error) {
    throw new RecordingError(`it is no JSON: ${(error as Error).message}`);
  }
  const document = parsed ?? {};
  const format: unknown = document.format;
  if (format === recordingFormat) return readRecording(text).runs;
  if (format !== profileFormat)
    throw new RecordingError(`the member "format" is neither "${profileFormat}" nor "${recordingFormat}"`);
  const { version, runs } = document;
  if (version !== profileVersion)
    throw new RecordingError(`version ${String(version)} is not known, only ${profileVersion}`);
  if (!Array.isArray(runs)) throw new RecordingError('runs is no array');
  return runs.map((run: Partial<ProfileDocument['runs'][number]> | null) => {
    const profile: unknown = run?.profile;
    checkProfile(profile);
    return { entrypoint: String(run?.entrypoint), profile };
  });
}

function sumOf({ spread: _, ...a }: Statement, b: Statement): Statement {
  return {
    ...a,
    count: a.count + b.count,
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    ...(a.rows_in !== undefined && {
      rows_in: a.rows_in + (b.rows_in ?? 0),
      rows_out: (a.rows_out ?? 0) + (b.rows_out ?? 0),
    }),
    ...(a.entered !== undefined && { entered: a.entered + (b.entered ?? 0) }),
    time_ns: a.time_ns + b.time_ns,
    total_time_ns: a.total_time_ns + b.total_time_ns,
  };
}
