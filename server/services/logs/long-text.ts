/** Events and lines as text: long ones in slices, so that other requests do not wait. */
import type { Hold } from '../../../engine/index.js';
import type { Steps, Value } from '../../../values/index.js';
import { deepJson, inSlices, jsonCopy, jsonIfShort, readJsonSteps, writeJsonSteps } from '../../../values/index.js';

/** Runs steps in slices while the values that they read stay as they are. */
export async function whileHeld<Result>(steps: Steps<Result>, hold: Hold): Promise<Result> {
  const held = hold();
  try {
    return await inSlices(steps);
  } finally {
    held.release();
  }
}

/**
 * A value as text; a promise for a long one.
 * @param hold absent where the value may change after this returns: it is written at once
 */
export function eventText(value: Value, hold: Hold | undefined): string | Promise<string> {
  if (hold === undefined) return deepJson(value);
  return jsonIfShort(value) ?? whileHeld(jsonTextSteps(value), hold);
}

/** A copy as JSON would have it, in the same way. */
export function eventCopy(value: Value, hold: Hold | undefined): Value | Promise<Value> {
  if (hold === undefined || jsonIfShort(value) !== undefined) return jsonCopy(value);
  return whileHeld(copySteps(value), hold);
}

export function* jsonTextSteps(value: Value, pretty = false): Steps<string> {
  return new TextDecoder().decode(yield* writeJsonSteps(value, { pretty }));
}

function* copySteps(value: Value): Steps<Value> {
  return yield* readJsonSteps(yield* writeJsonSteps(value));
}
