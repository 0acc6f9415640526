/** Names close to a mistyped one. */

import { editDistance } from '../../values/index.js';

/**
 * The candidate that is like a name but for capitals and a character in three; undefined if none
 * is, or the name itself is one.
 * @param most how many characters may differ
 *
 * @example closest('inptu', ['input', 'data']) // 'input'
 */
export function closest(
  name: string,
  candidates: Iterable<string>,
  most = Math.min(3, Math.floor(name.length / 3)),
): string | undefined {
  const written = name.toLowerCase();
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    if (candidate === name) return undefined;
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(written, candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}
