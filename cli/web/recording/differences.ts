/** The differences of two runs of one plan: other ways, and other values on the same way. */
import type { RecordedEvents } from './recording.js';

export interface RecordingDifference {
  /** The event of the first run. */
  readonly at: number;
  /** The event of the second run. */
  readonly otherAt: number;
  /** Whether another statement follows, or the same with other values. */
  readonly kind: 'way' | 'value';
}

/** The most differences that are looked for. */
const most = 10_000;

/** How many events may be on one way alone before both go on alike. */
const longestDetour = 400;

/** Equal events in a row after which both runs are on the same way again. */
const sameWay = 6;

/**
 * In the order of the events. Behind another way, both runs are compared from where they go on
 * alike; where they do not, the other way is the last difference.
 */
export function differencesOf(a: RecordedEvents, b: RecordedEvents): readonly RecordingDifference[] {
  const found: RecordingDifference[] = [];
  let [at, otherAt] = [0, 0];
  while (at < a.length && otherAt < b.length && found.length < most) {
    if (isSameEvent(a, at, b, otherAt)) {
      if (a.textOf(at) !== b.textOf(otherAt)) found.push({ at, otherAt, kind: 'value' });
      at++;
      otherAt++;
      continue;
    }
    found.push({ at, otherAt, kind: 'way' });
    const next = afterDetour(a, at, b, otherAt);
    if (next === undefined) return found;
    [at, otherAt] = next;
  }
  if (at < a.length || otherAt < b.length)
    found.push({ at: Math.min(at, a.length - 1), otherAt: Math.min(otherAt, b.length - 1), kind: 'way' });
  return found;
}

function isSameEvent(a: RecordedEvents, at: number, b: RecordedEvents, otherAt: number): boolean {
  return a.ops[at] === b.ops[otherAt] && a.what[at] === b.what[otherAt];
}

/** The nearest events behind two others from which both runs go on alike. */
function afterDetour(
  a: RecordedEvents,
  at: number,
  b: RecordedEvents,
  otherAt: number,
): readonly [number, number] | undefined {
  for (let total = 1; total <= longestDetour; total++) {
    for (let skipped = 0; skipped <= total; skipped++) {
      const [next, otherNext] = [at + total - skipped, otherAt + skipped];
      if (goesOnAlike(a, next, b, otherNext)) return [next, otherNext];
    }
  }
  return undefined;
}

function goesOnAlike(a: RecordedEvents, at: number, b: RecordedEvents, otherAt: number): boolean {
  if (at >= a.length || otherAt >= b.length) return false;
  for (let i = 0; i < sameWay; i++) {
    const areOver = at + i >= a.length && otherAt + i >= b.length;
    if (areOver) return true;
    if (!isSameEvent(a, at + i, b, otherAt + i)) return false;
  }
  return true;
}
