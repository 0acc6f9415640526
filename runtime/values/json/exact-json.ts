/**
 * Encodes values as JSON texts without loss: JSON itself has neither sets nor keys other than
 * strings.
 */

import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import type { Steps } from '../steps.js';
import { isArray, isObject, isSet, type PlainObject, type Value } from '../value.js';
import { ValueClass } from '../value-class.js';
import { parseJson, toJson } from './json.js';
import { readJsonSteps } from './json-reader.js';
import { NotJson, writeJsonSteps } from './json-writer.js';

/** The prefix of values that are JSON, as most are; their JSON text follows. */
const plain = 'p';
const tagged = 't';

/** Throws a RangeError or a JsonError for a value that is nested too deeply. */
export function exactText(value: Value): string {
  return isJson(value) ? plain + toJson(value) : tagged + toJson(withTags(value));
}

/** Decodes a text of `exactText`. */
export function exactValue(text: string): Value {
  const value = parseJson(text.slice(1));
  return text.startsWith(plain) ? value : withoutTags(value);
}

/** A value as plain JSON text: sets become sorted arrays. */
export function plainText(value: Value): string {
  return plain + toJson(value);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

interface ExactOptions {
  /** Called with the bytes of memory needed next; throws if they are not available. */
  readonly take?: ((bytes: number) => void) | undefined;
}

/** The bytes of `exactText`. JSON values, the common case, are written in steps. */
export function* exactBytesSteps(value: Value, { take }: ExactOptions): Steps<Uint8Array> {
  try {
    return yield* writeJsonSteps(value, { unordered: true, strict: true, before: plain, ...(take !== undefined && { take }) });
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return encoder.encode(tagged + toJson(withTags(value)));
  }
}

/** Decodes bytes of `exactBytesSteps`. */
export function* exactValueSteps(bytes: Uint8Array, { take }: ExactOptions): Steps<Value> {
  const value = yield* readJsonSteps(bytes.subarray(1), take === undefined ? {} : { take });
  return decoder.decode(bytes.subarray(0, 1)) === plain ? value : withoutTags(value);
}

function isJson(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isArray(value)) return value.every(isJson);
  if (value instanceof ValueClass) return !isSet(value as Value) && !(value instanceof RegoObject);
  return Object.values(value as PlainObject).every(isJson);
}

/** Scalars unchanged, collections as arrays that begin with a type tag. */
export function withTags(value: Value): Value {
  if (isArray(value)) return ['array', ...value.map(withTags)];
  if (isSet(value)) return ['set', ...[...value].map(withTags)];
  if (value instanceof RegoObject) return ['any', ...[...value.keys()].flatMap((key) => [withTags(key), withTags(value.get(key)!)])];
  if (!isObject(value)) return value;
  return ['object', ...Object.entries(value as PlainObject).flatMap(([key, member]) => [key, withTags(member)])];
}

/** @param text converts strings */
export function withoutTags(value: Value, text: (string: string) => string = (string) => string): Value {
  if (typeof value === 'string') return text(value);
  if (!isArray(value)) return value;
  const [tag, ...given] = value;
  const parts = given.map((part) => withoutTags(part, text));
  if (tag === 'array') return parts;
  if (tag === 'set') return new RegoSet(parts);
  const entries: [Value, Value][] = [];
  for (let i = 0; i < parts.length; i += 2) entries.push([parts[i]!, parts[i + 1]!]);
  return tag === 'any' ? new RegoObject(entries) : Object.fromEntries(entries as [string, Value][]);
}
