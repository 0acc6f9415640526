/** Events of a decision log: the question, its answer, and the recorded results of built-ins. */
import { answerKey } from '../../../runtime/index.js';
import type { ObjectValue, Value } from '../../../values/index.js';
import { isArray, isObject, objectEntries, objectGet, parseJson } from '../../../values/index.js';

export interface LoggedEvent {
  readonly id: string | undefined;
  /** The path of the decision; undefined for a query. */
  readonly path: string | undefined;
  readonly query: string | undefined;
  readonly input: Value | undefined;
  readonly result: Value | undefined;
  /** Whether the decision ended with an error. */
  readonly hasError: boolean;
  /** Nanoseconds since 1970; undefined where the event has no time. */
  readonly timeNs: bigint | undefined;
  /** Results of non-deterministic built-ins, by `answerKey`. */
  readonly known: ReadonlyMap<string, Value>;
  /** Places of the event that a mask has removed or replaced: `['input', 'password']`. */
  readonly hidden: readonly (readonly string[])[];
  /** Revisions of bundles, by their names. */
  readonly revisions: ReadonlyMap<string, string>;
  /** The revision of the log of writes; undefined before the first write. */
  readonly storageRevision: number | undefined;
}

/** The reading of a value that is no event to decide again. */
export interface NoEvent {
  /** `other`: a line of another log, or of a partial evaluation. */
  readonly kind: 'other' | 'wrong';
  readonly problem: string;
}

const noKnown: ReadonlyMap<string, Value> = new Map();
const noRevisions: ReadonlyMap<string, string> = new Map();

/** Reads an event; members of other types than the log's are problems. */
export function readEvent(value: Value): LoggedEvent | NoEvent {
  if (!isObject(value)) return wrong('it is no object');
  if (isOtherLine(value)) return { kind: 'other', problem: 'it is a line of another log' };
  const [path, query, id] = ['path', 'query', 'decision_id'].map((name) => objectGet(value, name));
  for (const [name, text] of [
    ['path', path],
    ['query', query],
    ['decision_id', id],
  ] as const)
    if (text !== undefined && typeof text !== 'string') return wrong(`its ${name} is no text`);
  if (path === undefined && query === undefined) return wrong('it has neither the path of a decision nor a query');
  if (isPartial(value)) return { kind: 'other', problem: 'it is of a partial evaluation' };
  const hidden = hiddenPlaces(value);
  if (hidden === undefined) return wrong('its erased or masked is no list of JSON pointers');
  const known = knownAnswers(objectGet(value, 'nd_builtin_cache'));
  if (known === undefined) return wrong('its nd_builtin_cache is no object of objects');
  const timestamp = objectGet(value, 'timestamp');
  if (timestamp !== undefined && typeof timestamp !== 'string') return wrong('its timestamp is no text');
  const timeNs = timestamp === undefined ? undefined : timeOf(timestamp);
  if (timestamp !== undefined && timeNs === undefined) return wrong('its timestamp is no time');
  return {
    id: id as string | undefined,
    path: path as string | undefined,
    query: query as string | undefined,
    input: objectGet(value, 'input'),
    result: objectGet(value, 'result'),
    hasError: objectGet(value, 'error') !== undefined,
    timeNs,
    known,
    hidden,
    revisions: revisionsOf(objectGet(value, 'bundles')),
    storageRevision: storageRevisionOf(objectGet(value, 'storage')),
  };
}

function wrong(problem: string): NoEvent {
  return { kind: 'wrong', problem };
}

/** The console of a server has lines of other kinds, too. */
function isOtherLine(value: ObjectValue): boolean {
  const [message, level] = [objectGet(value, 'msg'), objectGet(value, 'level')];
  if (message === undefined || level === undefined) return false;
  return objectGet(value, 'decision_id') === undefined;
}

/** Filters of data are partial evaluations, whose answers are no documents. */
function isPartial(value: ObjectValue): boolean {
  const custom = objectGet(value, 'custom');
  if (custom === undefined || !isObject(custom)) return false;
  const type = objectGet(custom, 'type');
  return typeof type === 'string' && type.endsWith('/compile');
}

function hiddenPlaces(event: ObjectValue): (readonly string[])[] | undefined {
  const places: (readonly string[])[] = [];
  for (const name of ['erased', 'masked']) {
    const pointers = objectGet(event, name);
    if (pointers === undefined || pointers === null) continue;
    if (!isArray(pointers)) return undefined;
    for (const pointer of pointers) {
      if (typeof pointer !== 'string' || !pointer.startsWith('/')) return undefined;
      places.push(pointer.slice(1).split('/').map(unescaped));
    }
  }
  return places;
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function revisionsOf(bundles: Value | undefined): ReadonlyMap<string, string> {
  if (bundles === undefined || !isObject(bundles)) return noRevisions;
  const found = new Map<string, string>();
  for (const [name, bundle] of objectEntries(bundles)) {
    const revision = isObject(bundle) ? objectGet(bundle, 'revision') : undefined;
    if (typeof name === 'string' && typeof revision === 'string') found.set(name, revision);
  }
  return found;
}

function storageRevisionOf(storage: Value | undefined): number | undefined {
  const revision = storage !== undefined && isObject(storage) ? objectGet(storage, 'revision') : undefined;
  return typeof revision === 'number' && Number.isSafeInteger(revision) && revision > 0 ? revision : undefined;
}

/** Results by built-in, then by its operands as JSON; undefined for other forms. */
function knownAnswers(cache: Value | undefined): ReadonlyMap<string, Value> | undefined {
  if (cache === undefined || cache === null) return noKnown;
  if (!isObject(cache)) return undefined;
  const known = new Map<string, Value>();
  for (const [builtin, answers] of objectEntries(cache)) {
    if (typeof builtin !== 'string' || !isObject(answers)) return undefined;
    for (const [text, answer] of objectEntries(answers)) {
      const operands = typeof text === 'string' ? parsedOrNone(text) : undefined;
      if (operands !== undefined && isArray(operands)) known.set(answerKey(builtin, operands), answer);
    }
  }
  return known;
}

function parsedOrNone(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const rfc3339 = /^(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?([Zz]|[+-]\d\d:\d\d)$/;

/** The nanoseconds of a time in RFC 3339, all digits of its fraction kept. */
function timeOf(text: string): bigint | undefined {
  const found = rfc3339.exec(text);
  if (found === null) return undefined;
  const [, seconds, fraction = '', zone] = found as unknown as [string, string, string | undefined, string];
  const ms = Date.parse(`${seconds.replace(' ', 'T')}${zone}`.toUpperCase());
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
