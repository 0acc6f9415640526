/** JSON in operands. */
import { parseJson } from '../../../json/json.js';
import { readJsonSteps } from '../../../json/json-reader.js';
import { encodeUtf8 } from '../../../text/utf8.js';
import type { Value } from '../../../value.js';
import { countWork } from '../../../work.js';

/**
 * Longer texts are read in steps: of the platform's reader nothing ends the work, nor bounds the
 * memory.
 */
const longestAtOnce = 1 << 16;

/** Units for a character that the platform reads, and for a step. */
const unitsPerCharacter = 3;
const unitsPerStep = 100_000;

/** The value of a JSON text, its work counted. Throws a JsonError. */
export function readJson(text: string): Value {
  if (text.length <= longestAtOnce) {
    countWork(text.length * unitsPerCharacter);
    return parseJson(text);
  }
  const steps = readJsonSteps(encodeUtf8(text), { whole: true });
  for (;;) {
    countWork(unitsPerStep);
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
