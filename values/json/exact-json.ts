/**
 * Encodes values as JSON texts without loss: JSON itself has neither sets nor keys other than
 * strings.
 */

import { RegoObject } from '../object.js';
import { RegoSet } from '../set.js';
import { allAtOnce, type Steps, visitSteps } from '../steps.js';
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
  return text.startsWith(plain) ? value : allAtOnce(withoutTagsSteps(value));
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
    return yield* writeJsonSteps(value, {
      unordered: true,
      strict: true,
      before: plain,
      ...(take !== undefined && { take }),
    });
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return encoder.encode(tagged + toJson(withTags(value)));
  }
}

/** Decodes bytes of `exactBytesSteps`. */
export function* exactValueSteps(bytes: Uint8Array, { take }: ExactOptions): Steps<Value> {
  const value = yield* readJsonSteps(bytes.subarray(1), take === undefined ? {} : { take });
  return decoder.decode(bytes.subarray(0, 1)) === plain ? value : yield* withoutTagsSteps(value);
}

function isJson(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (isArray(value)) return value.every(isJson);
  if (value instanceof ValueClass) return !isSet(value as Value) && !(value instanceof RegoObject);
  return Object.values(value as PlainObject).every(isJson);
}

/** Scalars unchanged, collections as arrays that begin with a type tag. */
function withTags(value: Value): Value {
  if (isArray(value)) return ['array', ...value.map(withTags)];
  if (isSet(value)) return ['set', ...[...value].map(withTags)];
  if (value instanceof RegoObject)
    return ['any', ...[...value.entries()].flatMap(([key, member]) => [withTags(key), withTags(member)])];
  if (!isObject(value)) return value;
  return ['object', ...Object.entries(value as PlainObject).flatMap(([key, member]) => [key, withTags(member)])];
}

/** The number of parts of a collection that are made in a step. */
const partsPerStep = 1000;

function* withoutTagsSteps(value: Value): Steps<Value> {
  if (!isArray(value)) return value;
  const [tag, ...given] = value;
  const parts: Value[] = [];
  for (const part of given) {
    parts.push(isArray(part) ? yield* withoutTagsSteps(part) : part);
    if (parts.length % partsPerStep === 0) yield;
  }
  if (tag === 'array') return parts;
  if (tag === 'set') {
    const set = new RegoSet();
    yield* visitSteps(parts, partsPerStep, (member) => set.add(member));
    return set;
  }
  const entries: [Value, Value][] = [];
  for (let i = 0; i < parts.length; i += 2) entries.push([parts[i]!, parts[i + 1]!]);
  if (tag === 'object') return Object.fromEntries(entries as [string, Value][]);
  const object = new RegoObject();
  yield* visitSteps(entries, partsPerStep, ([key, member]) => object.set(key, member));
  return object;
}
