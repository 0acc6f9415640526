/** Events of a decision log: the question, and the recorded answers of built-ins. */

import { documentText } from '../../compiler/index.js';
import { isArray, isObject, objectGet, parseJson, type Value } from '../../values/index.js';
import { DebugError, readEvent } from '../../views/index.js';

export interface LoggedDecision {
  readonly query: string;
  readonly input: Value | undefined;
  readonly result: Value | undefined;
  /** Results of non-deterministic built-ins. */
  readonly known: ReadonlyMap<string, Value>;
  /** Nanoseconds since 1970; undefined where the event has no time. */
  readonly timeNs: bigint | undefined;
}

/**
 * Reads an event, alone, of a list or of lines. Throws a DebugError.
 * @param wanted its `decision_id`, or its place, counted from 1; the first one if undefined
 */
export function readLoggedDecision(text: string, wanted?: string): LoggedDecision {
  const event = wantedEvent(eventsOf(text), wanted);
  if (event === undefined || !isObject(event))
    throw new DebugError('invalid_launch', 'the file has no event of a decision log');
  const read = readEvent(event);
  if ('kind' in read) throw new DebugError('invalid_launch', `the event cannot be decided again: ${read.problem}`);
  const { path, query, input, result, known, timeNs } = read;
  return { query: path === undefined ? query! : refOf(path), input, result, known, timeNs };
}

/** How many events a complaint names. */
const mostNamed = 10;

function wantedEvent(events: readonly Value[], wanted: string | undefined): Value | undefined {
  if (wanted === undefined) return events[0];
  const ids = events.map((event) => (isObject(event) ? objectGet(event, 'decision_id') : undefined));
  const at = ids.indexOf(wanted);
  const found = events[at < 0 && /^\d+$/.test(wanted) ? Number(wanted) - 1 : at];
  if (found !== undefined) return found;
  const named = ids.slice(0, mostNamed).map((id, i) => `${i + 1}${typeof id === 'string' ? ` ${id}` : ''}`);
  const more = ids.length > mostNamed ? `, … ${ids.length}` : '';
  throw new DebugError('invalid_launch', `the file has no event ${wanted}: it has ${named.join(', ')}${more}`);
}

/** The events of a list, of lines, or one. Lines that are no JSON are of another log. */
function eventsOf(text: string): readonly Value[] {
  const parsed = parsedJson(text);
  if (parsed !== undefined) return isArray(parsed) ? parsed : [parsed];
  return text
    .split('\n')
    .map(parsedJson)
    .filter((event) => event !== undefined);
}

function parsedJson(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function refOf(path: string): string {
  return documentText(path.split('/').filter((key) => key !== ''));
}
