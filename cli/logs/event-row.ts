/** Rows of the database: the parts of an event that are asked for most, beside its whole text. */
import { hash } from 'node:crypto';
import { isArray, isObject, objectEntries, objectGet, sortedEntries, toJson, type Value } from '../../values/index.js';
import type { EventPlace, LoggedEvent, ReadEvent } from '../../views/index.js';

/** The kinds of answers. */
type Outcome = 'true' | 'false' | 'value' | 'undefined' | 'error';

type Cell = string | number | bigint | null;

/** The columns in the order of the values of a row. */
export const columns = [
  'key',
  'decision_id',
  'time',
  'time_ns',
  'path',
  'query',
  'outcome',
  'result',
  'error',
  'latency_ns',
  'revision',
  'requested_by',
  'input_key',
  'hidden',
  'file',
  'line',
  'event',
] as const;

/** Integers of SQLite. */
const largest = 2n ** 63n - 1n;

export function eventRow({ event, value, text, file, line }: ReadEvent & EventPlace): readonly Cell[] {
  const { id, path, query, input, result, timeNs, revisions, hidden } = event;
  const member = (name: string): Value | undefined => (isObject(value) ? objectGet(value, name) : undefined);
  const error = member('error');
  return [
    id ?? digest(text),
    id ?? null,
    textOf(member('timestamp')),
    timeNs === undefined || timeNs > largest || timeNs < -largest ? null : timeNs,
    path ?? null,
    query ?? null,
    outcomeOf(event),
    result === undefined ? null : toJson(result),
    error === undefined ? null : messageOf(error),
    latencyOf(member('metrics')),
    revisionOf(revisions, member('bundles')),
    textOf(member('requested_by')),
    digest(input === undefined ? '' : canonicalText(input)),
    hidden.length,
    file,
    line,
    text,
  ];
}

function outcomeOf({ hasError, result }: LoggedEvent): Outcome {
  if (hasError) return 'error';
  if (result === undefined) return 'undefined';
  return result === true ? 'true' : result === false ? 'false' : 'value';
}

function textOf(value: Value | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function messageOf(error: Value): string {
  const message = isObject(error) ? objectGet(error, 'message') : error;
  return typeof message === 'string' ? message : toJson(error);
}

/** The nanoseconds of a request, or of its evaluation. */
function latencyOf(metrics: Value | undefined): number | null {
  if (metrics === undefined || !isObject(metrics)) return null;
  for (const name of ['timer_server_handler_ns', 'timer_rego_query_eval_ns']) {
    const ns = objectGet(metrics, name);
    if (typeof ns === 'number' && Number.isSafeInteger(ns)) return ns;
  }
  return null;
}

/** `authz=17, roles=3`; a bundle without a revision has its name alone. */
function revisionOf(revisions: ReadonlyMap<string, string>, bundles: Value | undefined): string | null {
  if (bundles === undefined || !isObject(bundles)) return null;
  const names = Array.from(objectEntries(bundles)).flatMap(([name]) => (typeof name === 'string' ? [name] : []));
  const texts = names.sort().map((name) => (revisions.has(name) ? `${name}=${revisions.get(name)}` : name));
  return texts.length === 0 ? null : texts.join(', ');
}

/** Equal inputs have equal texts, whatever the order of their keys. */
function canonicalText(value: Value): string {
  if (isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return toJson(value);
  return `{${Array.from(sortedEntries(value))
    .map(([key, member]) => `${toJson(key)}:${canonicalText(member)}`)
    .join()}}`;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
