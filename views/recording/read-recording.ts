/** Reads recordings: files that others have made. */

import { Addresses, loadPlan, readDebugInfo } from '../../ir-schema/index.js';
import { eventNames } from './plan-events.js';
import type { PlanProfileReport } from './profile-report.js';
import { type EventColumns, type RecordedRun, type Recording, recordingFormat, recordingVersion } from './recording.js';

/** A file that is no recording, or one of a later version. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly code = 'invalid_recording';

  constructor(reason: string) {
    super(`invalid recording: ${reason}`);
  }
}

/**
 * Reads the text of a `.writtrace` file. Members that it does not know are kept, so that later
 * releases may add some. Throws a RecordingError, or a PlanError for a plan in it.
 */
export function readRecording(text: string): Recording {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new RecordingError(`it is no JSON: ${(error as Error).message}`);
  }
  const recording = object(document, 'the document') as unknown as Recording;
  if (recording.format !== recordingFormat) throw new RecordingError(`the member "format" is not "${recordingFormat}"`);
  if (recording.version !== recordingVersion)
    throw new RecordingError(`version ${String(recording.version)} is not known, only ${recordingVersion}`);
  if (typeof recording.query !== 'string') throw new RecordingError('the member "query" is no text');
  const policies = array(recording.policies, 'policies').map((policy) => loadPlan(policy));
  const known = policies.map((policy) => new Addresses(policy));
  if (recording.debug !== undefined) array(recording.debug, 'debug').forEach(checkDebug);
  for (const source of array(recording.sources, 'sources')) {
    const { file, text: lines } = object(source, 'a source');
    if (typeof file !== 'string' || typeof lines !== 'string')
      throw new RecordingError('a source has no "file" or no "text"');
  }
  for (const run of array(recording.runs, 'runs')) checkRun(object(run, 'a run') as unknown as RecordedRun, known);
  return { ...recording, policies };
}

/** Debug information may come from anywhere, too. */
function checkDebug(info: unknown): void {
  try {
    if (info !== null) readDebugInfo(JSON.stringify(info));
  } catch (error) {
    throw new RecordingError((error as Error).message);
  }
}

function checkRun({ policy, events, profile, entrypoint }: RecordedRun, policies: readonly Addresses[]): void {
  const addresses = policies[policy];
  if (addresses === undefined) throw new RecordingError('a run is of no policy');
  if (typeof entrypoint !== 'string') throw new RecordingError('a run has no entrypoint');
  checkProfile(profile);
  checkEvents(object(events, 'the events of a run') as unknown as EventColumns, addresses);
}

/** Throws a RecordingError for what is no profile. */
export function checkProfile(profile: unknown): asserts profile is PlanProfileReport {
  const { statements, functions, calls } = object(profile, 'the profile of a run');
  for (const statement of array(statements, 'statements of a profile')) {
    const { address, count, failed, time_ns } = object(statement, 'a statement of a profile');
    if (typeof address !== 'string' || ![count, failed, time_ns].every(Number.isFinite))
      throw new RecordingError('a statement of a profile has no address, or no count');
  }
  array(functions, 'functions of a profile');
  array(calls, 'calls of a profile');
}

function checkEvents(columns: EventColumns, addresses: Addresses): void {
  const { op, at, stores, values } = columns;
  for (const name of ['op', 'at', 'stores', 'values'] as const)
    if (!array(columns[name], name).every(Number.isInteger)) refuseColumn(name);
  for (const name of ['statements', 'owners', 'texts'] as const)
    if (!array(columns[name], name).every((text) => typeof text === 'string')) refuseColumn(name);
  if (op.length !== at.length || op.length !== stores.length)
    throw new RecordingError('the columns of events differ in length');
  const owners = new Set(addresses.owners.map(({ name }) => name));
  if (!columns.owners.every((name) => owners.has(name)))
    throw new RecordingError('an event is of a function that the plan does not have');
  if (!columns.statements.every((address) => addresses.at(address) !== undefined))
    throw new RecordingError('an event is of a statement that the plan does not have');
  let stored = 0;
  for (const [i, number] of op.entries()) {
    const name = eventNames[number];
    const places = name === 'call' || name === 'return' ? columns.owners : columns.statements;
    const [place, count] = [at[i] ?? -1, stores[i] ?? -1];
    if (name === undefined || places[place] === undefined || count < 0)
      throw new RecordingError(`event ${i} is out of range`);
    stored += count;
  }
  if (stored !== values.length) throw new RecordingError('there are other values than events store');
  if (!values.every((value) => value === -1 || columns.texts[value] !== undefined))
    throw new RecordingError('a value has no text');
}

function refuseColumn(name: string): never {
  throw new RecordingError(`an entry of the column "${name}" is of another type`);
}

function object(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RecordingError(`${what} is no object`);
  return value as Readonly<Record<string, unknown>>;
}

function array(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new RecordingError(`${what} is no array`);
  return value;
}
