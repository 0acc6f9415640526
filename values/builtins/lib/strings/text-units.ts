/** Costs of walking through texts and of joining them. */
import { checkTextLength } from '../../../memory.js';
import { countWork } from '../../../work.js';

/** Texts joined to one of this length. */
export function joinedUnits(texts: readonly string[], separator: string, length: number): string {
  checkTextLength(length);
  countWork(texts.length * unitsPerPart + Math.floor(length / unitCharacters));
  return texts.join(separator);
}

/** Units for a text that is joined to others, and characters that are copied in a unit. */
export const unitsPerPart = 4;

const unitCharacters = 4;

/** The most texts that are joined without counting, if they are short together. */
export const fewParts = 8;
export const shortUnits = 1024;

export const surrogate = /[\ud800-\udfff]/;

/** Characters between two counts of a walk through a text. */
export const block = 1024;
