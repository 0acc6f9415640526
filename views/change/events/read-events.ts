/** Events of logs in streams. What is no event is told with its place, and passed over. */
import { isArray, parseJson, toJson, type Value } from '../../../values/index.js';
import { type LoggedEvent, type NoEvent, readEvent } from './logged-event.js';
import { type LogRecord, longestRecord, RecordSplitter } from './record-splitter.js';

/** The place of an event in a log: a file, and a line from 1. */
export interface EventPlace {
  readonly file: string;
  readonly line: number;
}

/** An event with its place, or the reason why there is none. */
export type PlacedEvent = (ReadEvent | { readonly event?: undefined; readonly problem: NoEvent }) & EventPlace;

/** An event, and its JSON as it was read. */
export interface ReadEvent {
  readonly event: LoggedEvent;
  readonly value: Value;
  readonly text: string;
  readonly problem?: undefined;
}

/** The events of a stream, in batches: a stream that fails ends with a problem. */
export async function* eventsOf(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  longest = longestRecord,
): EventBatches {
  const splitter = new RecordSplitter(longest);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const placed = (records: readonly LogRecord[]) =>
    records.flatMap((record) => ofRecord(file, record, decoder, longest));
  let line = 1;
  try {
    for await (const chunk of chunks) {
      const records = splitter.push(chunk);
      line = records.at(-1)?.line ?? line;
      if (records.length > 0) yield placed(records);
    }
  } catch (error) {
    const problem: NoEvent = { kind: 'wrong', problem: `it cannot be read further: ${(error as Error).message}` };
    yield [...placed(splitter.end()), { problem, file, line }];
    return;
  }
  yield placed(splitter.end());
}

/** The events of values that stand at a line, or are counted by it. */
export function givenEvents(file: string, line: number, values: readonly Value[]): readonly PlacedEvent[] {
  return values.map((value) => placedEvent(value, toJson(value), { file, line }));
}

/** Events in batches, as streams have them. */
export type EventBatches = AsyncGenerator<readonly PlacedEvent[]>;

function placedEvent(value: Value, text: string, { file, line }: EventPlace): PlacedEvent {
  const read = readEvent(value);
  return 'kind' in read ? { problem: read, file, line } : { event: read, value, text, file, line };
}

function ofRecord(file: string, { text, line }: LogRecord, decoder: TextDecoder, longest: number): PlacedEvent[] {
  const wrong = (problem: string): PlacedEvent[] => [{ problem: { kind: 'wrong', problem }, file, line }];
  if (text === undefined) return wrong(`it has more than ${longest} bytes`);
  let decoded: string;
  try {
    decoded = decoder.decode(text);
  } catch {
    return wrong('it is no UTF-8');
  }
  if (decoded.trim() === '') return [];
  let value: Value;
  try {
    value = parseJson(decoded);
  } catch (error) {
    return wrong(`it is no JSON: ${(error as Error).message}`);
  }
  return isArray(value) ? [...givenEvents(file, line, value)] : [placedEvent(value, decoded, { file, line })];
}
