/** Compares what was observed at a step with the recording. */
import type { PlainObject, Value } from '../../../values/value.js';
import { difference } from '../rest-compare.js';
import type { Observed } from './observe.js';
import type { EnvoyStep } from './scenario.js';

const compared = ['response', 'error', 'log', 'prints', 'client', 'upstream', 'status', 'metrics', 'services'] as const;

/** The first difference; undefined where the step, or an alternative, matches. */
export function stepDifference(step: EnvoyStep, observed: Observed): string | undefined {
  const why = differs(step, observed);
  if (why === undefined) return undefined;
  return step.alternatives?.some((other) => differs({ ...step, ...other } as EnvoyStep, observed) === undefined) === true ? undefined : why;
}

function differs(step: EnvoyStep, observed: Observed): string | undefined {
  const want: Record<string, Value> = {};
  const got: Record<string, Value> = {};
  for (const key of compared) {
    const wanted = step[key] as Value | undefined;
    // An answer and an error exclude each other: one that the recording lacks is not wanted.
    const isOutcome = key === 'response' || key === 'error';
    if (wanted === undefined && !(isOutcome && observed[key] !== undefined)) continue;
    if (wanted !== undefined && !(key === 'error' && wanted === null)) want[key] = wanted;
    if (observed[key] !== undefined) got[key] = observed[key];
  }
  const wantsEvent = typeof want.log === 'object' && want.log !== null && typeof got.log === 'object' && got.log !== null;
  if (wantsEvent) {
    const problem = sameIds(got);
    if (problem !== undefined) return problem;
    got.log = comparableEvent(got.log as PlainObject, want.log as PlainObject);
  }
  const { prefixes, masks } = step;
  return difference(want, starred(want, got), { ...(prefixes && { prefixes }), ...(masks && { masks }) });
}

/** The id in the answer is that of the event. */
function sameIds({ response, log }: Record<string, Value>): string | undefined {
  const metadata = (response as { dynamicMetadata?: PlainObject } | undefined)?.dynamicMetadata;
  const id = (log as PlainObject).decision_id;
  if (metadata?.decision_id !== undefined && metadata.decision_id !== id) return 'the ids of answer and event differ';
  return undefined;
}

/**
 * Without what differs in each run, and without the revision of writes, which the recorded server
 * has not.
 */
function comparableEvent(
  { time, timestamp, decision_id: id, labels, metrics, storage: _storage, ...event }: PlainObject,
  want: PlainObject,
): PlainObject {
  const missing = Object.entries({ time, timestamp, decision_id: id }).find(([, value]) => value === undefined);
  const names = (want.metrics as readonly string[] | undefined)?.filter(
    (name) => (metrics as PlainObject | undefined)?.[name] !== undefined,
  );
  const { id: _id, version: _version, ...others } = labels as PlainObject;
  return {
    ...event,
    ...(missing && { missing: missing[0] }),
    ...(Object.keys(others).length > 0 && { labels: others }),
    ...(names && { metrics: names }),
    ...sortedHeaderMap(event),
  };
}

function sortedHeaderMap(event: PlainObject): PlainObject {
  const copy = structuredClone(event) as {
    input?: { attributes?: { request?: { http?: { headerMap?: { headers: { key: string }[] } } } } };
  };
  const map = copy.input?.attributes?.request?.http?.headerMap;
  if (map?.headers === undefined) return {};
  map.headers.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return { input: copy.input as unknown as Value };
}

/** The same with `*` where that is wanted and there is some value. */
function starred(want: Value, got: Value): Value {
  if (want === '*') return '*';
  if (Array.isArray(want) && Array.isArray(got)) return got.map((member, i) => (i < want.length ? starred(want[i]!, member) : member));
  if (!isPlain(want) || !isPlain(got)) return got;
  return Object.fromEntries(
    Object.entries(got).map(([key, member]) => [key, Object.hasOwn(want, key) ? starred(want[key]!, member) : member]),
  );
}

function isPlain(value: Value): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
