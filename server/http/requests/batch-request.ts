/** The body of a batch: inputs by key, and the common input. */

import { isDocumentObject } from '../../../runtime/index.js';
import type { PlainObject, Steps, Value } from '../../../values/index.js';
import { inSlices, isObject, plainKeys, setOwn } from '../../../values/index.js';
import type { Settings } from '../../control/app-context.js';
import { type ApiError, invalidParameter, MalformedBody } from '../responses/api-error.js';
import { documentOfBody } from './document.js';
import type { Exchange } from './exchange.js';
import { memberOf } from './input.js';
import { RequestMemory } from './request-memory.js';

interface BatchRequest {
  /** As in other requests, an input of null is none. */
  readonly inputs: readonly (readonly [key: string, input: Value | undefined])[];
  readonly common: Value | undefined;
}

/** Rejects with an ApiError. */
export async function batchRequest(exchange: Exchange, { limits, maxBatchInputs }: Settings): Promise<BatchRequest> {
  let body: Value | undefined;
  try {
    body = await documentOfBody(exchange, limits, (key, members) => {
      if (members > maxBatchInputs && key.toLowerCase() === 'inputs') throw tooManyInputs(members, maxBatchInputs);
    });
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw invalidParameter(`body contains malformed batch: ${error.message}`);
  }
  const inputs = isDocumentObject(body) ? memberOf(body, 'inputs') : undefined;
  if (!isDocumentObject(inputs))
    throw invalidParameter("body contains malformed batch: it needs an object of 'inputs'");
  // The reader of a long body has kept the keys: to list them again would be one long step.
  const keys = plainKeys(inputs);
  if (keys.length > maxBatchInputs) throw tooManyInputs(keys.length, maxBatchInputs);
  const common = memberOf(body as PlainObject, 'common_input');
  return { inputs: keys.map((key) => [key, inputs[key] ?? undefined] as const), common };
}

/** The rest of a long batch is not read. */
function tooManyInputs(count: number, most: number): ApiError {
  return invalidParameter(`batch has ${count} inputs or more; at most ${most} are allowed`);
}

/** Estimated bytes of a member that is copied. */
const bytesPerMember = 32;

/** Members that are copied between two pauses. */
const membersPerStep = 500;

/** Calls back with an input over the common one, and counts its memory until then. */
export async function withCommonInput<Result>(
  common: Value | undefined,
  input: Value | undefined,
  use: (merged: Value | undefined) => Promise<Result>,
): Promise<Result> {
  if (common === undefined || input === undefined) return await use(input ?? common);
  const memory = new RequestMemory();
  try {
    return await use(await inSlices(mergeSteps(common, input, memory.take)));
  } finally {
    memory.release();
  }
}

/** Merges objects deeply; other values of the input win. Without recursion: inputs may be deep. */
function* mergeSteps(common: Value, input: Value, take: (bytes: number) => void): Steps<Value> {
  if (!isPlain(common) || !isPlain(input)) return input;
  const result: PlainObject = {};
  const left: (readonly [target: PlainObject, common: PlainObject, input: PlainObject])[] = [[result, common, input]];
  let copied = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [target, below, above] = next;
    for (const source of [below, above]) {
      // To list the entries of a large object would be one long step.
      for (const key of plainKeys(source)) {
        const value = source[key]!;
        const under = source === above && Object.hasOwn(below, key) ? below[key] : undefined;
        const merges = under !== undefined && isPlain(under) && isPlain(value);
        const member: Value = merges ? {} : value;
        setOwn(target, key, member);
        if (merges) left.push([member as PlainObject, under, value]);
        if (++copied % membersPerStep === 0) {
          take(membersPerStep * bytesPerMember);
          yield;
        }
      }
    }
  }
  return result;
}

function isPlain(value: Value): value is PlainObject {
  return isObject(value) && isDocumentObject(value);
}
