/** Texts that match the patterns of policies, and some that nearly do. */
import type { Value } from '../../../values/index.js';
import { type InputPlace, placeKey } from './input-places.js';
import type { InputSlot, PolicyInputs } from './policy-inputs.js';

const samplesOfPattern = 3;

/** Adds texts to the slots of patterns. The library is loaded where a policy has some. */
export async function patternSamples(policies: readonly PolicyInputs[], slots: Map<string, InputSlot>): Promise<void> {
  for (const { place, pattern, isGlob } of policies.flatMap(({ patterns }) => patterns)) {
    const texts = isGlob ? globTexts(pattern) : await regexTexts(pattern);
    slotAt(slots, place).values.push(...texts);
  }
}

function slotAt(slots: Map<string, InputSlot>, place: InputPlace): InputSlot {
  const key = placeKey(place);
  let slot = slots.get(key);
  if (slot === undefined) slots.set(key, (slot = { place, values: [] as Value[] }));
  return slot;
}

async function regexTexts(pattern: string): Promise<readonly string[]> {
  const { sample, stringMatching } = await import('fast-check');
  try {
    const found = sample(stringMatching(new RegExp(pattern.replace(/^\(\?[ims]+\)/, ''))), {
      numRuns: samplesOfPattern,
      seed: 1,
    });
    return found.flatMap((text) => [text, `${text}a`, text.slice(0, -1), text.toUpperCase()]);
  } catch {
    // A pattern that only RE2 has: constants are tried all the same.
    return [];
  }
}

function globTexts(pattern: string): readonly string[] {
  const plain = pattern
    .replace(/\{([^,}]*)[^}]*\}/g, '$1')
    .replace(/\[([^\]]?)[^\]]*\]/g, '$1')
    .replaceAll('?', 'a');
  return [
    plain.replace(/\*+/g, 'a'),
    plain.replace(/\*+/g, ''),
    plain.replace(/\*+/g, 'a.a'),
    plain.replace(/\*+/g, 'a/a'),
  ];
}
