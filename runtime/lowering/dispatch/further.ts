/**
 * Parts by which the rules of one constant are told apart. A table of the constants of all parts,
 * joined to one text each, finds the rules with one look-up.
 */
import type { Guard, Part } from './guards.js';

/** A rule's comparisons by the keys of their parts. */
interface Candidate {
  readonly guards: ReadonlyMap<string, Guard>;
}

/** With fewer rules of a text, they are as fast one after the other. */
const fewRules = 3;

/** So many parts are joined with the first. */
const mostParts = 2;

/** Joins constants; no constant contains it, so texts of different constants differ. */
export const joint = '\0';

/** @param key of the part by which the rules are dispatched */
export function furtherParts(key: string, candidates: readonly Candidate[]): readonly Part[] {
  if (candidates.length <= fewRules || !joins(key, candidates)) return [];
  const parts: Part[] = [];
  let texts = candidates.map(({ guards }) => guards.get(key)!.constant as string);
  const others = new Map([...candidates[0]!.guards].filter(([other]) => other !== key && joins(other, candidates)));
  while (parts.length < mostParts && candidates.length > fewRules * new Set(texts).size) {
    let best: { readonly part: Part; readonly texts: string[]; readonly count: number } | undefined;
    for (const [other, { part }] of others) {
      const joined = candidates.map(({ guards }, i) => texts[i]! + joint + (guards.get(other)!.constant as string));
      const count = new Set(joined).size;
      if (count > (best?.count ?? new Set(texts).size)) best = { part, texts: joined, count };
    }
    if (best === undefined) break;
    parts.push(best.part);
    texts = best.texts;
    others.delete(best.part.key);
  }
  return parts;
}

/** Whether all rules compare a part with texts, and their comparisons are no work. */
function joins(key: string, candidates: readonly Candidate[]): boolean {
  return candidates.every(({ guards }) => {
    const guard = guards.get(key);
    return guard !== undefined && isJoined(guard);
  });
}

function isJoined({ part: { root, path }, constant, isFree }: Guard): boolean {
  if (root.kind !== 'param' || !isFree || path.includes('__proto__')) return false;
  return typeof constant === 'string' && !constant.includes(joint);
}
