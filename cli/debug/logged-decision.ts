/** Events of a decision log: what was asked, and the recorded answers of built-ins. */

import { plainName } from '../../compiler/ast/names.js';
import { DebugError } from '../../debug/session.js';
import { answerKey } from '../../runtime/evaluation/answer-record.js';
import { objectGet, objectKeys } from '../../values/compare.js';
import { parseJson } from '../../values/json/json.js';
import { isArray, isObject, type Value } from '../../values/value.js';

export interface LoggedDecision {
  readonly query: string;
  readonly input: Value | undefined;
  readonly result: Value | undefined;
  /** Results of non-deterministic built-ins. */
  readonly known: ReadonlyMap<string, Value>;
  /** Nanoseconds since 1970; undefined where the event has no time. */
  readonly timeNs: bigint | undefined;
}

/** Reads an event, or the first one of a list or of lines. Throws a DebugError. */
export function readLoggedDecision(text: string): LoggedDecision {
  const event = firstEvent(text);
  if (event === undefined || !isObject(event)) throw new DebugError('invalid_launch', 'the file has no event of a decision log');
  const path = objectGet(event, 'path');
  const asked = objectGet(event, 'query');
  if (typeof path !== 'string' && typeof asked !== 'string')
    throw new DebugError('invalid_launch', 'the event has neither the path of a decision nor a query');
  const timestamp = objectGet(event, 'timestamp');
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return {
    query: typeof path === 'string' ? refOf(path) : (asked as string),
    input: objectGet(event, 'input'),
    result: objectGet(event, 'result'),
    known: knownAnswers(objectGet(event, 'nd_builtin_cache')),
    timeNs: Number.isNaN(time) ? undefined : BigInt(time) * 1_000_000n,
  };
}

function firstEvent(text: string): Value | undefined {
  const parsed = parsedJson(text) ?? parsedJson(text.split('\n').find((line) => line.trim() !== '') ?? '');
  return parsed !== undefined && isArray(parsed) ? parsed[0] : parsed;
}

function parsedJson(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function refOf(path: string): string {
  const keys = path.split('/').filter((key) => key !== '');
  return ['data', ...keys].map((key, i) => (i === 0 ? key : plainName.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('');
}

/** By built-in, then by its operands as JSON. */
function knownAnswers(cache: Value | undefined): ReadonlyMap<string, Value> {
  const known = new Map<string, Value>();
  if (cache === undefined || !isObject(cache)) return known;
  for (const builtin of objectKeys(cache)) {
    const answers = objectGet(cache, builtin)!;
    if (typeof builtin !== 'string' || !isObject(answers)) continue;
    for (const text of objectKeys(answers)) {
      const operands = typeof text === 'string' ? parsedJson(text) : undefined;
      if (operands !== undefined && isArray(operands)) known.set(answerKey(builtin, operands), objectGet(answers, text)!);
    }
  }
  return known;
}
