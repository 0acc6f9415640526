/**
 * `regex.globs_match`: whether two patterns share a text. Both are walked at once, as two automata
 * side by side. A pair of positions is visited once, so the time is at most the product of lengths.
 */

import type { BuiltinContext } from '../../builtin-context.js';
import { overlap } from '../regex/charset.js';
import { type GlobToken, readGlob } from './tokens.js';

/** Units for a pair of places that is looked at. */
const unitsPerState = 10;

export function globsIntersect(left: string, right: string, context: BuiltinContext): boolean {
  const a = readGlob(left);
  const b = readGlob(right);
  const width = b.length + 1;
  const seen = new Uint8Array((a.length + 1) * width);
  const pending = [0];
  const visit = (i: number, j: number): void => {
    const state = i * width + j;
    if (seen[state] === 1) return;
    seen[state] = 1;
    pending.push(state);
  };
  seen[0] = 1;
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    context.tick(unitsPerState);
    const i = Math.floor(state / width);
    const j = state % width;
    if (i === a.length && j === b.length) return true;
    const x = a[i];
    const y = b[j];
    // A loop may be left without another round; else both take one character that both match.
    if (x?.loop) visit(i + 1, j);
    if (y?.loop) visit(i, j + 1);
    if (x !== undefined && y !== undefined && mayMeet(x, y)) visit(x.loop ? i : i + 1, y.loop ? j : j + 1);
  }
  return false;
}

function mayMeet(x: GlobToken, y: GlobToken): boolean {
  return x.set === 'any' || y.set === 'any' || overlap(x.set, y.set);
}
