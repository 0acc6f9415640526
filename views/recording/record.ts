/** Records the evaluation of plans: their events, counts and times. */

import { buildInfo, type RunSetting, Secrets } from '../../engine/index.js';
import { isArray, type Json, lookup, sortStrings, toPlain, type Value } from '../../values/index.js';
import { EventRecorder, type RecordOptions } from './event-recorder.js';
import { type ObservedPolicy, observedRun } from './observed-run.js';
import { profileReport } from './profile-report.js';
import type { RecordedError, RecordedRun, Recording } from './recording.js';
import { recordingFormat, recordingVersion } from './recording.js';
import { StatementProfile } from './statement-profile.js';

/** A plan to evaluate. */
export interface PlanRun {
  readonly policy: ObservedPolicy;
  readonly entrypoint: string;
}

/** The parts of a recording beside its runs. */
export interface RecordedQuestion {
  readonly query: string;
  readonly input: Value | undefined;
  readonly data: Value;
  /** The solutions, as `eval` prints them. */
  readonly result?: Value | undefined;
  /** The value of the decision, as a decision log event has it. */
  readonly value?: Value | undefined;
  readonly errors?: readonly RecordedError[];
  readonly sources?: Recording['sources'];
  /** Paths of the decision log event that are masked: `['input', 'password']`. */
  readonly masked?: readonly (readonly string[])[];
}

/**
 * Evaluates plans in turn, and records them.
 * @param setting with the answers of the evaluation that made the result
 */
export function recordPlan(
  runs: readonly PlanRun[],
  question: RecordedQuestion,
  setting: Omit<RunSetting, 'documents'>,
  limits: Pick<RecordOptions, 'limit' | 'size'>,
): Recording {
  const { query, input, data, result, errors = [], masked = [], sources = [] } = question;
  const secrets = secretsOf(question);
  const policies = [...new Set(runs.map(({ policy }) => policy))];
  const recorded = runs.map((run): RecordedRun => {
    const { error, ...rest } = recordRun(run, { ...setting, documents: { input, data } }, { ...limits, secrets });
    return { policy: policies.indexOf(run.policy), ...rest, ...(error && { error: secrets.message(error.message) }) };
  });
  return {
    format: recordingFormat,
    version: recordingVersion,
    writ: buildInfo.version,
    query,
    ...(input !== undefined && { input: shown(input, secrets, []) }),
    ...(result !== undefined && { result: shown(result, secrets) }),
    ...(errors.length > 0 && {
      errors: errors.map((error) => ({ ...error, message: secrets.message(error.message) })),
    }),
    ...(masked.length > 0 && {
      masked: sortStrings(masked.map((path) => path.map((key) => `/${encodeURIComponent(key)}`).join(''))),
    }),
    policies: policies.map(({ policy }) => policy),
    ...(policies.some(({ debug }) => debug) && { debug: policies.map(({ debug }) => debug?.info ?? null) }),
    sources,
    runs: recorded,
  };
}

function recordRun({ policy, entrypoint }: PlanRun, setting: RunSetting, recorded: RecordOptions) {
  const profile = new StatementProfile(policy.addresses);
  const recorder = new EventRecorder(policy.policy, recorded);
  const error = observedRun(policy, entrypoint, setting, { takeEvent: recorder.take, profile });
  return { entrypoint, events: recorder.columns, profile: profileReport(profile, policy), error };
}

function secretsOf({ masked = [], input, value }: RecordedQuestion): Secrets {
  const below = (document: string) => masked.filter(([first]) => first === document).map((path) => path.slice(1));
  const secrets = new Secrets(below('input'), input);
  for (const path of below('result')) secrets.add(valueAt(value, path));
  return secrets;
}

function valueAt(document: Value | undefined, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((part, key) => {
    if (part === undefined) return undefined;
    return isArray(part) && /^\d+$/.test(key) ? part[Number(key)] : lookup(part, key);
  }, document);
}

function shown(value: Value, secrets: Secrets, path?: readonly Value[]): Json {
  return toPlain(secrets.isEmpty ? value : secrets.without(value, path));
}
